/** 32-bit FNV-1 (multiply, then xor) of a text's UTF-8 bytes. Upstream: Go hash/fnv New32; not FNV-1a. */
export function fnv32(text: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) {
    // Only names of objects are hashed, and these are ASCII.
    hash = (Math.imul(hash, 0x01000193) ^ text.charCodeAt(i)) >>> 0;
  }
  return hash;
}
