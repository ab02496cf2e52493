/**
 * Turns a manifest that SOPS has encrypted into what the API server gets once Flux, Argo CD or Helm have decrypted it. The
 * encrypted values of a Secret are unknown: each is replaced by one that the server accepts. Format: github.com/getsops/sops,
 * whose metadata is at the root under `sops`, with a message authentication code, `mac`.
 */

type Fields = Readonly<Record<string, unknown>>;

export function decryptedManifest(value: Record<string, unknown>): Record<string, unknown> {
  const { sops, ...manifest } = value;
  if (typeof fieldsOf(sops)["mac"] !== "string") return value;
  if (manifest["kind"] !== "Secret") return manifest;
  const [data, stringData] = [fieldsOf(manifest["data"]), fieldsOf(manifest["stringData"])];
  const encrypted = Object.entries({ ...data, ...stringData }).filter(([, text]) =>
    isEncrypted(text),
  );
  const known = Object.entries(data).filter(([, text]) => !isEncrypted(text));
  return {
    ...manifest,
    data: Object.fromEntries(known),
    // Values that are base64 in `data` are plain text here.
    stringData: {
      ...stringData,
      ...Object.fromEntries(encrypted.map(([key]) => [key, goodValues.get(key) ?? ""])),
    },
  };
}

/** Valid values for keys whose contents the server checks, depending on the Secret's type. */
const goodValues: ReadonlyMap<string, string> = new Map([
  [".dockercfg", "{}"],
  [".dockerconfigjson", "{}"],
  ["tls.crt", "-----BEGIN CERTIFICATE-----\n-----END CERTIFICATE-----\n"],
  ["tls.key", "-----BEGIN PRIVATE KEY-----\n-----END PRIVATE KEY-----\n"],
]);

/** Empty for anything but a mapping. */
function fieldsOf(value: unknown): Fields {
  return typeof value === "object" && value !== null ? (value as Fields) : {};
}

function isEncrypted(value: unknown): boolean {
  return typeof value === "string" && value.startsWith("ENC[");
}
