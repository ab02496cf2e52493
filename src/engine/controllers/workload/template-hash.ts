/**
 * The hash in the names of ReplicaSets and ControllerRevisions. Upstream: pkg/controller/controller_utils.go ComputeHash,
 * pkg/controller/history HashControllerRevision and apimachinery rand.SafeEncodeString, v1.36. Upstream hashes Go's dump of the
 * template, which is not available outside Go; here the template's JSON with sorted keys is hashed, so hashes are stable but
 * differ from upstream's.
 */

/** Hashes a template and, if its name was taken, the number of collisions. */
export function templateHash(template: unknown, collisionCount: number | undefined): string {
  const text = canonical(template) + (collisionCount === undefined ? "" : `\0${collisionCount}`);
  return safeEncode(String(fnv32a(text)));
}

/** 32-bit FNV-1a of the text's UTF-16 code units, low byte first. */
function fnv32a(text: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    hash = Math.imul(hash ^ (unit & 0xff), 0x01000193);
    if (unit > 0xff) hash = Math.imul(hash ^ (unit >>> 8), 0x01000193);
  }
  return hash >>> 0;
}

/** Uses characters that spell no words. */
function safeEncode(text: string): string {
  const alphabet = "bcdfghjklmnpqrstvwxz2456789";
  let encoded = "";
  for (let i = 0; i < text.length; i++)
    encoded += alphabet[text.charCodeAt(i) % alphabet.length] ?? "";
  return encoded;
}

function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value) ?? "null";
  const record = value as Record<string, unknown>;
  const keys = Object.keys(record).filter((key) => record[key] !== undefined);
  keys.sort((a, b) => (a < b ? -1 : 1));
  return `{${keys.map((key) => `${JSON.stringify(key)}:${canonical(record[key])}`).join(",")}}`;
}
