/** IP addresses. Upstream: apimachinery v0.36 pkg/util/validation/ip.go IsValidIP, k8s.io/utils/net ParseIPSloppy. */
import type { FieldErrors } from "../field-error.ts";
import type { FieldPath } from "../field-path.ts";

const addressText = "must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)";

export function validateAddress(text: string, path: FieldPath, errors: FieldErrors): void {
  if (!isAddress(text)) errors.invalid(path, text, addressText);
}

export function isAddress(text: string): boolean {
  return isIPv4(text) || isIPv6(text);
}

/** Leading zeros are read over. */
export function isIPv4(text: string): boolean {
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

/** The address as it should be written, undefined if it is so. Upstream: GetWarningsForIP. */
export function standardIPv4(text: string): string | undefined {
  if (!isIPv4(text)) return undefined;
  const standard = text.split(".").map(Number).join(".");
  return standard === text ? undefined : standard;
}
