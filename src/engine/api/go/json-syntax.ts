/**
 * Why Go cannot read bytes as JSON, or as a JSON object, with Go's errors. Upstream: Go 1.26 encoding/json scanner.go
 * checkValid, decode.go Unmarshal into a map[string]interface{}. Not modeled: numbers beyond the range of a float64.
 */
import { goQuote } from "./text.ts";

/** The state after a byte, or why the byte is misplaced. */
type Next = Step | Misplaced;
type Step = (byte: number) => Next;

class Misplaced {
  readonly where: string;

  constructor(where: string) {
    this.where = where;
  }
}

const depthMax = 10_000;
const whitespace = bytesOf(" \t\r\n");
const digits = bytesOf("0123456789");
const hexDigits = bytesOf("0123456789abcdefABCDEF");
const escapes = bytesOf('bfnrt\\/"');
const quote = 0x22;

function bytesOf(characters: string): ReadonlySet<number> {
  return new Set([...characters].map((character) => character.charCodeAt(0)));
}

function is(byte: number, character: string): boolean {
  return byte === character.charCodeAt(0);
}

/** The states of the scanner, and the objects and arrays that are open. */
class Scanner {
  /** For each of them: true if an object's value comes next, false if its key does, undefined for an array. */
  readonly #open: (boolean | undefined)[] = [];
  isComplete = false;

  readonly beginValue: Step = (byte) => {
    if (whitespace.has(byte)) return this.beginValue;
    if (is(byte, "{")) return this.#enter(false, this.#beginKeyOrEnd);
    if (is(byte, "[")) return this.#enter(undefined, this.#beginElementOrEnd);
    if (byte === quote) return this.#inText;
    if (is(byte, "-")) return this.#afterMinus;
    if (is(byte, "0")) return this.#afterWholePart;
    if (digits.has(byte)) return this.#inWholePart;
    if (is(byte, "t")) return this.#literal("true", 1);
    if (is(byte, "f")) return this.#literal("false", 1);
    if (is(byte, "n")) return this.#literal("null", 1);
    return new Misplaced("looking for beginning of value");
  };

  #enter(state: boolean | undefined, next: Step): Next {
    this.#open.push(state);
    return this.#open.length > depthMax ? new Misplaced("exceeded max depth") : next;
  }

  #leave(): Next {
    this.#open.pop();
    this.isComplete = this.#open.length === 0;
    return this.#endValue;
  }

  readonly #beginElementOrEnd: Step = (byte) => {
    if (whitespace.has(byte)) return this.#beginElementOrEnd;
    return is(byte, "]") ? this.#leave() : this.beginValue(byte);
  };

  readonly #beginKeyOrEnd: Step = (byte) => {
    if (whitespace.has(byte)) return this.#beginKeyOrEnd;
    return is(byte, "}") ? this.#leave() : this.#beginKey(byte);
  };

  readonly #beginKey: Step = (byte) => {
    if (whitespace.has(byte)) return this.#beginKey;
    return byte === quote
      ? this.#inText
      : new Misplaced("looking for beginning of object key string");
  };

  readonly #endValue: Step = (byte) => {
    if (this.#open.length === 0) this.isComplete = true;
    if (whitespace.has(byte)) return this.#endValue;
    if (this.#open.length === 0) return new Misplaced("after top-level value");
    const last = this.#open.length - 1;
    const state = this.#open[last];
    if (state === false) {
      if (!is(byte, ":")) return new Misplaced("after object key");
      this.#open[last] = true;
      return this.beginValue;
    }
    if (state === true) {
      if (is(byte, "}")) return this.#leave();
      if (!is(byte, ",")) return new Misplaced("after object key:value pair");
      this.#open[last] = false;
      return this.#beginKey;
    }
    if (is(byte, "]")) return this.#leave();
    return is(byte, ",") ? this.beginValue : new Misplaced("after array element");
  };

  readonly #inText: Step = (byte) => {
    if (byte === quote) return this.#endValue;
    if (is(byte, "\\")) return this.#inEscape;
    return byte < 0x20 ? new Misplaced("in string literal") : this.#inText;
  };

  readonly #inEscape: Step = (byte) => {
    if (escapes.has(byte)) return this.#inText;
    return is(byte, "u") ? this.#inHex(4) : new Misplaced("in string escape code");
  };

  #inHex(left: number): Step {
    if (left === 0) return this.#inText;
    return (byte) =>
      hexDigits.has(byte)
        ? this.#inHex(left - 1)
        : new Misplaced("in \\u hexadecimal character escape");
  }

  readonly #afterMinus: Step = (byte) => {
    if (is(byte, "0")) return this.#afterWholePart;
    return digits.has(byte) ? this.#inWholePart : new Misplaced("in numeric literal");
  };

  readonly #inWholePart: Step = (byte) =>
    digits.has(byte) ? this.#inWholePart : this.#afterWholePart(byte);

  readonly #afterWholePart: Step = (byte) => {
    if (!is(byte, ".")) return this.#afterNumber(byte);
    return this.#digit("after decimal point in numeric literal", this.#inFraction);
  };

  readonly #inFraction: Step = (byte) =>
    digits.has(byte) ? this.#inFraction : this.#afterNumber(byte);

  readonly #afterNumber: Step = (byte) => {
    if (!is(byte, "e") && !is(byte, "E")) return this.#endValue(byte);
    const first = this.#digit("in exponent of numeric literal", this.#inExponent);
    return (sign) => (is(sign, "+") || is(sign, "-") ? first : first(sign));
  };

  readonly #inExponent: Step = (byte) =>
    digits.has(byte) ? this.#inExponent : this.#endValue(byte);

  #digit(where: string, next: Step): Step {
    return (byte) => (digits.has(byte) ? next : new Misplaced(where));
  }

  #literal(word: string, at: number): Step {
    const expected = word[at];
    if (expected === undefined) return this.#endValue;
    return (byte) =>
      is(byte, expected)
        ? this.#literal(word, at + 1)
        : new Misplaced(`in literal ${word} (expecting '${expected}')`);
  }
}

/** Undefined if the bytes are an object, or null. */
export function goObjectError(bytes: readonly number[]): string | undefined {
  const syntaxError = goSyntaxError(bytes);
  if (syntaxError !== undefined) return syntaxError;
  const kind = kindOf(bytes.find((byte) => !whitespace.has(byte)) ?? 0);
  const target = "Go value of type map[string]interface {}";
  return kind === undefined ? undefined : `json: cannot unmarshal ${kind} into ${target}`;
}

/** Undefined if the bytes are JSON. */
export function goSyntaxError(bytes: readonly number[]): string | undefined {
  const scanner = new Scanner();
  let step = scanner.beginValue;
  // Like Go's scanner, it reads a space at the end, so that a number ends.
  for (const byte of [...bytes, 0x20]) {
    const next = step(byte);
    if (next instanceof Misplaced) return `invalid character ${characterText(byte)} ${next.where}`;
    step = next;
  }
  return scanner.isComplete ? undefined : "unexpected end of JSON input";
}

function kindOf(first: number): string | undefined {
  if (is(first, "{") || is(first, "n")) return undefined;
  if (is(first, "[")) return "array";
  if (first === quote) return "string";
  return is(first, "t") || is(first, "f") ? "bool" : "number";
}

/** Upstream: quoteChar. A byte beyond ASCII is shown as the character with that code. */
function characterText(byte: number): string {
  if (is(byte, "'")) return "'\\''";
  if (byte === quote) return "'\"'";
  return `'${goQuote(String.fromCharCode(byte)).slice(1, -1)}'`;
}
