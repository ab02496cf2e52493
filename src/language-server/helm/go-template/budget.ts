/** Limits the cost of one execution, including everything that it includes. */
import { Failure } from "./values.ts";

const [stepCountMax, lengthMax] = [2_000_000, 16 * 1024 * 1024];
const lettersInStep = 8;

/** Sorting an item takes as long as printing this many letters. */
export const costOfSorting = 8;

export class Budget {
  #steps = 0;
  #made = 0;

  /** Takes a step; false if there is none left. */
  step(): boolean {
    return ++this.#steps <= stepCountMax;
  }

  /** Charges for letters or items. */
  charge(size: number): Failure | undefined {
    this.#made += size;
    return this.#made > lengthMax ? new Failure(tooMuch) : undefined;
  }

  /** Letters produced, plus steps converted to letters. */
  get cost(): number {
    return this.#made + this.#steps * lettersInStep;
  }
}

export const tooMuch = "this template makes too much to be rendered here";
