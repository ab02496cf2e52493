/** Answers questions one after the other; of those that come while one is being answered only the last is. */
export class Latest<Question extends object> {
  readonly #answer: (question: Question, isStale: () => boolean) => Promise<void>;
  #wanted: Question | undefined;
  #isBusy = false;

  /** Who answers may ask whether a newer question has come, or none is wanted any more, and give up. */
  constructor(answer: (question: Question, isStale: () => boolean) => Promise<void>) {
    this.#answer = answer;
  }

  /** Ends when nothing more is asked; at once where somebody else's call goes on with this one. */
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
