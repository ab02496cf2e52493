/** Answers questions one at a time; of those that come meanwhile only the last is answered. */
export class Latest<Question extends object> {
  readonly #answer: (question: Question, isStale: () => boolean) => Promise<void>;
  #wanted: Question | undefined;
  #isBusy = false;

  /** `answer` can check `isStale` to see if a newer question has come, and give up. */
  constructor(answer: (question: Question, isStale: () => boolean) => Promise<void>) {
    this.#answer = answer;
  }

  /** Resolves when no question is left, or at once if an earlier call is still answering and takes this one over. */
  async ask(question: Question): Promise<void> {
    this.#wanted = question;
    if (this.#isBusy) return;
    this.#isBusy = true;
    try {
      for (let next = this.#take(); next !== undefined; next = this.#take())
        await this.#answer(next, () => this.#wanted !== undefined);
    } finally {
      this.#isBusy = false;
    }
  }

  #take(): Question | undefined {
    const question = this.#wanted;
    this.#wanted = undefined;
    return question;
  }
}
