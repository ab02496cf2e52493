/** Limits how many values may be copied for one release: nested subcharts multiply, each with the globals of all above. */
export class ValueBudget {
  #left: number;

  constructor(countMax: number = valueCountMax) {
    this.#left = countMax;
  }

  /** False once the budget is spent; results from then on must not be used. */
  spend(count: number): boolean {
    this.#left -= count;
    return this.#left >= 0;
  }

  get isSpent(): boolean {
    return this.#left < 0;
  }
}

/** The charts of the largest stacks have some ten thousand values in total. */
const valueCountMax = 1_000_000;
