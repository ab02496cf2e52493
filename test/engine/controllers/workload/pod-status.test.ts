/** When pods count as available. */
import assert from "node:assert/strict";
import {
  isPodAvailable,
  nextAvailableInMs,
} from "../../../../src/engine/controllers/workload/pod-status.ts";
import { bare } from "../../../support/bare-objects.ts";

const pod = (second: number | undefined, status = "True") =>
  bare("Pod", "web", {
    status: {
      conditions: [
        {
          type: "Ready",
          status,
          ...(second !== undefined && { lastTransitionTime: `2026-01-01T00:00:0${second}Z` }),
        },
      ],
    },
  });

suite("available pods", () => {
  test("have been ready for minReadySeconds, or are ready if that is 0", () => {
    assert.deepEqual(
      [isPodAvailable(pod(2), 5, 6999), isPodAvailable(pod(2), 5, 7000)],
      [false, true],
    );
    assert.equal(isPodAvailable(pod(undefined), 0, 0), true);
    assert.equal(isPodAvailable(pod(undefined), 5, 60_000), false);
    assert.equal(isPodAvailable(pod(2, "False"), 0, 60_000), false);
    assert.equal(isPodAvailable(bare("Pod", "new"), 0, 60_000), false);
  });

  test("the time until the next one is the shortest wait of the pods that are ready", () => {
    const pods = [pod(3), pod(1), pod(2), pod(undefined), pod(1, "False")];
    assert.equal(nextAvailableInMs(pods, 5, 4000), 2000);
    assert.equal(nextAvailableInMs(pods, 5, 6500), 500);
    assert.equal(nextAvailableInMs(pods, 5, 8000), undefined);
    assert.equal(nextAvailableInMs(pods, 0, 0), undefined);
  });
});
