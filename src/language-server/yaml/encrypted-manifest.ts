/**
 * A manifest that SOPS has encrypted, as it is when Flux, Argo CD or Helm have decrypted it and send it to the API server. Nobody
 * knows a Secret's encrypted values without the key: each is taken for one that the server takes without a word. Format:
 * github.com/getsops/sops, whose metadata stand at the root under `sops`, among them the code of authentication, `mac`.
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
    // What is bytes in `data` is text here.
    stringData: {
      ...stringData,
      ...Object.fromEntries(encrypted.map(([key]) => [key, goodValues.get(key) ?? ""])),
    },
  };
}

/** Of the keys whose values the server reads, by the Secret's type. */
const goodValues: ReadonlyMap<string, string> = new Map([
  [".dockercfg", "{}"],
  [".dockerconfigjson", "{}"],
  ["tls.crt", "-----BEGIN CERTIFICATE-----\n-----END CERTIFICATE-----\n"],
  ["tls.key", "-----BEGIN PRIVATE KEY-----\n-----END PRIVATE KEY-----\n"],
]);

/** None of anything but a mapping. */
function fieldsOf(value: unknown): Fields {
  return typeof value === "object" && value !== null ? (value as Fields) : {};
}

function isEncrypted(value: unknown): boolean {
  return typeof value === "string" && value.startsWith("ENC[");
}
