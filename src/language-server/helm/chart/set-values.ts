/**
 * Sets values from a command line: `a.b[0].c=1,d={x,y}`. Upstream: pkg/strvals/parser.go, literal_parser.go. Changes values in
 * place where upstream does: what precedes a mistake has been set.
 */
import { goQuote } from "../../../engine/api/go/text.ts";
import { typeName } from "../go-template/type-name.ts";
import {
  Failure,
  type GoList,
  type GoMap,
  type GoValue,
  int64,
  isGoList,
  isGoMap,
} from "../go-template/values.ts";
import { goValueOf } from "./go-value-of.ts";
import { type Parsed, SetScanner } from "./set-scanner.ts";

/**
 * How values after equals signs are read: as JSON, by their look, as texts, as file names, or as one text to the end of the
 * line. In the order in which Helm applies them, later ones overriding earlier.
 */
export const setKinds = ["set-json", "set", "set-string", "set-file", "set-literal"] as const;

export type SetKind = (typeof setKinds)[number];

/** Undefined if there is no such file. */
export type ReadFile = (path: string) => string | undefined;

/** Sets the line's values; returns Helm's message if the line is invalid. */
export function setValues(
  line: string,
  values: GoMap,
  kind: SetKind,
  readFile: ReadFile = () => undefined,
): string | undefined {
  const parser = new SetParser(line, kind, readFile);
  for (;;) {
    const error = parser.key(values, 0);
    if (error === "end") return undefined;
    if (error !== undefined) return error.message;
  }
}

type Outcome = undefined | "end" | { readonly message: string };

const indexMax = 65_536;
const nestingMax = 30;

const tooDeep: Outcome = {
  message: `value name nested level is greater than maximum supported nested level of ${nestingMax}`,
};

class SetParser {
  readonly #scanner: SetScanner;
  readonly #kind: SetKind;
  readonly #readFile: ReadFile;

  constructor(line: string, kind: SetKind, readFile: ReadFile) {
    this.#scanner = new SetScanner(line, kind !== "set-literal");
    this.#kind = kind;
    this.#readFile = readFile;
  }

  key(target: GoMap, level: number): Outcome {
    const { text, stop } = this.#scanner.until(this.#kind === "set-literal" ? "=[." : "=[,.");
    switch (stop) {
      case undefined:
        return text === "" ? "end" : { message: `key ${goQuote(text)} has no value` };
      case "[":
        return this.#keyOfList(target, text, level);
      case "=":
        return this.#value((value) => setKey(target, text, value));
      case ".":
        return this.#nested(target, text, level + 1);
      default:
        setKey(target, text, "");
        return { message: `key ${goQuote(text)} has no value (cannot end with ,)` };
    }
  }

  #keyOfList(target: GoMap, key: string, level: number): Outcome {
    const index = this.#index();
    if (typeof index !== "number") return index;
    const before = target.get(key) ?? [];
    if (!isGoList(before)) return noSuch(before, "[]interface {}");
    const list = [...before];
    const outcome = this.#item(list, index, level);
    setKey(target, key, list);
    return outcome;
  }

  #nested(target: GoMap, key: string, level: number): Outcome {
    if (level > nestingMax) return tooDeep;
    const before = target.has(key) ? (target.get(key) ?? null) : new Map();
    if (!isGoMap(before)) return noSuch(before, "map[string]interface {}");
    const outcome = this.key(before, level);
    if (outcome === undefined && before.size === 0)
      return { message: `key map ${goQuote(key)} has no value` };
    if (before.size > 0) setKey(target, key, before);
    return outcome;
  }

  #index(): number | Outcome {
    const { text, stop } = this.#scanner.until("]");
    if (stop === undefined) return "end";
    if (!/^[-+]?\d+$/.test(text))
      return {
        message: `error parsing index: strconv.Atoi: parsing ${goQuote(text)}: invalid syntax`,
      };
    return Number(text);
  }

  /** Changes the list. */
  #item(list: GoValue[], index: number, level: number): Outcome {
    if (index < 0) return { message: `negative ${index} index not allowed` };
    if (index > indexMax)
      return {
        message: `index of ${index} is greater than maximum supported index of ${indexMax}`,
      };
    const { text, stop } = this.#scanner.until("[.=");
    if (text !== "") return { message: `unexpected data at end of array index: ${runes(text)}` };
    if (stop === undefined) return "end";
    if (stop === "=") {
      const outcome = this.#value((value) => setItem(list, index, value));
      return outcome === "end" ? undefined : outcome;
    }
    const before = list[index] ?? null;
    if (stop === "[") return this.#itemOfList(list, index, before, level + 1);
    const inner: GoMap = isGoMap(before) ? before : new Map();
    const outcome = this.key(inner, level);
    // A new item is lost if the line ends after the equals sign.
    const isKept = outcome === undefined || (outcome === "end" && index < list.length);
    if (isKept) setItem(list, index, inner);
    return outcome;
  }

  /** Upstream allows lists to nest without a limit. */
  #itemOfList(list: GoValue[], index: number, before: GoValue, level: number): Outcome {
    if (level > nestingMax) return tooDeep;
    const next = this.#index();
    if (typeof next !== "number") return next;
    if (before !== null && !isGoList(before)) return noSuch(before, "[]interface {}");
    const inner = [...(before ?? [])];
    const outcome = this.#item(inner, next, level);
    setItem(list, index, inner);
    return outcome;
  }

  #value(set: (value: GoValue) => void): Outcome {
    if (this.#kind === "set-json") return this.#json(set);
    if (this.#kind === "set-literal") {
      set(this.#scanner.rest());
      return undefined;
    }
    const list = this.#scanner.list();
    if (list === "end") {
      set("");
      return "end";
    }
    if (list === "open") return { message: "list must terminate with '}'" };
    if (list !== undefined) {
      const items = list.map((text) => this.#typed(text));
      const missing = items.find((item) => item instanceof Failure);
      if (missing === undefined) set(items as GoList);
      return missing;
    }
    const { text }: Parsed = this.#scanner.until(",");
    const value = this.#typed(text);
    if (value instanceof Failure) return value;
    set(value);
    return undefined;
  }

  #typed(text: string): GoValue | Failure {
    if (this.#kind === "set-string") return text;
    if (this.#kind === "set") return typedValue(text);
    const found = this.#readFile(text);
    return found ?? new Failure(`open ${text}: no such file or directory`);
  }

  /** Reads one value after another; blanks may surround the comma. */
  #json(set: (value: GoValue) => void): Outcome {
    if (this.#scanner.isEmptyValue()) {
      set(null);
      return undefined;
    }
    const json = this.#scanner.json();
    // Helm only prints the line.
    if (json === undefined) return { message: "invalid JSON" };
    set(goValueOf(JSON.parse(json)));
    this.#scanner.isEmptyValue();
    return undefined;
  }
}

/** Upstream: typedVal; integers are int64. */
function typedValue(text: string): GoValue {
  const word = text.toLowerCase();
  if (word === "true" || word === "false") return word === "true";
  if (word === "null") return null;
  if (text === "0") return int64(0n);
  if (!/^[-+]?\d{1,19}$/.test(text) || text.startsWith("0")) return text;
  const value = BigInt(text.replace("+", ""));
  return BigInt.asIntN(64, value) === value ? int64(value) : text;
}

/** Formats a slice of runes as Go's %q. */
function runes(text: string): string {
  return `[${[...text].map((rune) => `'${rune}'`).join(" ")}]`;
}

function setKey(target: GoMap, key: string, value: GoValue): void {
  if (key !== "") target.set(key, value);
}

function setItem(list: GoValue[], index: number, value: GoValue): void {
  while (list.length < index) list.push(null);
  list[index] = value;
}

function noSuch(value: GoValue, wanted: string): Outcome {
  const found = value === null ? "nil" : typeName(value);
  return {
    message: `unable to parse key: interface conversion: interface {} is ${found}, not ${wanted}`,
  };
}
