/**
 * A manifest that SOPS has encrypted, as it is when Flux, Argo CD or Helm have decrypted it and send it to the API server: with
 * all but the encrypted values, which nobody knows without the key. Where a Secret has bytes, there are none then. Format:
 * github.com/getsops/sops, whose metadata stand at the root under `sops`, among them the code of authentication, `mac`.
 */

type Fields = Readonly<Record<string, unknown>>;

export function decryptedManifest(value: Record<string, unknown>): Record<string, unknown> {
  const { sops, ...manifest } = value;
  if (typeof fieldsOf(sops)["mac"] !== "string") return value;
  if (manifest["kind"] !== "Secret") return manifest;
  const data = Object.entries(fieldsOf(manifest["data"]));
  return {
    ...manifest,
    data: Object.fromEntries(data.map(([key, text]) => [key, isEncrypted(text) ? "" : text])),
  };
}

/** None of anything but a mapping. */
function fieldsOf(value: unknown): Fields {
  return typeof value === "object" && value !== null ? (value as Fields) : {};
}

function isEncrypted(value: unknown): boolean {
  return typeof value === "string" && value.startsWith("ENC[");
}
