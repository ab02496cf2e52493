/**
 * Go's regular expressions, which take time by the length of the text and no more: a pattern of JavaScript can keep a
 * server busy for ever. Upstream: Go's regexp and regexp/syntax (RE2), which kustomize's selectors use.
 */

/** Whether the pattern fits the whole text, or any part of it. */
export type Matches = (text: string) => boolean;

/** Undefined where Go cannot read the pattern either, or it is too large. */
export function goPattern(pattern: string, fits: "whole" | "part"): Matches | undefined {
  try {
    return new Compiler(pattern).compile(fits);
  } catch (error) {
    if (error instanceof Unreadable) return undefined;
    throw error;
  }
}

class Unreadable extends Error {}

type Instruction =
  | { readonly type: "char"; readonly test: RegExp }
  | { readonly type: "split"; readonly to: number[] }
  | { readonly type: "edge"; readonly holds: (text: string, at: number) => boolean };

/** What is appended to the program, where it stands. */
type Piece = () => void;

/** Go allows as many repetitions, and more nesting. */
const repeatMax = 1000;
const depthMax = 200;
const programMax = 4000;
/** What is longer is no name of anything. */
const textMax = 4096;

const edges: Readonly<Record<string, (text: string, at: number) => boolean>> = {
  "^": (_, at) => at === 0,
  "\\A": (_, at) => at === 0,
  $: (text, at) => at === text.length,
  "\\z": (text, at) => at === text.length,
  "\\b": (text, at) => isWord(text[at - 1]) !== isWord(text[at]),
  "\\B": (text, at) => isWord(text[at - 1]) === isWord(text[at]),
};

function isWord(letter: string | undefined): boolean {
  return letter !== undefined && /\w/.test(letter);
}

const posix: Readonly<Record<string, string>> = {
  alnum: "0-9A-Za-z",
  alpha: "A-Za-z",
  digit: "0-9",
  lower: "a-z",
  space: "\\s",
  upper: "A-Z",
  word: "\\w",
};

class Compiler {
  readonly #pattern: string;
  readonly #program: Instruction[] = [];
  #at = 0;
  #depth = 0;
  #flags = "";

  constructor(pattern: string) {
    this.#pattern = pattern;
  }

  compile(fits: "whole" | "part"): Matches {
    const whole = this.#alternatives();
    if (this.#at < this.#pattern.length) throw new Unreadable();
    whole();
    const program = this.#program;
    return (text) => text.length <= textMax && run(program, text, fits);
  }

  #alternatives(): Piece {
    if (++this.#depth > depthMax) throw new Unreadable();
    const flags = this.#flags;
    const choices = [this.#sequence()];
    while (this.#take("|")) choices.push(this.#sequence());
    this.#flags = flags;
    this.#depth--;
    return choices.reduceRight((others, one) => () => this.#either(one, others));
  }

  #sequence(): Piece {
    const items: Piece[] = [];
    while (this.#at < this.#pattern.length && !/[|)]/.test(this.#pattern[this.#at] ?? ""))
      items.push(this.#repeated(this.#atom()));
    return () => {
      for (const item of items) item();
    };
  }

  #repeated(item: Piece): Piece {
    const [found] = this.#match(/(?:[*+?]|\{\d+(?:,\d*)?\})/y) ?? [];
    if (found === undefined) return item;
    this.#take("?");
    if (/[*+?]/.test(this.#pattern[this.#at] ?? "")) throw new Unreadable();
    const [, from = "", comma, to = ""] = /^\{(\d+)(,?)(\d*)\}$/.exec(found) ?? [];
    const least = found === "+" ? 1 : Number(from);
    const most = found === "?" ? 1 : comma === "" ? least : to === "" ? undefined : Number(to);
    if (least > repeatMax || (most !== undefined && (most > repeatMax || most < least)))
      throw new Unreadable();
    return () => {
      for (let count = 0; count < least; count++) item();
      if (most === undefined) this.#anyNumber(item);
      else for (let count = least; count < most; count++) this.#either(item, () => undefined);
    };
  }

  #atom(): Piece {
    if (this.#take("(")) return this.#group();
    const [edge] = this.#match(/\^|\$|\\[AzbB]/y) ?? [];
    const holds = edge === undefined ? undefined : edges[edge];
    if (holds !== undefined) return () => this.#add({ type: "edge", holds });
    const [letter] =
      this.#match(/\[\^?\]?(?:\[:\w+:\]|\\[\s\S]|[^\]\\])*\]|\\[^1-9]|[^\\*+?[]/y) ?? [];
    if (letter === undefined) throw new Unreadable();
    const test = this.#test(letter);
    return () => this.#add({ type: "char", test });
  }

  #group(): Piece {
    const [, flags, end] = this.#match(/\?([a-zA-Z]*)([:)])/y) ?? [];
    if (flags !== undefined && /[^isU]/.test(flags)) throw new Unreadable();
    const before = this.#flags;
    if (flags !== undefined) this.#flags += flags.replace("U", "");
    // `(?i)` holds to the end of what is around it.
    if (end === ")") return () => undefined;
    if (flags === undefined && this.#pattern[this.#at] === "?" && !this.#match(/\?P?<\w+>/y))
      throw new Unreadable();
    const inner = this.#alternatives();
    this.#flags = before;
    if (!this.#take(")")) throw new Unreadable();
    return inner;
  }

  #test(letter: string): RegExp {
    const source = letter
      .replace(/^\[(\^?)\]/, "[$1\\]")
      .replace(/\[:(\w+):\]/g, (_, name: string) => posix[name] ?? "");
    const flags = [...new Set(this.#flags)].join("");
    try {
      return new RegExp(`^${source}$`, flags);
    } catch {
      throw new Unreadable();
    }
  }

  #anyNumber(item: Piece): void {
    const start = this.#program.length;
    const split = { type: "split" as const, to: [start + 1] };
    this.#add(split);
    item();
    this.#add({ type: "split", to: [start] });
    split.to.push(this.#program.length);
  }

  #either(one: Piece, other: Piece): void {
    const split = { type: "split" as const, to: [this.#program.length + 1] };
    this.#add(split);
    one();
    const skip = { type: "split" as const, to: [] as number[] };
    this.#add(skip);
    split.to.push(this.#program.length);
    other();
    skip.to.push(this.#program.length);
  }

  #add(instruction: Instruction): void {
    if (this.#program.length >= programMax) throw new Unreadable();
    this.#program.push(instruction);
  }

  #take(text: string): boolean {
    if (!this.#pattern.startsWith(text, this.#at)) return false;
    this.#at += text.length;
    return true;
  }

  #match(sticky: RegExp): RegExpExecArray | undefined {
    sticky.lastIndex = this.#at;
    const found = sticky.exec(this.#pattern);
    if (found === null) return undefined;
    this.#at += found[0].length;
    return found;
  }
}

/** All ways at once, letter by letter. The end of the program is a match. */
function run(program: readonly Instruction[], text: string, fits: "whole" | "part"): boolean {
  let now = new Set<number>();
  for (let at = 0; at <= text.length; at++) {
    const reached = follow(program, at === 0 || fits === "part" ? [0, ...now] : now, text, at);
    const isEnd = fits === "part" || at === text.length;
    if (isEnd && reached.has(program.length)) return true;
    const letter = text[at] ?? "";
    now = new Set();
    for (const index of reached) {
      const instruction = program[index];
      if (instruction?.type === "char" && instruction.test.test(letter)) now.add(index + 1);
    }
    if (now.size === 0 && fits === "whole") return false;
  }
  return false;
}

function follow(
  program: readonly Instruction[],
  from: Iterable<number>,
  text: string,
  at: number,
): ReadonlySet<number> {
  const reached = new Set<number>();
  const open = [...from];
  for (let index = open.pop(); index !== undefined; index = open.pop()) {
    if (reached.has(index)) continue;
    reached.add(index);
    const instruction = program[index];
    if (instruction?.type === "split") open.push(...instruction.to);
    if (instruction?.type === "edge" && instruction.holds(text, at)) open.push(index + 1);
  }
  return reached;
}
