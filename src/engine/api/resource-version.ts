/** The number that a resourceVersion is. Upstream: apiserver pkg/storage APIObjectVersioner.ObjectResourceVersion, v0.36. */
import { goQuote } from "./go/text.ts";

const numberMax = 2n ** 64n - 1n;

/** 0 where there is none; a text is what Go says of one that is no number. Upstream: strconv.ParseUint. */
export function versionNumber(version = ""): bigint | string {
  if (version === "") return 0n;
  const failure = `strconv.ParseUint: parsing ${goQuote(version)}`;
  if (!/^\d+$/.test(version)) return `${failure}: invalid syntax`;
  const number = BigInt(version);
  return number > numberMax ? `${failure}: value out of range` : number;
}
