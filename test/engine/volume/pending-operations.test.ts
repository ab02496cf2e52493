import assert from "node:assert/strict";
import { PendingOperations } from "../../../src/engine/volume/pending-operations.ts";

const key = { volume: "v", pod: "", node: "" };

class Clock {
  now = 0;
  readonly operations: PendingOperations = new PendingOperations(() => this.now);

  /** Fails `operation` as soon as it may run, and returns how long that took. */
  failNext(operation: string): number {
    const from = this.now;
    while (!this.operations.begin(key, operation)) this.now += 500;
    this.operations.end(key, false);
    return this.now - from;
  }
}

suite("pending volume operations", () => {
  test("failures back off from half a second to 122 seconds", () => {
    const clock = new Clock();
    const waits = Array.from({ length: 11 }, () => clock.failNext("mount") / 1000);
    assert.deepEqual(waits, [0, 0.5, 1, 2, 4, 8, 16, 32, 64, 122, 122]);
  });

  test("a success resets the back-off", () => {
    const clock = new Clock();
    clock.failNext("mount");
    clock.failNext("mount");
    clock.now += 1000;
    assert.ok(clock.operations.begin(key, "mount"));
    clock.operations.end(key, true);
    assert.equal(clock.failNext("mount"), 0);
    assert.equal(clock.failNext("mount"), 500);
  });

  test("only one operation of a volume runs at a time", () => {
    const { operations } = new Clock();
    assert.ok(operations.begin(key, "mount"));
    assert.ok(!operations.begin({ ...key, pod: "p" }, "unmount"));
    assert.ok(operations.isPending(key));
    assert.ok(!operations.isSafeToRetry(key, "unmount"));
  });

  test("operations of different pods and volumes do not block each other", () => {
    const { operations } = new Clock();
    assert.ok(operations.begin({ ...key, pod: "p" }, "unmount"));
    assert.ok(operations.begin({ ...key, pod: "q" }, "unmount"));
    assert.ok(operations.begin({ volume: "other", pod: "", node: "" }, "mount"));
  });

  test("an operation for all pods of a volume blocks those of single pods, but has a back-off of its own", () => {
    const { operations } = new Clock();
    const [one, other] = [
      { ...key, pod: "p" },
      { ...key, pod: "q" },
    ];
    for (const pod of [one, other]) {
      assert.ok(operations.begin(pod, "unmount"));
    }
    for (const pod of [one, other]) operations.end(pod, false);
    assert.ok(operations.begin(key, "mount"));
    assert.ok(!operations.isSafeToRetry({ ...key, pod: "r" }, "unmount"));
    operations.end(key, false);
    assert.equal(operations.retryAt(other, "mount"), undefined);
    assert.equal(operations.retryAt({ ...key, pod: "r" }, "mount"), 500);
  });

  test("a different operation does not wait for the back-off, and replaces it", () => {
    const { operations } = new Clock();
    assert.ok(operations.begin(key, "attach"));
    operations.end(key, false);
    assert.equal(operations.retryAt(key, "attach"), 500);
    assert.equal(operations.retryAt(key, "detach"), undefined);
    assert.ok(operations.begin(key, "detach"));
    operations.end(key, false);
    assert.equal(operations.retryAt(key, "detach"), 500);
  });
});
