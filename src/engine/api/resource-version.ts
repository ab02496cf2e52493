/** The number in a resourceVersion. Upstream: apiserver pkg/storage APIObjectVersioner.ObjectResourceVersion, v0.36. */
import { goQuote } from "./go/text.ts";

const numberMax = 2n ** 64n - 1n;

/** 0 if it is empty; Go's error message if it is not a number. Upstream: strconv.ParseUint. */
export function versionNumber(version = ""): bigint | string {
  if (version === "") return 0n;
  const failure = `strconv.ParseUint: parsing ${goQuote(version)}`;
  if (!/^\d+$/.test(version)) return `${failure}: invalid syntax`;
  const number = BigInt(version);
  return number > numberMax ? `${failure}: value out of range` : number;
}
