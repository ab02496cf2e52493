/** How long failed daemon pods are left alone. */
import assert from "node:assert/strict";
import { FailedPodBackoff } from "../../../../src/engine/controllers/daemon-set/failed-pod-backoff.ts";
import { bare } from "../../../support/bare-objects.ts";

suite("back-off for failed daemon pods", () => {
  const set = bare("DaemonSet", "agent", {});
  const minute = 60_000;

  test("doubles from a second to a quarter of an hour, for each node by itself", () => {
    const backoff = new FailedPodBackoff();
    const waits: number[] = [];
    let now = 0;
    for (let failure = 0; failure < 12; failure++) {
      assert.equal(backoff.isWaiting(set, "a", now), false);
      backoff.next(set, "a", now);
      const wait = backoff.nextInMs(set, now) ?? 0;
      assert.ok(backoff.isWaiting(set, "a", now + wait - 1));
      waits.push(wait / 1000);
      now += wait;
    }
    assert.deepEqual(waits, [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 900, 900]);
    assert.equal(backoff.isWaiting(set, "b", 0), false);
    assert.equal(backoff.nextInMs(set, now), undefined);
  });

  test("the next look is at the node whose wait ends first", () => {
    const backoff = new FailedPodBackoff();
    backoff.next(set, "a", 0);
    backoff.next(set, "a", 1000);
    backoff.next(set, "b", 1500);
    assert.equal(backoff.nextInMs(set, 1500), 1000);
    assert.equal(backoff.nextInMs(set, 2500), 500);
  });

  test("starts again after half an hour without a failure, and with a new generation", () => {
    const waitAfter = (pauseMs: number): number | undefined => {
      const backoff = new FailedPodBackoff();
      backoff.next(set, "a", 0);
      backoff.next(set, "a", pauseMs);
      return backoff.nextInMs(set, pauseMs);
    };
    assert.equal(waitAfter(30 * minute), 2000);
    assert.equal(waitAfter(30 * minute + 1), 1000);
    const backoff = new FailedPodBackoff();
    backoff.next(set, "a", 0);
    const changed = bare("DaemonSet", "agent", { status: { observedGeneration: 2 } });
    assert.equal(backoff.isWaiting(changed, "a", 0), false);
  });
});
