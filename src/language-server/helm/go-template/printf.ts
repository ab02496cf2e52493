/** Prints values. Upstream: Go 1.25 fmt/print.go and fmt/format.go, with strconv.FormatFloat. */
import { compareText } from "../../../engine/api/go/text-order.ts";
import { typeName } from "./type-name.ts";
import { type GoValue, isGoList, isGoMap, isGoObject, wholeNumber } from "./values.ts";

/** As `%v`. `nil` is how nil is printed: inside of maps and lists it is always `<nil>`. */
export function sprint(value: GoValue, nil = "<nil>"): string {
  return value === null ? nil : printed(value, 0, new Room());
}

/** A map can hold itself by way of `set`; Go would never come to an end. */
const depthMax = 100;

/**
 * How much one call may still print. A map can hold another one twice, that one another one twice, and so on: what is too long
 * for any manifest is cut, and whoever asked for it pays for what was printed.
 */
class Room {
  #left = 4_000_000;

  take(text: string): string {
    if (this.#left < 0) return "";
    this.#left -= text.length;
    return text;
  }

  get isUsedUp(): boolean {
    return this.#left < 0;
  }
}

function printed(value: GoValue, depth: number, room: Room): string {
  if (value === null) return room.take("<nil>");
  if (typeof value === "string") return room.take(value);
  if (typeof value === "number") return room.take(formatFloat(value, "g", -1));
  if (depth > depthMax || room.isUsedUp) return room.take("...");
  if (isGoList(value)) {
    room.take("[]");
    return `[${value.map((item) => printed(item, depth + 1, room)).join(" ")}]`;
  }
  if (isGoMap(value)) {
    room.take("map[]");
    const fields = [...value].sort(([a], [b]) => compareText(a, b));
    const texts = fields.map(
      ([key, field]) => `${room.take(key)}:${printed(field, depth + 1, room)}`,
    );
    return `map[${texts.join(" ")}]`;
  }
  return room.take(isGoObject(value) ? value.print() : String(value));
}

/** As `strconv.FormatFloat(value, verb, precision, 64)`; -1 takes as many digits as are needed. */
export function formatFloat(value: number, verb: "e" | "f" | "g", precision: number): string {
  if (Number.isNaN(value)) return "NaN";
  if (!Number.isFinite(value)) return value < 0 ? "-Inf" : "+Inf";
  const places = Math.min(Math.max(precision, -1), 100);
  if (verb === "f") return places < 0 ? plainDigits(value) : toFixed(value, places);
  if (verb === "e")
    return goExponent(places < 0 ? value.toExponential() : toExponential(value, places));
  const significant = places === 0 ? 1 : places;
  const short = significant < 0 ? value.toExponential() : toExponential(value, significant - 1);
  const [mantissa = "", power = "0"] = short.split("e");
  const digits = mantissa.replace(/[-.]/g, "").replace(/0+$/, "") || "0";
  const exponent = Number(power);
  // Upstream: strconv/ftoa.go, where the shortest digits go by a precision of six.
  const isShort = significant > digits.length && digits.length >= exponent + 1;
  const limit = significant < 0 ? 6 : isShort ? digits.length : significant;
  const sign = value < 0 || Object.is(value, -0) ? "-" : "";
  if (exponent < -4 || exponent >= limit) {
    const rest = digits.slice(1);
    return goExponent(`${sign}${digits[0]}${rest === "" ? "" : `.${rest}`}e${power}`);
  }
  return sign + plainDigits(Math.abs(Number(short)));
}

/** Two digits of exponent at least. */
function goExponent(text: string): string {
  return text.replace(/e([-+])(\d)$/, "e$10$2");
}

/** Without an exponent, whatever its size. */
function plainDigits(value: number): string {
  const [mantissa = "", power = "0"] = value.toExponential().split("e");
  const sign = value < 0 || Object.is(value, -0) ? "-" : "";
  const digits = mantissa.replace(/[-.]/g, "");
  const point = Number(power) + 1;
  if (point <= 0) return `${sign}0.${"0".repeat(-point)}${digits}`;
  if (point >= digits.length) return `${sign}${digits.padEnd(point, "0")}`;
  return `${sign}${digits.slice(0, point)}.${digits.slice(point)}`;
}

/** JavaScript's own changes to exponents from 1e21 on, where all digits before the point are exact. */
function toFixed(value: number, places: number): string {
  if (Math.abs(value) < 1e21)
    return evenHalf(value.toFixed(places), value.toFixed(exactPlaces(places)));
  return `${BigInt(value)}${places > 0 ? `.${"0".repeat(places)}` : ""}`;
}

function toExponential(value: number, places: number): string {
  const [long = "", power = ""] = value.toExponential(exactPlaces(places)).split("e");
  const [short = "", shortPower = power] = value.toExponential(places).split("e");
  return power === shortPower ? `${evenHalf(short, long)}e${power}` : `${short}e${shortPower}`;
}

/** As many digits as show whether a number lies in the middle between two. */
function exactPlaces(places: number): number {
  return Math.min(places + 60, 100);
}

/** What lies in the middle is rounded to the even digit by Go, and always up by JavaScript. */
function evenHalf(rounded: string, exact: string): string {
  const kept = exact.slice(0, rounded.length).replace(/\.$/, "");
  const isHalf = /^\.?50*$/.test(exact.slice(kept.length));
  return isHalf && /[02468]$/.test(kept) ? kept : rounded;
}

/** As `fmt.Sprint`: a space between two that are no texts. */
export function sprintAll(values: readonly GoValue[]): string {
  return values
    .map((value, index) => {
      const before = values[index - 1];
      const isApart = index > 0 && typeof before !== "string" && typeof value !== "string";
      return `${isApart ? " " : ""}${sprint(value)}`;
    })
    .join("");
}

interface Directive {
  readonly flags: string;
  readonly width: number | undefined;
  readonly precision: number | undefined;
  readonly verb: string;
}

const directive = /%([-+ #0]*)(\*|\d+)?(?:\.(\*|\d*))?(?:\[(\d+)\])?([\s\S])?/gu;
/** What nobody pads further. */
const widthMax = 1000;

/** As `fmt.Sprintf`, mistakes included. */
export function sprintf(format: string, args: readonly GoValue[]): string {
  let next = 0;
  let isReordered = false;
  const room = new Room();
  /** A star stands for an int among the arguments. */
  const count = (text: string | undefined, complaint: string): Count => {
    if (text !== "*") return { size: sizeOf(text), complaint: "" };
    const given = wholeNumber(args[next++]);
    if (given === undefined) return { size: undefined, complaint };
    return { size: Math.min(Math.max(Number(given), -widthMax), widthMax), complaint: "" };
  };
  const text = format.replace(directive, (_, flags, width, precision, index, verb) => {
    const wide = count(width, "%!(BADWIDTH)");
    const precise = count(precision, "%!(BADPREC)");
    const complaints = wide.complaint + precise.complaint;
    if (verb === undefined) return `${complaints}%!(NOVERB)`;
    if (verb === "%") return `${complaints}%`;
    if (index !== undefined) {
      isReordered = true;
      next = Number(index) - 1;
      if (next < 0 || next >= args.length) return `${complaints}%!${verb}(BADINDEX)`;
    }
    if (next >= args.length) return `${complaints}%!${verb}(MISSING)`;
    const how = { flags, width: wide.size, precision: precise.size, verb };
    return complaints + formatted(args[next++] ?? null, how, room);
  });
  if (isReordered || next >= args.length) return text;
  const extra = args.slice(next).map((arg) => (arg === null ? "<nil>" : described(arg)));
  return `${text}%!(EXTRA ${extra.join(", ")})`;
}

interface Count {
  readonly size: number | undefined;
  readonly complaint: string;
}

function sizeOf(text: string | undefined): number | undefined {
  return text === undefined ? undefined : Math.min(Number(text || "0"), widthMax);
}

function described(value: GoValue): string {
  return `${typeName(value)}=${sprint(value)}`;
}

function formatted(value: GoValue, how: Directive, room: Room): string {
  const { verb, flags } = how;
  if (room.isUsedUp) return "";
  if (verb === "T") return padded(typeName(value), how);
  if (value === null) return verb === "v" ? padded("<nil>", how) : `%!${verb}(<nil>)`;
  if (verb === "v" && flags.includes("#")) return padded(sharp(value, room), how);
  // The sign is of `%+d` alone.
  return part(value, verb === "v" ? { ...how, flags: flags.replaceAll("+", "") } : how, 0, room);
}

/** Of a list or a map each part is printed so. */
function part(given: GoValue, how: Directive, depth: number, room: Room): string {
  if (depth > depthMax || room.isUsedUp) return room.take("...");
  if (given === null) return room.take("<nil>");
  const inside = (item: GoValue): string => part(item, how, depth + 1, room);
  if (isGoList(given)) return `${room.take("[")}${given.map(inside).join(" ")}]`;
  if (isGoMap(given)) {
    const fields = [...given].sort(([a], [b]) => compareText(a, b));
    const texts = fields.map(([key, field]) => `${inside(key)}:${inside(field)}`);
    return `${room.take("map[")}${texts.join(" ")}]`;
  }
  const value = wholeNumber(given) ?? given;
  const text = verbatim(value, how);
  if (text !== undefined) return padded(room.take(text), how);
  const { verb } = how;
  return `%!${verb}(${typeName(given)}=${part(given, { ...how, verb: "v" }, depth, room)})`;
}

/** Undefined where the verb is not for such a value. */
function verbatim(value: GoValue, how: Directive): string | undefined {
  if (typeof value === "bigint") return integer(value, how);
  if (typeof value === "number") return float(value, how);
  if (typeof value === "string") return string(value, how);
  const isText = how.verb === "v" || how.verb === (typeof value === "boolean" ? "t" : "s");
  return isText ? sprint(value) : undefined;
}

/** As in a program of Go. */
function sharp(value: GoValue, room: Room): string {
  if (room.isUsedUp) return "";
  if (typeof value === "string") return room.take(quoted(value));
  if (value === null) return room.take("interface {}(nil)");
  if (isGoList(value)) {
    const items = value.map((item) => sharp(item, room));
    return `${room.take(typeName(value))}{${items.join(", ")}}`;
  }
  if (!isGoMap(value)) return printed(value, 0, room);
  const fields = [...value].sort(([a], [b]) => compareText(a, b));
  const texts = fields.map(([key, field]) => `${quoted(key)}:${sharp(field, room)}`);
  return `${room.take(typeName(value))}{${texts.join(", ")}}`;
}

const bases: Readonly<Record<string, number>> = { d: 10, b: 2, o: 8, O: 8, x: 16, X: 16 };

function integer(value: bigint, { verb, flags, precision }: Directive): string | undefined {
  if (verb === "c" || verb === "U" || verb === "q") return character(value, verb);
  const base = verb === "v" ? 10 : bases[verb];
  if (base === undefined) return undefined;
  const digits = (value < 0n ? -value : value).toString(base).padStart(precision ?? 0, "0");
  const prefix = verb === "O" ? "0o" : flags.includes("#") ? (prefixes[verb] ?? "") : "";
  const cased = verb === "X" ? digits.toUpperCase() : digits;
  return signed(`${value < 0n ? "-" : ""}${prefix}${cased}`, flags);
}

const prefixes: Readonly<Record<string, string>> = { b: "0b", o: "0", x: "0x", X: "0X" };

function character(value: bigint, verb: string): string {
  const code = value >= 0n && value <= 0x10ffffn ? Number(value) : 0xfffd;
  if (verb === "U") return `U+${code.toString(16).toUpperCase().padStart(4, "0")}`;
  const letter = String.fromCodePoint(code);
  return verb === "q" ? quotedLetter(letter) : letter;
}

/** As `strconv.QuoteRune`. */
export function quotedLetter(letter: string): string {
  if (letter === "'") return "'\\''";
  return letter === '"' ? `'"'` : `'${quoted(letter).slice(1, -1)}'`;
}

function float(value: number, { verb, precision, flags }: Directive): string | undefined {
  switch (verb) {
    case "f":
    case "F":
      return signed(formatFloat(value, "f", precision ?? 6), flags);
    case "e":
    case "E":
      return signed(cased(formatFloat(value, "e", precision ?? 6), verb), flags);
    case "g":
    case "G":
    case "v":
      return signed(cased(formatFloat(value, "g", precision ?? -1), verb), flags);
    case "x":
    case "X":
      return signed(cased(hexadecimal(value), verb), flags);
    default:
      return undefined;
  }
}

function cased(text: string, verb: string): string {
  return verb === verb.toUpperCase() ? text.toUpperCase() : text;
}

/** Upstream: strconv/ftoa.go fmtX with as many digits as are needed. */
function hexadecimal(value: number): string {
  if (!Number.isFinite(value)) return formatFloat(value, "g", -1);
  const sign = value < 0 || Object.is(value, -0) ? "-" : "";
  let [mantissa, power] = [Math.abs(value), 0];
  while (mantissa >= 2) [mantissa, power] = [mantissa / 2, power + 1];
  while (mantissa > 0 && mantissa < 1) [mantissa, power] = [mantissa * 2, power - 1];
  const exponent = `${power < 0 ? "-" : "+"}${String(Math.abs(power)).padStart(2, "0")}`;
  return `${sign}0x${mantissa.toString(16)}p${exponent}`;
}

function string(value: string, { verb, precision, flags }: Directive): string | undefined {
  const text = precision === undefined ? value : [...value].slice(0, precision).join("");
  if (verb === "s" || verb === "v") return text;
  if (verb === "q")
    return flags.includes("#") && !text.includes("`") ? `\`${text}\`` : quoted(text);
  if (verb !== "x" && verb !== "X") return undefined;
  const bytes = [...new TextEncoder().encode(text)].map((byte) =>
    byte.toString(16).padStart(2, "0"),
  );
  const prefix = flags.includes("#") && bytes.length > 0 ? "0x" : "";
  const hex = flags.includes(" ")
    ? bytes.map((byte) => prefix + byte).join(" ")
    : prefix + bytes.join("");
  return cased(hex, verb);
}

function signed(text: string, flags: string): string {
  if (/^[-+]/.test(text)) return text;
  return flags.includes("+") ? `+${text}` : flags.includes(" ") ? ` ${text}` : text;
}

function padded(text: string, { flags, width = 0 }: Directive): string {
  const count = Math.abs(width) - [...text].length;
  if (count <= 0) return text;
  if (flags.includes("-") || width < 0) return text + " ".repeat(count);
  if (!flags.includes("0")) return " ".repeat(count) + text;
  const sign = /^[-+ ]/.test(text) ? text.slice(0, 1) : "";
  return sign + "0".repeat(count) + text.slice(sign.length);
}

const shortEscapes: ReadonlyMap<string, string> = new Map([
  ["\x07", "\\a"],
  ["\b", "\\b"],
  ["\f", "\\f"],
  ["\n", "\\n"],
  ["\r", "\\r"],
  ["\t", "\\t"],
  ["\v", "\\v"],
  ["\\", "\\\\"],
  ['"', '\\"'],
]);

/** As `strconv.Quote`. */
export function quoted(text: string): string {
  const inner = text.replace(/["\\]|[^\p{L}\p{M}\p{N}\p{P}\p{S} ]/gu, (letter) => {
    const short = shortEscapes.get(letter);
    if (short !== undefined) return short;
    const code = letter.codePointAt(0) ?? 0;
    if (code < 0x80) return `\\x${code.toString(16).padStart(2, "0")}`;
    if (code > 0xffff) return `\\U${code.toString(16).padStart(8, "0")}`;
    return `\\u${code.toString(16).padStart(4, "0")}`;
  });
  return `"${inner}"`;
}
