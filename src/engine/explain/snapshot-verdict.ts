/** Whether a snapshot can be restored from. */
import { type KubeObject, makeRef, refOf } from "../api/meta.ts";
import { makeVerdict } from "./make-verdict.ts";
import type { RunFacts } from "./run-facts.ts";
import type { Verdict } from "./verdict.ts";

export function snapshotVerdict(facts: RunFacts, snapshot: KubeObject<"VolumeSnapshot">): Verdict {
  const ref = refOf(snapshot);
  const claim = snapshot.spec.source.persistentVolumeClaimName;
  const chain =
    claim === undefined
      ? []
      : [
          {
            ref: makeRef("PersistentVolumeClaim", snapshot.metadata.namespace, claim),
            text: "is its source",
          },
        ];
  if (snapshot.status?.readyToUse === true)
    return makeVerdict(
      snapshot,
      "healthy",
      `is ready to use${snapshot.status.restoreSize === undefined ? "" : `, ${snapshot.status.restoreSize}`}`,
      { chain },
    );
  const event = facts.lastEvent(ref, (e) => e.eventType === "Warning");
  const message = snapshot.status?.error?.message;
  if (event !== undefined || message !== undefined)
    return makeVerdict(snapshot, "fails", "cannot be taken", {
      event,
      message,
      root: { ref, field: "spec" },
      chain,
    });
  return makeVerdict(snapshot, "will-happen", "is being taken", { chain });
}
