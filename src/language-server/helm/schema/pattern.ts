/** Patterns in schemas, matched in linear time (`go-pattern.ts`). */
import type { RE2JS } from "re2js";
import { readGoPattern } from "../../go-pattern.ts";

/** Longer texts match every pattern, so that nothing is refused that Helm may accept. */
const textMax = 4096;
/** A program takes a step per instruction and letter; these are far cheaper than the validator's steps. */
const instructionsPerStep = 10;

export class Pattern {
  readonly text: string;
  #read: RE2JS | string | undefined;

  constructor(text: string) {
    this.text = text;
  }

  /** What matching the text costs, in steps of the validator. */
  cost(text: string): number {
    const program = this.#program();
    if (typeof program === "string" || text.length > textMax) return 1;
    return 1 + (text.length * program.programSize()) / instructionsPerStep;
  }

  isFoundIn(text: string): boolean {
    const program = this.#program();
    return typeof program === "string" || text.length > textMax || program.test(text);
  }

  #program(): RE2JS | string {
    this.#read ??= readGoPattern(this.text);
    return this.#read;
  }
}

/** Why Go cannot read it. Two groups with the same name, which Go refuses, are accepted here. */
export function patternComplaint(pattern: string): string | undefined {
  const read = readGoPattern(pattern);
  if (typeof read !== "string" || /expression too large$|duplicate capture group/.test(read))
    return undefined;
  return read;
}
