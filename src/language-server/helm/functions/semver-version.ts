/** Parses versions, and orders them. Upstream: Masterminds/semver v3.4 version.go, which also reads `v1.2`. */
import { compareText } from "../../../engine/api/go/text-order.ts";

export interface Version {
  readonly original: string;
  readonly major: bigint;
  readonly minor: bigint;
  readonly patch: bigint;
  readonly prerelease: string;
  readonly metadata: string;
}

const part = "[0-9A-Za-z-]+(?:\\.[0-9A-Za-z-]+)*";
const versionPattern = new RegExp(
  `^v?(\\d+)(?:\\.(\\d+))?(?:\\.(\\d+))?(?:-(${part}))?(?:\\+(${part}))?$`,
);
const invalid = "invalid semantic version";
const numberMax = 2n ** 64n - 1n;
/** Upstream has the same limit. */
const lengthMax = 256;

/** Returns a text if it is not a version. */
export function parseVersion(text: string): Version | string {
  const match = text.length > lengthMax ? null : versionPattern.exec(text);
  if (match === null) return invalid;
  const [, major = "0", minor = "0", patch = "0", prerelease = "", metadata = ""] = match;
  for (const segment of [major, minor, patch])
    if (BigInt(segment) > numberMax)
      return `error parsing version segment: strconv.ParseUint: parsing "${segment}": value out of range`;
  if (prerelease.split(".").some((each) => /^0\d+$/.test(each)))
    return "version segment starts with 0";
  return {
    original: text,
    major: BigInt(major),
    minor: BigInt(minor),
    patch: BigInt(patch),
    prerelease,
    metadata,
  };
}

/** Negative if the first is lower; build metadata is ignored. */
export function compareVersions(a: Version, b: Version): number {
  const byNumbers =
    compareNumbers(a.major, b.major) ||
    compareNumbers(a.minor, b.minor) ||
    compareNumbers(a.patch, b.patch);
  if (byNumbers !== 0 || a.prerelease === b.prerelease) return byNumbers;
  if (a.prerelease === "") return 1;
  return b.prerelease === "" ? -1 : comparePrereleases(a.prerelease, b.prerelease);
}

function compareNumbers(a: bigint, b: bigint): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** Part by part: numbers before texts, fewer parts before more. */
export function comparePrereleases(a: string, b: string): number {
  const [partsA, partsB] = [a.split("."), b.split(".")];
  for (let index = 0; index < Math.max(partsA.length, partsB.length); index++) {
    const [x, y] = [partsA[index], partsB[index]];
    if (x === y) continue;
    if (x === undefined) return -1;
    if (y === undefined) return 1;
    const [isNumberX, isNumberY] = [/^\d+$/.test(x), /^\d+$/.test(y)];
    if (isNumberX && isNumberY) return compareNumbers(BigInt(x), BigInt(y)) || -1;
    if (isNumberX || isNumberY) return isNumberX ? -1 : 1;
    return compareText(x, y);
  }
  return 0;
}
