/**
 * Regular expressions, in linear time (`go-pattern.ts`). Upstream: sprig v3 regex.go, Go's regexp: FindAllString, Split,
 * ReplaceAllString with Expand.
 */
import type { RE2JS } from "re2js";
import { goQuote } from "../../../engine/api/go/text.ts";
import { readGoPattern } from "../../go-pattern.ts";
import { type Call, Failure, type GoValue } from "../go-template/values.ts";
import { nilList, stringList } from "./go-types.ts";
import { define, mustName, type Named } from "./signature.ts";

export const regexFunctions: readonly Named[] = [
  ...regexFunction(
    "regexMatch",
    ["string"],
    (regex, [text]) => regex.matches(text),
    () => false,
  ),
  ...regexFunction("regexFind", ["string"], (regex, [text], call) => {
    const found = regex.matchesIn(text, 1, call);
    if (found instanceof Failure) return found;
    const [match] = found;
    return match === undefined ? "" : text.slice(match.start, match.end);
  }),
  ...regexFunction("regexReplaceAll", ["string", "string"], (regex, [text, template], call) =>
    replaced(
      regex,
      text,
      call,
      (match) => call.charge(template.length) ?? expanded(template, match, text),
    ),
  ),
  ...regexFunction("regexReplaceAllLiteral", ["string", "string"], (regex, [text, literal], call) =>
    replaced(regex, text, call, () => literal),
  ),
  ...counting("regexFindAll", (regex, text, count, call) => {
    const found = regex.matchesIn(text, count, call);
    return found instanceof Failure ? found : found.map(({ start, end }) => text.slice(start, end));
  }),
  ...counting("regexSplit", split),
  define("regexQuoteMeta", ["string"], ([text]) => text.replace(/[\\.+*?()|[\]{}^$]/g, "\\$&")),
];

interface Match {
  readonly start: number;
  readonly end: number;
  /** Undefined for a group that did not take part in the match. */
  group(name: string): string | undefined;
}

type Texts<Types extends readonly "string"[]> = { [Index in keyof Types]: string };

type Run<Types extends readonly "string"[]> = (
  regex: Regex,
  texts: Texts<Types>,
  call: Call,
) => GoValue | Failure;

/** The result of a function for an invalid pattern. */
type OnBadPattern = (pattern: string, message: string) => GoValue | Failure;

/** Upstream: regexp.MustCompile. */
function panics(pattern: string, message: string): Failure {
  const isBare = !pattern.includes("`") && !/[^\P{Cc}\t]/u.test(pattern);
  const quoted = isBare ? `\`${pattern}\`` : goQuote(pattern);
  return new Failure(`regexp: Compile(${quoted}): ${message}`);
}

function fails(_pattern: string, message: string): Failure {
  return new Failure(message);
}

/** The function, and the same one prefixed with `must`. */
function regexFunction<const Types extends readonly "string"[]>(
  name: string,
  types: Types,
  run: Run<Types>,
  onBadPattern: OnBadPattern = panics,
): readonly Named[] {
  const withPattern = (either: string, onBad: OnBadPattern): Named =>
    define(either, ["string", ...types], ([pattern, ...texts], call) => {
      const regex = regexOf(pattern, texts[0] ?? "", call);
      if (regex instanceof Failure) return regex;
      if (regex instanceof BadPattern) return onBad(pattern, regex.message);
      return run(regex, texts as unknown as Texts<Types>, call);
    });
  return [withPattern(name, onBadPattern), withPattern(mustName(name), fails)];
}

/** The same for functions with a maximum number of results. */
function counting(
  name: string,
  run: (regex: Regex, text: string, count: number, call: Call) => readonly string[] | Failure,
): readonly Named[] {
  const counted = (either: string, onBad: OnBadPattern): Named =>
    define(either, ["string", "string", "int"], ([pattern, text, count], call) => {
      const regex = regexOf(pattern, text, call);
      if (regex instanceof Failure) return regex;
      if (regex instanceof BadPattern) return onBad(pattern, regex.message);
      const texts = run(regex, text, Number(count), call);
      if (texts instanceof Failure) return texts;
      return texts.length === 0 ? nilList("[]string") : stringList(texts);
    });
  return [counted(name, panics), counted(mustName(name), fails)];
}

class BadPattern {
  readonly message: string;

  constructor(message: string) {
    this.message = message;
  }
}

/** Extracting a group takes as long as printing this many letters. */
const costOfGroup = 16;
/** A program takes a step per instruction and letter; this many steps are charged as one letter. */
const lettersPerCharge = 100;
/** Cost of compiling, per instruction. */
const costOfInstruction = 16;
/** Nested repetitions take this long before the pattern is found to be too large. */
const costOfBadPattern = 65_536;

class Regex {
  readonly #regex: RE2JS;
  /** Number of instructions. */
  readonly size: number;

  constructor(regex: RE2JS) {
    this.#regex = regex;
    this.size = regex.programSize();
  }

  matches(text: string): boolean {
    return this.#regex.test(text);
  }

  /** At most `count` matches; all if it is negative. An empty match never directly follows another match. */
  matchesIn(text: string, count: number, call: Call): readonly Match[] | Failure {
    const matches: Match[] = [];
    const matcher = this.#regex.matcher(text);
    const names = this.#regex.namedGroups();
    let previousEnd = -1;
    while (matches.length !== count && matcher.find()) {
      const [start, end] = [matcher.start(), matcher.end()];
      if (start === end && start === previousEnd) continue;
      previousEnd = end;
      const groupCount = matcher.groupCount() + 1;
      const refused = call.charge(groupCount * costOfGroup);
      if (refused !== undefined) return refused;
      const groups = Array.from({ length: groupCount }, (_, index) => matcher.group(index));
      matches.push({
        start,
        end,
        group: (name) => {
          const index = /^\d+$/.test(name) ? Number(name) : names[name];
          return index === undefined ? undefined : (groups[index] ?? undefined);
        },
      });
    }
    return matches;
  }
}

/** The same few patterns are used again and again. */
const known = new Map<string, Regex | BadPattern>();
const knownCountMax = 100;

function regexOf(pattern: string, text: string, call: Call): Regex | BadPattern | Failure {
  const refused = call.charge(1 + text.length);
  if (refused !== undefined) return refused;
  let regex = known.get(pattern);
  if (regex === undefined) {
    if (known.size >= knownCountMax) known.clear();
    regex = compiled(pattern);
    known.set(pattern, regex);
  }
  if (regex instanceof BadPattern) return call.charge(costOfBadPattern) ?? regex;
  // Charged even if cached, because what is cached depends on chance.
  const { size } = regex;
  return (
    call.charge(size * (costOfInstruction + Math.floor(text.length / lettersPerCharge))) ?? regex
  );
}

function compiled(pattern: string): Regex | BadPattern {
  const read = readGoPattern(pattern);
  return typeof read === "string" ? new BadPattern(read) : new Regex(read);
}

function replaced(
  regex: Regex,
  text: string,
  call: Call,
  replacement: (match: Match) => string | Failure,
): string | Failure {
  let result = "";
  let at = 0;
  const found = regex.matchesIn(text, -1, call);
  if (found instanceof Failure) return found;
  for (const match of found) {
    const inserted = replacement(match);
    if (inserted instanceof Failure) return inserted;
    const refused = call.charge(inserted.length + match.start - at);
    if (refused !== undefined) return refused;
    result += text.slice(at, match.start) + inserted;
    at = match.end;
  }
  return result + text.slice(at);
}

/** `$1`, `${1}`, `$name`; a name extends as far as letters, digits and underscores. `$$` is a dollar sign. */
function expanded(template: string, match: Match, text: string): string {
  return template.replace(
    /\$(?:\$|([\p{L}\p{Nd}_]+)|\{([\p{L}\p{Nd}_]+)\})/gu,
    (whole, bare?: string, braced?: string) => {
      const name = bare ?? braced;
      if (name === undefined) return whole === "$$" ? "$" : whole;
      return name === "0" ? text.slice(match.start, match.end) : (match.group(name) ?? "");
    },
  );
}

/** Upstream: regexp.Split, which skips an empty match at the beginning. */
function split(regex: Regex, text: string, count: number, call: Call): readonly string[] | Failure {
  if (count === 0) return [];
  if (text === "") return [""];
  const parts: string[] = [];
  let begin = 0;
  let end = 0;
  const found = regex.matchesIn(text, count, call);
  if (found instanceof Failure) return found;
  for (const match of found) {
    if (count > 0 && parts.length === count - 1) break;
    end = match.start;
    if (match.end !== 0) parts.push(text.slice(begin, end));
    begin = match.end;
  }
  if (end !== text.length) parts.push(text.slice(begin));
  return parts;
}
