/** Prints values. Upstream: Go 1.25 fmt/print.go. */
import { compareText } from "../../../engine/api/go/text-order.ts";
import { formatFloat } from "./float-text.ts";
import { type Format, floatBy, integerBy, padded, paddedText, textBy } from "./print-format.ts";
import { typeName } from "./type-name.ts";
import { type GoValue, isGoList, isGoMap, isGoObject, wholeNumber } from "./values.ts";

/** Like `%v`. `nil` is how a nil value is printed; within maps and lists it is always `<nil>`. */
export function sprint(value: GoValue, nil = "<nil>"): string {
  return value === null ? nil : printed(value, 0, new Room());
}

/** By `set`, a map can contain itself; Go would never finish. */
const depthMax = 100;

/**
 * How much one call may still print. A map can contain another one twice, that one another one twice, and so on: output that is
 * too long for any manifest is cut, and the caller is charged for what was printed.
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

/** Like `fmt.Sprint`: puts a space between two operands that are not texts. */
export function sprintAll(values: readonly GoValue[]): string {
  return values
    .map((value, index) => {
      const before = values[index - 1];
      const isApart = index > 0 && typeof before !== "string" && typeof value !== "string";
      return `${isApart ? " " : ""}${sprint(value)}`;
    })
    .join("");
}

/** Like `fmt.Sprintf`, including its error texts. */
export function sprintf(format: string, args: readonly GoValue[]): string {
  return new Printing(format, args).whole();
}

/** Wider padding is never useful. */
const sizeMax = 1000;
/** Upstream: print.go tooLarge. */
const numberMax = 1_000_000;

/** Upstream: print.go doPrintf. */
class Printing {
  readonly #format: string;
  readonly #args: readonly GoValue[];
  readonly #room = new Room();
  /** No index ends after this offset. */
  readonly #lastBracket: number;
  #at = 0;
  #next = 0;
  #isReordered = false;
  /** True if an index has been read and not used yet. */
  #isBehindIndex = false;
  /** False if the current directive has an invalid index, or one in the wrong place. */
  #hasGoodIndex = true;
  #complaints = "";

  constructor(format: string, args: readonly GoValue[]) {
    this.#format = format;
    this.#args = args;
    this.#lastBracket = format.lastIndexOf("]");
  }

  whole(): string {
    const texts: string[] = [];
    for (;;) {
      const open = this.#format.indexOf("%", this.#at);
      texts.push(this.#format.slice(this.#at, open < 0 ? undefined : open));
      if (open < 0) break;
      this.#at = open + 1;
      texts.push(this.#directive());
    }
    return texts.join("") + this.#extra();
  }

  #directive(): string {
    this.#hasGoodIndex = true;
    this.#complaints = "";
    const flags = this.#take(/[-+ #0]*/y);
    this.#isBehindIndex = this.#index();
    const width = this.#width();
    const precision = this.#take(/\.(?=[\s\S])/y) === "" ? undefined : this.#precision();
    if (!this.#isBehindIndex) this.#index();
    const [verb] = this.#format.slice(this.#at, this.#at + 2);
    if (verb === undefined) return `${this.#complaints}%!(NOVERB)`;
    this.#at += verb.length;
    if (verb === "%") return `${this.#complaints}%`;
    if (!this.#hasGoodIndex) return `${this.#complaints}%!${verb}(BADINDEX)`;
    if (this.#next >= this.#args.length) return `${this.#complaints}%!${verb}(MISSING)`;
    const arg = this.#args[this.#next++] ?? null;
    return this.#complaints + argument(arg, formatOf(verb, flags, width, precision), this.#room);
  }

  /** A negative width pads on the right. */
  #width(): number | undefined {
    if (this.#take(/\*/y) === "*") {
      const given = this.#given();
      if (given === undefined) this.#complaints += "%!(BADWIDTH)";
      return given;
    }
    const width = this.#number();
    // "%[3]2d" is not a valid directive.
    if (this.#isBehindIndex && width !== undefined) this.#hasGoodIndex = false;
    return width;
  }

  /** A point alone means precision 0. */
  #precision(): number | undefined {
    if (this.#isBehindIndex) this.#hasGoodIndex = false;
    this.#isBehindIndex = this.#index();
    if (this.#take(/\*/y) !== "*") return this.#number() ?? 0;
    const given = this.#given();
    if (given !== undefined && given >= 0) return given;
    this.#complaints += "%!(BADPREC)";
    return undefined;
  }

  /** A star takes an int from the arguments. Upstream: print.go intFromArg. */
  #given(): number | undefined {
    this.#isBehindIndex = false;
    const given = wholeNumber(this.#args[this.#next++]);
    return given !== undefined && given >= -numberMax && given <= numberMax
      ? Number(given)
      : undefined;
  }

  /** A number that is too large ends the reading. Upstream: print.go parsenum. */
  #number(): number | undefined {
    const digits = this.#take(/\d*/y);
    if (digits !== "" && Number(digits) <= numberMax) return Number(digits);
    if (digits !== "") this.#at = this.#format.length;
    return undefined;
  }

  /** Reads an index such as `[3]`, which selects the third argument; false if there is none. Upstream: print.go argNumber. */
  #index(): boolean {
    if (this.#format[this.#at] !== "[") return false;
    this.#isReordered = true;
    if (this.#at > this.#lastBracket) {
      this.#at++;
      this.#hasGoodIndex = false;
      return false;
    }
    const end = this.#format.indexOf("]", this.#at);
    const inside = this.#format.slice(this.#at + 1, end);
    this.#at = end + 1;
    const isNumber = /^\d{1,9}$/.test(inside);
    const index = Number(inside) - 1;
    if (isNumber && index >= 0 && index < this.#args.length) this.#next = index;
    else this.#hasGoodIndex = false;
    return isNumber;
  }

  #extra(): string {
    if (this.#isReordered || this.#next >= this.#args.length) return "";
    const extra = this.#args
      .slice(this.#next)
      .map((arg) => (arg === null ? "<nil>" : `${typeName(arg)}=${sprint(arg)}`));
    return `%!(EXTRA ${extra.join(", ")})`;
  }

  #take(pattern: RegExp): string {
    pattern.lastIndex = this.#at;
    const [found = ""] = pattern.exec(this.#format) ?? [];
    this.#at += found.length;
    return found;
  }
}

function formatOf(
  verb: string,
  flags: string,
  width: number | undefined,
  precision: number | undefined,
): Format {
  const isPlain = verb === "v" || verb === "w";
  const isNegative = width !== undefined && width < 0;
  return {
    verb,
    width: width && Math.min(Math.abs(width), sizeMax),
    precision: precision && Math.min(precision, sizeMax),
    hasSharp: flags.includes("#") && !isPlain,
    isOfProgram: flags.includes("#") && isPlain,
    // In `%+v`, the plus only concerns the fields of structs.
    hasPlus: flags.includes("+") && !isPlain,
    hasSpace: flags.includes(" "),
    isLeft: isNegative || flags.includes("-"),
    hasZero: flags.includes("0"),
  };
}

/** Upstream: print.go printArg. */
function argument(value: GoValue, format: Format, room: Room): string {
  const { verb } = format;
  if (room.isUsedUp) return "";
  if (value === null)
    return verb === "v" || verb === "T" ? padded("<nil>", format) : `%!${verb}(<nil>)`;
  if (verb === "T") return room.take(paddedText(typeName(value), format));
  // `%w` is for errors, and no value is one.
  if (verb === "w") return refused(value, format, 0, room);
  return part(value, format, 0, room);
}

/** Upstream: print.go badVerb. */
function refused(value: GoValue, format: Format, depth: number, room: Room): string {
  const inside = part(value, { ...format, verb: "v" }, depth, room);
  return `%!${format.verb}(${typeName(value)}=${inside})`;
}

/** In a list or map, each part is printed this way. Upstream: print.go printValue. */
function part(value: GoValue, format: Format, depth: number, room: Room): string {
  if (depth > depthMax || room.isUsedUp) return room.take("...");
  const { isOfProgram } = format;
  if (value === null) return room.take(isOfProgram ? "interface {}(nil)" : "<nil>");
  const inside = (item: GoValue): string => part(item, format, depth + 1, room);
  const [open, close, between] = isOfProgram
    ? [`${typeName(value)}{`, "}", ", "]
    : [isGoMap(value) ? "map[" : "[", "]", " "];
  if (isGoList(value)) return room.take(open) + value.map(inside).join(between) + close;
  if (isGoMap(value)) {
    const fields = [...value].sort(([a], [b]) => compareText(a, b));
    const texts = fields.map(([key, field]) => `${inside(key)}:${inside(field)}`);
    return room.take(open) + texts.join(between) + close;
  }
  const text = single(value, format);
  return text === undefined ? refused(value, format, depth, room) : room.take(text);
}

/** Undefined if the verb does not apply to the value. */
function single(value: GoValue, format: Format): string | undefined {
  const whole = wholeNumber(value);
  if (whole !== undefined) return integerBy(format, whole, typeName(value) === "uint64");
  if (typeof value === "number") return floatBy(format, value);
  if (typeof value === "string") return textBy(format, value);
  if (typeof value === "boolean")
    return format.verb === "v" || format.verb === "t" ? padded(String(value), format) : undefined;
  // A value with its own text form is printed as that text.
  return isGoObject(value) ? textBy({ ...format, isOfProgram: false }, value.print()) : undefined;
}
