/** IPv6 addresses. Upstream: Go's net/netip ParseAddr. */
import { goQuote } from "../../../engine/api/go/text.ts";

/** Why a text is not an address, in Go's words; IPv4 addresses are valid, too. */
export function ipv6Complaint(text: string): string | undefined {
  const refused = (why: string, at?: string): string =>
    `ParseAddr(${goQuote(text)}): ${why}${at === undefined ? "" : ` (at ${goQuote(at)})`}`;
  // The first separator decides the kind of address.
  if (/^[^.:%]*\./.test(text)) return ipv4Misread(text, refused);
  if (/^[^.:%]*%/.test(text)) return refused("missing IPv6 address");
  if (!text.includes(":")) return refused("unable to parse IP");
  const zone = text.indexOf("%");
  if (zone === text.length - 1) return refused("zone must be a non-empty string");
  return fieldsComplaint(zone < 0 ? text : text.slice(0, zone), refused);
}

type Refused = (why: string, at?: string) => string;

function fieldsComplaint(address: string, refused: Refused): string | undefined {
  let hasEllipsis = address.startsWith("::");
  let rest = hasEllipsis ? address.slice(2) : address;
  let count = 0;
  while (count < 8 && !(rest === "" && hasEllipsis)) {
    const field = readField(rest, refused);
    if (typeof field === "string") return field;
    if (rest[field.length] === ".")
      return lastFieldsComplaint(rest, { count, hasEllipsis }, refused);
    count++;
    rest = rest.slice(field.length);
    if (rest === "") break;
    if (!rest.startsWith(":")) return refused("unexpected character, want colon", rest);
    if (rest.length === 1) return refused("colon must be followed by more characters", rest);
    rest = rest.slice(1);
    if (!rest.startsWith(":")) continue;
    if (hasEllipsis) return refused("multiple :: in address", rest);
    hasEllipsis = true;
    rest = rest.slice(1);
  }
  if (rest !== "") return refused("trailing garbage after address", rest);
  if (count < 8) return hasEllipsis ? undefined : refused("address string too short");
  return hasEllipsis ? refused("the :: must expand to at least one field of zeros") : undefined;
}

/** Returns the length of the field, or a text if it is invalid. */
function readField(rest: string, refused: Refused): { readonly length: number } | string {
  const [digits = ""] = /^[\da-fA-F]*/.exec(rest) ?? [];
  if (digits === "")
    return refused("each colon-separated field must have at least one digit", rest);
  if (digits.length > 4) return refused("each group must have 4 or less digits", rest);
  return { length: digits.length };
}

/** An IPv4 address may replace the last two fields. */
function lastFieldsComplaint(
  rest: string,
  { count, hasEllipsis }: { readonly count: number; readonly hasEllipsis: boolean },
  refused: Refused,
): string | undefined {
  if (!hasEllipsis && count !== 6)
    return refused("embedded IPv4 address must replace the final 2 fields of the address", rest);
  if (count > 6)
    return refused("too many hex fields to fit an embedded IPv4 at the end of the address", rest);
  const complaint = ipv4Misread(rest, refused);
  if (complaint !== undefined) return complaint;
  return count === 6 && hasEllipsis
    ? refused("the :: must expand to at least one field of zeros")
    : undefined;
}

function ipv4Misread(text: string, refused: Refused): string | undefined {
  let value = 0;
  let position = 0;
  let digits = 0;
  let at = 0;
  for (const letter of text) {
    if (/\d/.test(letter)) {
      if (digits === 1 && value === 0) return refused("IPv4 field has octet with leading zero");
      value = value * 10 + Number(letter);
      digits++;
      if (value > 255) return refused("IPv4 field has value >255");
    } else if (letter === ".") {
      const isLast = at === text.length - 1;
      if (at === 0 || isLast || text[at - 1] === ".")
        return refused("IPv4 field must have at least one digit", text.slice(at));
      if (position === 3) return refused("IPv4 address too long");
      position++;
      value = 0;
      digits = 0;
    } else return refused("unexpected character", text.slice(at));
    at += letter.length;
  }
  return position < 3 ? refused("IPv4 address too short") : undefined;
}
