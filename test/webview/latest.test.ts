import { strict as assert } from "node:assert";
import { Latest } from "../../src/webview/latest.ts";

interface Question {
  readonly name: string;
}

/** Answers that each wait until `end` is called. */
class Answers {
  readonly begun: string[] = [];
  #letGo: () => void = () => {};

  readonly answer = ({ name }: Question): Promise<void> => {
    this.begun.push(name);
    return new Promise((done) => {
      this.#letGo = done;
    });
  };

  /** Ends the current answer, and waits for what follows from that. */
  async end(): Promise<void> {
    this.#letGo();
    await new Promise((turn) => setImmediate(turn));
  }
}

suite("the latest question", () => {
  test("of the questions that arrive during an answer only the last is answered", async () => {
    const answers = new Answers();
    const latest = new Latest<Question>(answers.answer);
    const asked = ["a", "b", "c"].map((name) => latest.ask({ name }));
    assert.deepEqual(answers.begun, ["a"]);
    await answers.end();
    assert.deepEqual(answers.begun, ["a", "c"]);
    await answers.end();
    await Promise.all(asked);
    assert.deepEqual(answers.begun, ["a", "c"]);
  });

  test("`isStale` returns true during an answer once a newer question has arrived", async () => {
    const told: boolean[] = [];
    const latest = new Latest<Question>(async ({ name }, isStale) => {
      told.push(isStale());
      if (name === "a") void latest.ask({ name: "b" });
      told.push(isStale());
    });
    await latest.ask({ name: "a" });
    assert.deepEqual(told, [false, true, false, false]);
  });

  test("an answer that fails does not prevent later answers", async () => {
    const answered: string[] = [];
    const latest = new Latest<Question>(async ({ name }) => {
      if (name === "bad") throw new Error("bad");
      answered.push(name);
    });
    await assert.rejects(latest.ask({ name: "bad" }), /bad/);
    await latest.ask({ name: "good" });
    assert.deepEqual(answered, ["good"]);
  });
});
