/** What judging objects takes, as the last time has shown. */
export class CostEstimate {
  #msPerObject: number;

  constructor(firstGuessMsPerObject: number) {
    this.#msPerObject = firstGuessMsPerObject;
  }

  /** Milliseconds for so many objects. */
  of(objectCount: number): number {
    return objectCount * this.#msPerObject;
  }

  /** What it has taken; at least so much where it was given up before its end. */
  note(objectCount: number, ms: number, isDone: boolean): void {
    if (objectCount === 0) return;
    const taken = ms / objectCount;
    this.#msPerObject = isDone ? taken : Math.max(this.#msPerObject, taken);
  }
}
