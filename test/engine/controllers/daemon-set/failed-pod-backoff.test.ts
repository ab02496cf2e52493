/** How long failed daemon pods are left alone. */
import assert from "node:assert/strict";
import { FailedPodBackoff } from "../../../../src/engine/controllers/daemon-set/failed-pod-backoff.ts";
import { bare } from "../../../support/bare-objects.ts";

suite("back-off for failed daemon pods", () => {
  const set = bare("DaemonSet", "agent", {});
  const minute = 60_000;

  test("doubles from a second to 15 minutes, separately for each node", () => {
    const backoff = new FailedPodBackoff();
    const waits: number[] = [];
    let now = 0;
    for (let failure = 0; failure < 12; failure++) {
      assert.equal(backoff.next(set, "a", now), undefined);
      const wait = backoff.next(set, "a", now) ?? 0;
      assert.equal(backoff.next(set, "a", now + wait - 1), wait);
      waits.push(wait / 1000);
      now += wait;
    }
    assert.deepEqual(waits, [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 900, 900]);
    assert.equal(backoff.next(set, "b", now), undefined);
  });

  test("is reset after half an hour without a failure, and by a new generation", () => {
    const waitAfter = (pauseMs: number): number | undefined => {
      const backoff = new FailedPodBackoff();
      backoff.next(set, "a", 0);
      backoff.next(set, "a", pauseMs);
      return backoff.next(set, "a", pauseMs);
    };
    assert.equal(waitAfter(30 * minute), 2000);
    assert.equal(waitAfter(30 * minute + 1), 1000);
    const backoff = new FailedPodBackoff();
    backoff.next(set, "a", 0);
    const changed = bare("DaemonSet", "agent", { status: { observedGeneration: 2 } });
    assert.equal(backoff.next(changed, "a", 0), undefined);
  });
});
