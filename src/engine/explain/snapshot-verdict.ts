/** Whether a snapshot can be restored from. */
import { makeRef, refOf } from "../api/meta.ts";
import { hasAnnotation } from "../matching/annotations.ts";
import { type Content, type Snapshot, snapshotAnnotation } from "../matching/snapshots.ts";
import { makeVerdict } from "./make-verdict.ts";
import type { RunFacts } from "./run-facts.ts";
import type { Verdict } from "./verdict.ts";

export function snapshotVerdict(facts: RunFacts, snapshot: Snapshot): Verdict {
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
  if (snapshot.metadata.deletionTimestamp !== undefined) return deletedSnapshot(facts, snapshot);
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
  const untaken = unheardContent(facts, snapshot);
  if (untaken !== undefined) return nobodyVerdict(facts, snapshot, untaken, "cannot be taken");
  return makeVerdict(snapshot, "will-happen", "is being taken", { chain });
}

function contentOf(facts: RunFacts, snapshot: Snapshot): Content | undefined {
  const name = snapshot.status?.boundVolumeSnapshotContentName ?? "";
  return facts.get("VolumeSnapshotContent", undefined, name);
}

/** The content, where no snapshotter has taken it up. */
function unheardContent(facts: RunFacts, snapshot: Snapshot): Content | undefined {
  const content = contentOf(facts, snapshot);
  if (content?.status !== undefined) return undefined;
  const isMarked = content !== undefined && hasAnnotation(content, snapshotAnnotation.beingCreated);
  return isMarked ? undefined : content;
}

function nobodyVerdict(
  facts: RunFacts,
  snapshot: Snapshot,
  content: Content,
  headline: string,
): Verdict {
  const { driver } = content.spec;
  const root = { ref: refOf(content), field: "spec.driver" };
  const chain = [{ ref: refOf(content), text: `is left to ${driver}` }];
  return facts.isStopped(driver)
    ? makeVerdict(snapshot, "waits-for-you", `${headline}: the controller of ${driver} is down`, {
        chain,
      })
    : makeVerdict(
        snapshot,
        "stuck",
        `${headline}: nobody in this cluster takes snapshots of ${driver}`,
        { root, chain },
      );
}

function deletedSnapshot(facts: RunFacts, snapshot: Snapshot): Verdict {
  const ref = refOf(snapshot);
  const content = contentOf(facts, snapshot);
  const event =
    facts.lastEvent(ref, (e) => e.reason === "SnapshotDeletePending") ??
    (content === undefined
      ? undefined
      : facts.lastEvent(refOf(content), (e) => e.reason === "SnapshotDeleteError"));
  if (event?.reason === "SnapshotDeletePending") {
    const headline =
      "is being deleted, but stays until the claim that is restored from it is bound";
    return makeVerdict(snapshot, "will-happen", headline, { event });
  }
  if (event !== undefined && content !== undefined) {
    const chain = [{ ref: refOf(content), text: "is its content" }];
    return makeVerdict(snapshot, "fails", "is being deleted, but its driver cannot delete it", {
      event,
      chain,
    });
  }
  const unheard = unheardContent(facts, snapshot);
  if (unheard !== undefined) return nobodyVerdict(facts, snapshot, unheard, "cannot be deleted");
  return makeVerdict(snapshot, "will-happen", "is being deleted");
}
