import assert from "node:assert/strict";
import { TypingPauses } from "../../../src/language-server/publishing/typing-pauses.ts";

const never = (): boolean => false;

suite("pauses in typing", () => {
  test("there is no wait if nothing has been typed, or nothing recently", async () => {
    const pauses = new TypingPauses();
    assert.equal(await pauses.pause("a", () => 1e6, never), true);
    pauses.noteEdit("a");
    pauses.forget("a");
    assert.equal(await pauses.pause("a", () => 1e6, never), true);
  });

  test("waits can be shortened, each or all", async () => {
    const pauses = new TypingPauses();
    const waits = { a: 1e6, b: 1e6 };
    pauses.noteEdit("a");
    pauses.noteEdit("b");
    const over: string[] = [];
    const [a, b] = (["a", "b"] as const).map(async (id) => {
      assert.equal(await pauses.pause(id, () => waits[id], never), true);
      over.push(id);
    });
    waits.a = 0;
    waits.b = 0;
    pauses.askAgain("b");
    await b;
    assert.deepEqual(over, ["b"]);
    pauses.askAgain();
    await a;
    assert.deepEqual(over, ["b", "a"]);
  });

  test("a stale wait is abandoned", async () => {
    const pauses = new TypingPauses();
    pauses.noteEdit("a");
    let isStale = false;
    const wait = pauses.pause(
      "a",
      () => 1e6,
      () => isStale,
    );
    isStale = true;
    pauses.askAgain("a");
    assert.equal(await wait, false);
  });

  test("a first edit is previewed at once, but not one that quickly follows another", () => {
    const pauses = new TypingPauses();
    assert.equal(pauses.previewHoldMs("a"), 0);
    pauses.noteEdit("a");
    assert.equal(pauses.previewHoldMs("a"), 0);
    pauses.noteEdit("a");
    assert.ok(pauses.previewHoldMs("a") > 0);
  });
});
