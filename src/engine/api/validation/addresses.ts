/**
 * IP addresses. Upstream: apimachinery v0.36 pkg/util/validation/ip.go IsValidIPForLegacyField, IsValidCIDRForLegacyField,
 * GetWarningsForIP, k8s.io/utils/net ParseIPSloppy.
 */
import type { KubernetesVersion } from "../../scenario.ts";
import { refusesSloppyAddresses } from "../../version-differences.ts";
import type { FieldErrors } from "../field-error.ts";
import type { FieldPath } from "../field-path.ts";

interface Notation {
  readonly expected: string;
  readonly fits: (text: string) => boolean;
  /** Why programs may disagree about a text that fits; undefined if they do not. */
  readonly sloppiness: (text: string) => string | undefined;
}

/** Accepts whatever is in `stored`: the stored object may keep it. */
type Validate = (
  text: string,
  path: FieldPath,
  errors: FieldErrors,
  stored?: readonly string[],
) => void;

function validatorOf({ expected, fits, sloppiness }: Notation): Validate {
  return (text, path, errors, stored = []) => {
    if (stored.includes(text)) return;
    if (!fits(text)) errors.invalid(path, text, expected);
    else if (refusesSloppyAddresses(errors.version)) {
      const complaint = sloppiness(text);
      if (complaint !== undefined) errors.invalid(path, text, complaint);
    }
  };
}

export const validateAddress: Validate = validatorOf({
  expected: "must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)",
  fits: isAddress,
  sloppiness: (address) => {
    if (hasLeadingZero(address)) return "must not have leading 0s";
    return isMapped(address) ? "must not be an IPv4-mapped IPv6 address" : undefined;
  },
});

export const validateCidr: Validate = validatorOf({
  expected: "must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)",
  fits: isCidr,
  sloppiness: sloppinessOfRange,
});

export function isAddress(text: string): boolean {
  return isIPv4(text) || isIPv6(text);
}

/** Leading zeros are allowed. */
function isIPv4(text: string): boolean {
  return /^\d+(\.\d+){3}$/.test(text) && text.split(".").every((part) => Number(part) <= 255);
}

export function isIPv6(text: string): boolean {
  const halves = text.split("::");
  if (!text.includes(":") || halves.length > 2) return false;
  const groups = halves.flatMap((half) => (half === "" ? [] : half.split(":")));
  const last = groups.at(-1) ?? "";
  const endsAsIPv4 = last.includes(".");
  if (endsAsIPv4 && (!isIPv4(last) || text.endsWith("::"))) return false;
  const plain = endsAsIPv4 ? groups.slice(0, -1) : groups;
  if (!plain.every((group) => /^[0-9a-fA-F]{1,4}$/.test(group))) return false;
  const count = plain.length + (endsAsIPv4 ? 2 : 0);
  return halves.length === 2 ? count < 8 : count === 8;
}

/** Upstream: parseCIDR. */
function sloppinessOfRange(range: string): string | undefined {
  const [address = "", length = ""] = range.split("/");
  if (hasLeadingZero(address) || /^0\d/.test(length))
    return "must not have leading 0s in IP or prefix length";
  if (isMapped(address)) return "must not have an IPv4-mapped IPv6 address";
  const bits = isIPv4(address)
    ? address.split(".").map((part) => Number(part).toString(2).padStart(8, "0"))
    : groupsOf(address).map((group) => group.toString(2).padStart(16, "0"));
  return bits.join("").slice(Number(length)).includes("1")
    ? "must not have bits set beyond the prefix length"
    : undefined;
}

/** Some programs read such a decimal number as octal. */
function hasLeadingZero(address: string): boolean {
  const decimals = address.slice(address.lastIndexOf(":") + 1);
  return decimals.includes(".") && decimals.split(".").some((part) => /^0\d/.test(part));
}

function isMapped(address: string): boolean {
  return isIPv6(address) && holdsIPv4(groupsOf(address));
}

function holdsIPv4(groups: readonly number[]): boolean {
  return groups.slice(0, 5).every((group) => group === 0) && groups[5] === 0xffff;
}

export function isCidr(text: string): boolean {
  const [address = "", length = "", ...rest] = text.split("/");
  if (rest.length > 0 || !/^\d{1,3}$/.test(length)) return false;
  if (isIPv4(address)) return Number(length) <= 32;
  return isIPv6(address) && Number(length) <= 128;
}

/** Why no packets can be sent to an address; undefined if they can. Upstream: ValidateNonSpecialIP. */
export function specialAddress(text: string): string | undefined {
  const isFour = isIPv4(text);
  const value = isFour ? text.split(".").map(Number) : groupsOf(text);
  const [high = 0, next = 0, low = 0] = value;
  const isOne = value.at(-1) === 1 && value.slice(0, -1).every((part) => part === 0);
  if (value.every((part) => part === 0)) return `may not be unspecified (${text})`;
  if (isFour ? high === 127 : isOne)
    return "may not be in the loopback range (127.0.0.0/8, ::1/128)";
  if (isFour ? high === 169 && next === 254 : (high & 0xffc0) === 0xfe80)
    return "may not be in the link-local range (169.254.0.0/16, fe80::/10)";
  if (isFour ? high === 224 && next === 0 && low === 0 : (high & 0xff0f) === 0xff02)
    return "may not be in the link-local multicast range (224.0.0.0/24, ff02::/10)";
  return undefined;
}

/** The warning about an address that is valid but should be written differently. Upstream: GetWarningsForIP. */
export function addressWarning(text: string, version: KubernetesVersion): string | undefined {
  if (isIPv4(text)) return nonStandard(text, text.split(".").map(Number).join("."), version);
  if (!isIPv6(text)) return undefined;
  const groups = groupsOf(text);
  if (holdsIPv4(groups) || hasLeadingZero(text))
    return nonStandard(text, standardText(groups), version);
  const canonical = canonicalIPv6(groups);
  return canonical === text
    ? undefined
    : `IPv6 address "${text}" should be in RFC 5952 canonical format ("${canonical}")`;
}

/** The warnings about a range that is valid but should be written differently. Upstream: GetWarningsForCIDR. */
export function rangeWarnings(range: string, version: KubernetesVersion): readonly string[] {
  if (!isCidr(range)) return [];
  const [address = "", length = ""] = range.split("/");
  const isFour = isIPv4(address);
  const groups = groupsOf(isFour ? `::ffff:${address}` : address);
  const count = Number(length) + (isFour ? 96 : 0);
  const network = groups.map((group, index) => {
    const kept = Math.min(Math.max(count - 16 * index, 0), 16);
    return group & (0xffff << (16 - kept));
  });
  const standard = `${standardText(network)}/${holdsIPv4(network) ? count - 96 : count}`;
  const warnings: string[] = [];
  if (groups.some((group, index) => group !== network[index])) {
    const single = `${standardText(groups)}/${isFour ? 32 : 128}`;
    warnings.push(
      `CIDR value "${range}" is ambiguous in this context (should be "${standard}" or "${single}"?)`,
    );
  }
  if (hasLeadingZero(address) || /^0\d/.test(length) || isMapped(address)) {
    warnings.push(`non-standard CIDR value "${range}" ${validity(version)}: use "${standard}"`);
  }
  if (warnings.length === 0 && !isFour && range !== standard)
    warnings.push(
      `IPv6 CIDR value "${range}" should be in RFC 5952 canonical format ("${standard}")`,
    );
  return warnings;
}

function standardText(groups: readonly number[]): string {
  return holdsIPv4(groups) ? asIPv4(groups[6] ?? 0, groups[7] ?? 0) : canonicalIPv6(groups);
}

function nonStandard(
  text: string,
  standard: string,
  version: KubernetesVersion,
): string | undefined {
  return standard === text
    ? undefined
    : `non-standard IP address "${text}" ${validity(version)}: use "${standard}"`;
}

/** Where such an address is refused, only a stored object can still have it. */
function validity(version: KubernetesVersion): string {
  return refusesSloppyAddresses(version)
    ? "is invalid"
    : "will be considered invalid in a future Kubernetes release";
}

function asIPv4(high: number, low: number): string {
  return [high >> 8, high & 0xff, low >> 8, low & 0xff].join(".");
}

/** The eight groups of a valid IPv6 address. */
function groupsOf(text: string): readonly number[] {
  const read = (half: string): readonly number[] =>
    (half === "" ? [] : half.split(":")).flatMap((group) => {
      if (!group.includes(".")) return [Number.parseInt(group, 16)];
      const [a = 0, b = 0, c = 0, d = 0] = group.split(".").map(Number);
      return [a * 256 + b, c * 256 + d];
    });
  const [before = "", after = ""] = text.split("::");
  const [head, rest] = [read(before), read(after)];
  return [...head, ...Array<number>(8 - head.length - rest.length).fill(0), ...rest];
}

/** Shortens the longest run of zeros, if longer than one, to `::`; of equally long runs the first. */
function canonicalIPv6(groups: readonly number[]): string {
  let [start, length] = [0, 1];
  for (let at = 0; at < groups.length; at++) {
    const next = groups.findIndex((group, index) => index >= at && group !== 0);
    const run = (next < 0 ? groups.length : next) - at;
    if (run > length) [start, length] = [at, run];
  }
  const text = (part: readonly number[]): string =>
    part.map((group) => group.toString(16)).join(":");
  return length === 1
    ? text(groups)
    : `${text(groups.slice(0, start))}::${text(groups.slice(start + length))}`;
}
