/** Functions on texts. Upstream: sprig v3 strings.go, functions.go, Go's strings, goutils. */
import { goQuote } from "../../../engine/api/go/text.ts";
import { typed } from "../go-template/type-name.ts";
import { type Call, Failure, type GoValue } from "../go-template/values.ts";
import { byteCount, byteSlice, bytesOf } from "./bytes.ts";
import { lower, swapCase, title, untitle, upper } from "./casing.ts";
import { stringList } from "./go-types.ts";
import { define, defineVariadic, type Named } from "./signature.ts";
import { isSpace, trimSpace, trimWhere } from "./spaces.ts";
import { textOf, textsOf } from "./text-of.ts";
import { connected, pascalCase } from "./word-case.ts";

export const stringFunctions: readonly Named[] = [
  define("hello", [], () => "Hello!"),
  ...letterByLetter("trim", trimSpace),
  define("upper", ["string"], ([text]) => upper(text)),
  define("lower", ["string"], ([text]) => lower(text)),
  ...letterByLetter("title", (text) => title(text)),
  ...letterByLetter("untitle", (text) => untitle(text)),
  ...letterByLetter("swapcase", (text) => swapCase(text)),
  ...letterByLetter("snakecase", (text) => connected(text, "_")),
  ...letterByLetter("kebabcase", (text) => connected(text, "-")),
  ...letterByLetter("camelcase", (text) => pascalCase(text)),
  define("trunc", ["int", "string"], ([count, text]) => truncated(Number(count), text)),
  define("substr", ["int", "int", "string"], ([start, end, text]) =>
    substring(Number(start), Number(end), text),
  ),
  define("repeat", ["int", "string"], ([count, text], call) => repeated(count, text, call)),
  define(
    "trimall",
    ["string", "string"],
    ([set, text], call) => call.charge(text.length) ?? trimSet(set, text),
  ),
  define(
    "trimAll",
    ["string", "string"],
    ([set, text], call) => call.charge(text.length) ?? trimSet(set, text),
  ),
  define("trimSuffix", ["string", "string"], ([suffix, text]) =>
    text.endsWith(suffix) ? text.slice(0, text.length - suffix.length) : text,
  ),
  define("trimPrefix", ["string", "string"], ([prefix, text]) =>
    text.startsWith(prefix) ? text.slice(prefix.length) : text,
  ),
  ...letterByLetter("nospace", withoutSpaces),
  ...letterByLetter("initials", initials),
  define("contains", ["string", "string"], ([part, text]) => text.includes(part)),
  define("hasPrefix", ["string", "string"], ([prefix, text]) => text.startsWith(prefix)),
  define("hasSuffix", ["string", "string"], ([suffix, text]) => text.endsWith(suffix)),
  defineVariadic("quote", [], "any", (_none, call, values) =>
    joined(given(values), " ", (value) => goQuote(textOf(value)), call),
  ),
  defineVariadic("squote", [], "any", (_none, call, values) =>
    joined(given(values), " ", (value) => `'${textOf(value)}'`, call),
  ),
  defineVariadic("cat", [], "any", (_none, call, values) =>
    joined(given(values), " ", textOf, call),
  ),
  define("indent", ["int", "string"], ([spaces, text], call) => indented(spaces, text, call)),
  define("nindent", ["int", "string"], ([spaces, text], call) => {
    const below = indented(spaces, text, call);
    return below instanceof Failure ? below : `\n${below}`;
  }),
  define("replace", ["string", "string", "string"], ([old, replacement, text], call) =>
    replaced(old, replacement, text, call),
  ),
  define("plural", ["string", "string", "int"], ([one, many, count]) =>
    count === 1n ? one : many,
  ),
  define("join", ["string", "any"], ([separator, value], call) =>
    joined(textsOf(value), separator, (text) => text, call),
  ),
  define(
    "splitList",
    ["string", "string"],
    ([separator, text], call) => call.charge(text.length) ?? stringList(splitText(text, separator)),
  ),
  define(
    "split",
    ["string", "string"],
    ([separator, text], call) => call.charge(text.length) ?? numbered(splitText(text, separator)),
  ),
  define(
    "splitn",
    ["string", "int", "string"],
    ([separator, count, text], call) =>
      call.charge(text.length) ?? numbered(splitAtMost(text, separator, Number(count))),
  ),
];

/** Classifying a letter takes as long as printing this many. */
const costOfLetter = 16;

function letterByLetter(name: string, run: (text: string) => string): readonly Named[] {
  return [
    define(
      name,
      ["string"],
      ([text], call) => call.charge(text.length * costOfLetter) ?? run(text),
    ),
  ];
}

/** Counts bytes; a negative count keeps the end. */
function truncated(count: number, text: string): string {
  const length = byteCount(text);
  if (count < 0 && length + count > 0) return byteSlice(text, length + count);
  if (count >= 0 && length > count) return byteSlice(text, 0, count);
  return text;
}

function substring(start: number, end: number, text: string): string | Failure {
  const length = byteCount(text);
  if (start < 0) {
    if (end >= 0 && end <= length) return byteSlice(text, 0, end);
    return new Failure(outOfRange(`:${end}`, end < 0 ? undefined : length));
  }
  if (end < 0 || end > length) {
    if (start <= length) return byteSlice(text, start);
    return new Failure(outOfRange(`${start}:${length}`));
  }
  return start <= end ? byteSlice(text, start, end) : new Failure(outOfRange(`${start}:${end}`));
}

function outOfRange(range: string, length?: number): string {
  const detail = length === undefined ? "" : ` with length ${length}`;
  return `runtime error: slice bounds out of range [${range}]${detail}`;
}

function repeated(count: bigint, text: string, call: Call): string | Failure {
  if (count < 0n) return new Failure("strings: negative Repeat count");
  if (text === "") return "";
  return call.charge(text.length * Number(count)) ?? text.repeat(Number(count));
}

function trimSet(set: string, text: string): string {
  const characters = new Set(set);
  return trimWhere(text, (character) => characters.has(character));
}

/** Byte by byte: if there is any whitespace to remove, each byte of a character becomes a character of its own. */
function withoutSpaces(text: string): string {
  const letters = letterPerByte(text);
  const kept = letters.filter((letter) => !isSpace(letter));
  return kept.length === letters.length ? text : kept.join("");
}

function initials(text: string): string {
  let result = "";
  let isAfterGap = true;
  for (const letter of letterPerByte(text)) {
    const isGap = isSpace(letter);
    if (!isGap && isAfterGap) result += letter;
    isAfterGap = isGap;
  }
  return result;
}

function letterPerByte(text: string): string[] {
  return Array.from(bytesOf(text), (byte) => String.fromCharCode(byte));
}

function given(values: readonly GoValue[]): readonly GoValue[] {
  return values.filter((value) => value !== null);
}

/** Charges for each part as it is added. */
function joined<Value>(
  values: readonly Value[],
  separator: string,
  print: (value: Value) => string,
  call: Call,
): string | Failure {
  const texts: string[] = [];
  for (const value of values) {
    const text = print(value);
    const refused = call.charge(text.length + separator.length);
    if (refused !== undefined) return refused;
    texts.push(text);
  }
  return texts.join(separator);
}

function indented(spaces: bigint, text: string, call: Call): string | Failure {
  if (spaces < 0n) return new Failure("strings: negative Repeat count");
  const lines = text.split("\n");
  const refused = call.charge(text.length + lines.length * Number(spaces));
  if (refused !== undefined) return refused;
  const pad = " ".repeat(Number(spaces));
  return pad + lines.join(`\n${pad}`);
}

function replaced(old: string, replacement: string, text: string, call: Call): string | Failure {
  const parts = splitBetween(text, old);
  return call.charge(text.length + parts.length * replacement.length) ?? parts.join(replacement);
}

/** With an empty separator, there are empty parts at the start and the end. */
function splitBetween(text: string, separator: string): readonly string[] {
  return separator === "" ? ["", ...text, ""] : text.split(separator);
}

/** Upstream: strings.Split; an empty separator splits into characters. */
function splitText(text: string, separator: string): string[] {
  return separator === "" ? [...text] : text.split(separator);
}

/** Upstream: strings.SplitN, whose last part holds the rest. */
function splitAtMost(text: string, separator: string, count: number): string[] {
  if (count === 0) return [];
  const parts = splitText(text, separator);
  if (count < 0 || parts.length <= count) return parts;
  return [...parts.slice(0, count - 1), parts.slice(count - 1).join(separator)];
}

function numbered(parts: readonly string[]): GoValue {
  return typed(new Map(parts.map((part, index) => [`_${index}`, part])), "map[string]string");
}
