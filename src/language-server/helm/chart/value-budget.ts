/** How many values may be copied for one release: subcharts within subcharts, each with the globals of all above, multiply. */
export class ValueBudget {
  #left: number;

  constructor(countMax: number = valueCountMax) {
    this.#left = countMax;
  }

  /** False where it is spent: what is made then is not to be used. */
  spend(count: number): boolean {
    this.#left -= count;
    return this.#left >= 0;
  }

  get isSpent(): boolean {
    return this.#left < 0;
  }
}

/** Charts of the largest stacks have some ten thousand values in all. */
const valueCountMax = 1_000_000;
