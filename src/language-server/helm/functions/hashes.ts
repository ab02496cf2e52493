/** Checksums of texts. Upstream: sprig v3 crypto.go, Go's crypto/sha1, sha256, sha512, hash/adler32. */
import { sha1 } from "@noble/hashes/legacy.js";
import { sha256, sha512 } from "@noble/hashes/sha2.js";
import { bytesOf } from "./bytes.ts";
import { define, type Named } from "./signature.ts";

/** Even for a short text, a checksum takes as long as printing this many letters. */
const costOfSum = 64;

export const hashFunctions: readonly Named[] = [
  define(
    "sha1sum",
    ["string"],
    ([text], call) => call.charge(text.length + costOfSum) ?? hex(sha1(bytesOf(text))),
  ),
  define(
    "sha256sum",
    ["string"],
    ([text], call) => call.charge(text.length + costOfSum) ?? hex(sha256(bytesOf(text))),
  ),
  define(
    "sha512sum",
    ["string"],
    ([text], call) => call.charge(text.length + costOfSum) ?? hex(sha512(bytesOf(text))),
  ),
  define(
    "adler32sum",
    ["string"],
    ([text], call) => call.charge(text.length + costOfSum) ?? String(adler32(bytesOf(text))),
  ),
];

function hex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

function adler32(bytes: Uint8Array): number {
  const modulus = 65_521;
  let [a, b] = [1, 0];
  for (const byte of bytes) {
    a = (a + byte) % modulus;
    b = (b + a) % modulus;
  }
  return b * 0x10000 + a;
}
