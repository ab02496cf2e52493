/** Estimates how long judging objects takes, from the last time. */
export class CostEstimate {
  #msPerObject: number;

  constructor(firstGuessMsPerObject: number) {
    this.#msPerObject = firstGuessMsPerObject;
  }

  /** Milliseconds for this many objects. */
  of(objectCount: number): number {
    return objectCount * this.#msPerObject;
  }

  /** Notes a measurement. Work that was given up would have taken at least this long. */
  note(objectCount: number, ms: number, isDone: boolean): void {
    if (objectCount === 0) return;
    const taken = ms / objectCount;
    this.#msPerObject = isDone ? taken : Math.max(this.#msPerObject, taken);
  }
}
