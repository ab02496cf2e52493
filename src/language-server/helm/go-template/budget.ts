/** What one execution may cost, all that it includes counted. */
import { Failure } from "./values.ts";

const [stepCountMax, lengthMax] = [2_000_000, 16 * 1024 * 1024];
const lettersInStep = 8;

/** To sort an item takes as long as to print so many letters. */
export const costOfSorting = 8;

export class Budget {
  #steps = 0;
  #made = 0;

  /** Says whether there is anything left for a step. */
  step(): boolean {
    return ++this.#steps <= stepCountMax;
  }

  /** For letters, or items. */
  charge(size: number): Failure | undefined {
    this.#made += size;
    return this.#made > lengthMax ? new Failure(tooMuch) : undefined;
  }

  /** Letters made, and steps taken as so many letters. */
  get cost(): number {
    return this.#made + this.#steps * lettersInStep;
  }
}

export const tooMuch = "this template makes too much to be rendered here";
