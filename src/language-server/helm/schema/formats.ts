/** Formats of texts. Upstream: santhosh-tekuri/jsonschema v6 format.go. */
import { goQuote } from "../../../engine/api/go/text.ts";
import { byteCount } from "../functions/bytes.ts";
import { ipv6Complaint } from "../functions/ip-address.ts";
import { hostName, parseUrl } from "../functions/urls.ts";
import { wrongEscape } from "./drafts.ts";
import { patternComplaint } from "./pattern.ts";
import {
  dateComplaint,
  dateTimeComplaint,
  durationComplaint,
  timeComplaint,
} from "./time-formats.ts";

/** Returns why a text does not have the format; undefined if it does. */
export type Complaint = (text: string) => string | undefined;

export interface Format {
  readonly name: string;
  readonly complaint: Complaint;
}

/** Undefined for an unknown name, which imposes nothing. */
export function formatNamed(name: string): Format | undefined {
  const complaint = formats.get(name);
  return complaint && { name, complaint };
}

const formats: ReadonlyMap<string, Complaint> = new Map([
  ["json-pointer", pointerComplaint],
  ["relative-json-pointer", relativePointerComplaint],
  ["uuid", uuidComplaint],
  ["duration", durationComplaint],
  ["period", periodComplaint],
  ["ipv4", ipv4Complaint],
  ["ipv6", ipv6FormatComplaint],
  ["hostname", hostnameComplaint],
  ["email", emailComplaint],
  ["date", dateComplaint],
  ["time", timeComplaint],
  ["date-time", dateTimeComplaint],
  ["uri", uriComplaint],
  ["iri", uriComplaint],
  ["uri-reference", referenceComplaint],
  ["iri-reference", referenceComplaint],
  ["uri-template", templateComplaint],
  ["semver", semverComplaint],
  ["regex", patternComplaint],
]);

/** Formats a character as Go's `%q`. */
function quotedLetter(letter: string): string {
  return `'${letter === "'" ? "\\'" : goQuote(letter).slice(1, -1).replace('\\"', '"')}'`;
}

function pointerComplaint(text: string): string | undefined {
  if (text === "") return undefined;
  if (!text.startsWith("/")) return "not starting with /";
  return wrongEscape.test(text) ? "~ must be followed by 0 or 1" : undefined;
}

function relativePointerComplaint(text: string): string | undefined {
  const [digits = ""] = /^\d*/.exec(text) ?? [];
  if (digits === "") return "must start with non-negative integer";
  if (digits.length > 1 && digits.startsWith("0")) return "starts with zero";
  const rest = text.slice(digits.length);
  return rest === "#" ? undefined : pointerComplaint(rest);
}

const uuidLengths = [8, 4, 4, 4, 12];

function uuidComplaint(text: string): string | undefined {
  const groups = text.split("-");
  if (groups.length !== uuidLengths.length) return "must have 5 elements";
  for (const [index, group] of groups.entries()) {
    const length = uuidLengths[index] ?? 0;
    if (byteCount(group) !== length)
      return `element ${index + 1} must be ${length} characters long`;
    const [letter] = /[^\da-fA-F]/u.exec(group) ?? [];
    if (letter !== undefined) return `non-hex character ${quotedLetter(letter)}`;
  }
  return undefined;
}

function periodComplaint(text: string): string | undefined {
  const slash = text.indexOf("/");
  if (slash < 0) return "missing slash";
  const [start, end] = [text.slice(0, slash), text.slice(slash + 1)];
  const either = (part: string, name: string): string | undefined => {
    const isDuration = part.startsWith("P");
    const complaint = isDuration ? durationComplaint(part) : dateTimeComplaint(part);
    const kind = isDuration ? "duration" : "date-time";
    return complaint && `invalid ${name} ${kind}: ${complaint}`;
  };
  const ofStart = either(start, "start");
  if (ofStart !== undefined || !start.startsWith("P")) return ofStart ?? either(end, "end");
  const complaint = dateTimeComplaint(end);
  return complaint && `invalid end date-time: ${complaint}`;
}

function ipv4Complaint(text: string): string | undefined {
  const groups = text.split(".");
  if (groups.length !== 4) return "expected four decimals";
  for (const group of groups) {
    if (group.length > 1 && group.startsWith("0")) return "leading zeros";
    if (!/^[+-]?\d+$/.test(group)) return `strconv.Atoi: parsing ${goQuote(group)}: invalid syntax`;
    const number = BigInt(group.replace("+", ""));
    if (BigInt.asIntN(64, number) !== number)
      return `strconv.Atoi: parsing ${goQuote(group)}: value out of range`;
    if (number < 0n || number > 255n) return "decimal must be between 0 and 255";
  }
  return undefined;
}

function ipv6FormatComplaint(text: string): string | undefined {
  if (!text.includes(":")) return "missing colon";
  const complaint = ipv6Complaint(text);
  if (complaint !== undefined) return complaint;
  return text.includes("%") ? "zone id is not a part of ipv6 address" : undefined;
}

function hostnameComplaint(text: string): string | undefined {
  const name = text.replace(/\.$/, "");
  if (byteCount(name) > 253) return "more than 253 characters long";
  for (const label of name.split(".")) {
    const length = byteCount(label);
    if (length < 1 || length > 63) return "label must be 1 to 63 characters long";
    if (label.startsWith("-")) return "label starts with hyphen";
    if (label.endsWith("-")) return "label ends with hyphen";
    const [letter] = /[^a-zA-Z\d-]/u.exec(label) ?? [];
    if (letter !== undefined) return `invalid character ${quotedLetter(letter)}`;
  }
  return undefined;
}

function emailComplaint(text: string): string | undefined {
  if (byteCount(text) > 254) return "more than 255 characters long";
  const at = text.lastIndexOf("@");
  if (at < 0) return "missing @";
  const [local, domain] = [text.slice(0, at), text.slice(at + 1)];
  const ofLocal = localPartComplaint(local);
  if (ofLocal !== undefined) return ofLocal;
  if (!(domain.startsWith("[") && domain.endsWith("]"))) {
    const complaint = hostnameComplaint(domain);
    return complaint && `invalid domain: ${complaint}`;
  }
  const address = domain.slice(1, -1);
  const isV6 = address.startsWith("IPv6:");
  const complaint = isV6
    ? ipv6FormatComplaint(address.slice("IPv6:".length))
    : ipv4Complaint(address);
  return complaint && `invalid ${isV6 ? "ipv6" : "ipv4"} address: ${complaint}`;
}

function localPartComplaint(local: string): string | undefined {
  if (byteCount(local) > 64) return "local part more than 64 characters long";
  if (local.length > 1 && local.startsWith('"') && local.endsWith('"'))
    return /[\\"]/.test(local.slice(1, -1))
      ? "backslash and quote are not allowed within quoted local part"
      : undefined;
  if (local.startsWith(".")) return "starts with dot";
  if (local.endsWith(".")) return "ends with dot";
  if (local.includes("..")) return "consecutive dots";
  const [letter] = /[^a-zA-Z\d.!#$%&'*+\-/=?^_`{|}~]/u.exec(local) ?? [];
  return letter && `invalid character ${quotedLetter(letter)}`;
}

function uriComplaint(text: string): string | undefined {
  const complaint = urlComplaint(text);
  if (complaint !== undefined) return complaint;
  return /^[A-Za-z][A-Za-z\d+.-]*:/.test(text) ? undefined : "relative url";
}

function referenceComplaint(text: string): string | undefined {
  return text.includes("\\") ? "contains \\" : urlComplaint(text);
}

function urlComplaint(text: string): string | undefined {
  const url = parseUrl(text);
  if (typeof url === "string") return `parse ${goQuote(text)}: ${url}`;
  const host = hostName(url.host);
  if (!host.includes(":")) return undefined;
  if (!/\[.*\]/.test(url.host)) return "ipv6 address not enclosed in brackets";
  const complaint = ipv6FormatComplaint(host);
  return complaint && `invalid ipv6 address: ${complaint}`;
}

function templateComplaint(text: string): string | undefined {
  const complaint = urlComplaint(text);
  // Escaped braces only count if there are unescaped ones, too.
  if (complaint !== undefined || !/[{}]/.test(text)) return complaint;
  const url = parseUrl(text);
  const path = typeof url === "string" ? "" : url.path;
  for (const segment of path.split("/")) {
    let isOpen = false;
    for (const brace of segment.replace(/[^{}]/g, "")) {
      if ((brace === "{") === isOpen) return "nested curly braces";
      isOpen = !isOpen;
    }
    if (isOpen) return "no matching closing brace";
  }
  return undefined;
}

function semverComplaint(text: string): string | undefined {
  const [, beforeBuild = "", build] = /^([^+]*)(?:\+(.*))?$/s.exec(text) ?? [];
  if (build === "") return "build is empty";
  const [, numbers = "", preRelease] = /^([^-]*)(?:-(.*))?$/s.exec(beforeBuild) ?? [];
  const ofBuild = build === undefined ? undefined : identifiersComplaint(build, "build");
  if (ofBuild !== undefined || preRelease === undefined) return ofBuild ?? coreComplaint(numbers);
  const ofPreRelease = identifiersComplaint(preRelease, "pre-release");
  return ofPreRelease ?? coreComplaint(numbers);
}

function identifiersComplaint(text: string, name: "build" | "pre-release"): string | undefined {
  for (const part of text.split(".")) {
    if (part === "") return `${name} identifier is empty`;
    const [letter] = /[^a-zA-Z\d-]/u.exec(part) ?? [];
    if (letter !== undefined)
      return `invalid character ${quotedLetter(letter)} in ${name} identifier`;
    if (name === "pre-release" && /^0\d+$/.test(part))
      return "pre-release numeric identifier starts with zero";
  }
  return undefined;
}

function coreComplaint(text: string): string | undefined {
  const numbers = text.split(".");
  if (numbers.length !== 3) return "versionCore must have 3 numbers separated by dot";
  for (const [index, name] of ["major", "minor", "patch"].entries()) {
    const number = numbers[index] ?? "";
    if (number === "") return `${name} is empty`;
    if (number.length > 1 && number.startsWith("0")) return `${name} starts with zero`;
    if (/\D/.test(number)) return `${name} contains non-digit`;
  }
  return undefined;
}
