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
    return goExponent(places < 0 ? value.toExponential() : value.toExponential(places));
  const significant = places === 0 ? 1 : places;
  const short = significant < 0 ? value.toExponential() : value.toExponential(significant - 1);
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
  return plainDigits(Number(short));
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
  if (Math.abs(value) < 1e21) return value.toFixed(places);
  return `${BigInt(value)}${places > 0 ? `.${"0".repeat(places)}` : ""}`;
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
  const given = (): GoValue | undefined => args[next++];
  const star = (text: string | undefined): number | undefined => {
    if (text === undefined) return undefined;
    const value = text === "*" ? Number(given() ?? 0) : Number(text || "0");
    return Math.min(Number.isFinite(value) ? value : 0, widthMax);
  };
  const text = format.replace(directive, (_, flags, width, precision, index, verb) => {
    const read = { flags, width: star(width), precision: star(precision) };
    if (verb === undefined) return "%!(NOVERB)";
    if (verb === "%") return "%";
    if (index !== undefined) {
      isReordered = true;
      next = Number(index) - 1;
      if (next < 0 || next >= args.length) return `%!${verb}(BADINDEX)`;
    }
    if (next >= args.length) return `%!${verb}(MISSING)`;
    return formatted(given() ?? null, { ...read, verb }, room);
  });
  if (isReordered || next >= args.length) return text;
  const extra = args.slice(next).map((arg) => (arg === null ? "<nil>" : described(arg)));
  return `${text}%!(EXTRA ${extra.join(", ")})`;
}

function described(value: GoValue): string {
  return `${typeName(value)}=${sprint(value)}`;
}

function formatted(given: GoValue, how: Directive, room: Room): string {
  const { verb, flags } = how;
  if (room.isUsedUp) return "";
  if (verb === "T") return padded(typeName(given), how);
  const value = wholeNumber(given) ?? given;
  if (value === null) return verb === "v" ? padded("<nil>", how) : `%!${verb}(<nil>)`;
  if (isGoList(value) && verb !== "v")
    return `[${value.map((item) => formatted(item, how, room)).join(" ")}]`;
  if (verb === "v")
    return padded(flags.includes("#") ? sharp(value, room) : printedAs(value, how, room), how);
  const text =
    typeof value === "bigint"
      ? integer(value, how)
      : typeof value === "number"
        ? float(value, how)
        : typeof value === "boolean"
          ? verb === "t" && String(value)
          : typeof value === "string"
            ? string(value, how)
            : verb === "s" && printed(value, 0, room);
  return text === false ? `%!${verb}(${described(given)})` : padded(room.take(text), how);
}

function printedAs(value: GoValue, { precision, flags }: Directive, room: Room): string {
  if (typeof value === "number") return signed(formatFloat(value, "g", precision ?? -1), flags);
  return typeof value === "bigint" ? signed(String(value), flags) : printed(value, 0, room);
}

/** As in a program of Go. */
function sharp(value: GoValue, room: Room): string {
  if (room.isUsedUp) return "";
  if (typeof value === "string") return room.take(quoted(value));
  if (value === null) return room.take("interface {}(nil)");
  if (isGoList(value))
    return `${room.take("[]interface {}{")}${value.map((item) => sharp(item, room)).join(", ")}}`;
  if (!isGoMap(value)) return printed(value, 0, room);
  const fields = [...value].sort(([a], [b]) => compareText(a, b));
  const texts = fields.map(([key, field]) => `${quoted(key)}:${sharp(field, room)}`);
  return `${room.take("map[string]interface {}{")}${texts.join(", ")}}`;
}

const bases: Readonly<Record<string, number>> = { d: 10, b: 2, o: 8, O: 8, x: 16, X: 16 };

function integer(value: bigint, { verb, flags }: Directive): string | false {
  if (verb === "c" || verb === "U" || verb === "q") return character(value, verb);
  const base = bases[verb];
  if (base === undefined) return false;
  const digits = (value < 0n ? -value : value).toString(base);
  const prefix = flags.includes("#") && base === 16 ? `0${verb}` : verb === "O" ? "0o" : "";
  const cased = verb === "X" ? digits.toUpperCase() : digits;
  return signed(`${value < 0n ? "-" : ""}${prefix}${cased}`, flags);
}

function character(value: bigint, verb: string): string {
  const code = value >= 0n && value <= 0x10ffffn ? Number(value) : 0xfffd;
  if (verb === "U") return `U+${code.toString(16).toUpperCase().padStart(4, "0")}`;
  const letter = String.fromCodePoint(code);
  return verb === "q" ? `'${letter}'` : letter;
}

function float(value: number, { verb, precision, flags }: Directive): string | false {
  if (verb === "f" || verb === "F") return signed(formatFloat(value, "f", precision ?? 6), flags);
  if (verb === "e") return signed(formatFloat(value, "e", precision ?? 6), flags);
  return verb === "g" && signed(formatFloat(value, "g", precision ?? -1), flags);
}

function string(value: string, { verb, precision, flags }: Directive): string | false {
  const text = precision === undefined ? value : [...value].slice(0, precision).join("");
  if (verb === "s") return text;
  if (verb === "q")
    return flags.includes("#") && !text.includes("`") ? `\`${text}\`` : quoted(text);
  if (verb !== "x" && verb !== "X") return false;
  const hex = [...new TextEncoder().encode(text)]
    .map((byte) => byte.toString(16).padStart(2, "0"))
    .join("");
  return verb === "X" ? hex.toUpperCase() : hex;
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
  const sign = /^[-+]/.test(text) ? text.slice(0, 1) : "";
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
