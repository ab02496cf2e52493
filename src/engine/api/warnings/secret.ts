/**
 * Secrets that are accepted with a warning. Upstream: pkg/registry/core/secret/strategy.go warningsForSecret, crypto/tls
 * X509KeyPair. Not modeled: blocks whose content is no certificate or key, and a certificate and key that do not match.
 */
import { isBase64, textOfBase64 } from "../decoding/base64.ts";
import type { Secret } from "../types.ts";

export function warnOfSecret({ type, data }: Secret, warnings: string[]): void {
  if (type !== "kubernetes.io/tls") return;
  const problem =
    certificateProblem(blockTypes(data?.["tls.crt"])) ?? keyProblem(blockTypes(data?.["tls.key"]));
  if (problem !== undefined) warnings.push(`tls: ${problem}`);
}

function certificateProblem(types: readonly string[]): string | undefined {
  if (types.includes("CERTIFICATE")) return undefined;
  const [type, ...others] = types;
  if (type === undefined) return "failed to find any PEM data in certificate input";
  if (others.length === 0 && type.endsWith("PRIVATE KEY"))
    return "failed to find certificate PEM data in certificate input, but did find a private key; PEM inputs may have been switched";
  return `failed to find "CERTIFICATE" PEM block in certificate input after skipping PEM blocks of the following types: [${types.join(" ")}]`;
}

function keyProblem(types: readonly string[]): string | undefined {
  if (types.some((type) => type === "PRIVATE KEY" || type.endsWith(" PRIVATE KEY")))
    return undefined;
  const [type, ...others] = types;
  if (type === undefined) return "failed to find any PEM data in key input";
  if (others.length === 0 && type === "CERTIFICATE")
    return "found a certificate rather than a key in the PEM for the private key";
  return `failed to find PEM block with type ending in "PRIVATE KEY" in key input after skipping PEM blocks of the following types: [${types.join(" ")}]`;
}

/** A line with a colon is a header, whatever follows. The second group takes all headers without backtracking. */
const block =
  /(?:^|\n)-----BEGIN ([^\n]*)-----[ \t]*\r?\n(?=((?:[^\n:]*:[^\n]*\n)*))\2([^-]*)-----END \1-----[ \t]*\r?(?=\n|$)/g;
const blank = /[ \t\r\n]/g;

/** Upstream: encoding/pem Decode, called repeatedly. */
function blockTypes(encoded = ""): readonly string[] {
  const types: string[] = [];
  for (const [, type = "", , body = ""] of textOfBase64(encoded).matchAll(block)) {
    if (isBase64(body.replace(blank, ""))) types.push(type);
  }
  return types;
}
