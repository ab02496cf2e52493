/**
 * Removes the restore finalizer from snapshots whose restore ended without doing so: no Pending claim uses them.
 * Upstream: external-provisioner v6.3 SnapshotFinalizerController, which sweeps at its start and then every five minutes.
 */
import type { KubeObject } from "../../api/meta.ts";
import { hasFinalizer, withFinalizers } from "../../matching/annotations.ts";
import { claimsByRestoredSnapshot, restoredSnapshotKeys } from "../../matching/snapshots.ts";
import type { ComponentContext } from "../../runtime/component.ts";
import { patch, type Task } from "../../runtime/effects.ts";
import { snapshotSourceFinalizer } from "./content-source.ts";

const periodMs = 300_000;

export function sweepSnapshotFinalizers(context: ComponentContext): void {
  const claims = context.informer("PersistentVolumeClaim");
  const snapshots = context.informer("VolumeSnapshot");
  const startedAt = context.now;
  let armed = false;
  claims.index(claimsByRestoredSnapshot, restoredSnapshotKeys);

  const isInUse = ({ metadata }: KubeObject<"VolumeSnapshot">): boolean =>
    claims
      .byIndex(claimsByRestoredSnapshot, `${metadata.namespace}/${metadata.name}`)
      .some((claim) => claim.status?.phase === "Pending");

  function* sweep(): Task {
    armed = false;
    for (const snapshot of snapshots.list()) {
      if (!hasFinalizer(snapshot, snapshotSourceFinalizer)) continue;
      if (isInUse(snapshot)) arm();
      else yield* release(snapshot);
    }
  }

  // Only snapshots with the finalizer matter, so the timer runs only while there is one.
  function arm(): void {
    if (armed) return;
    armed = true;
    const untilNext = periodMs - ((context.now - startedAt) % periodMs);
    context.after(untilNext, () => context.go(sweep()));
  }
  const look = (snapshot: KubeObject<"VolumeSnapshot">): void => {
    if (hasFinalizer(snapshot, snapshotSourceFinalizer)) arm();
  };
  snapshots.on({ add: look, update: (_, snapshot) => look(snapshot) });
  context.go(sweep());
}

function* release(snapshot: KubeObject<"VolumeSnapshot">): Task {
  const { namespace, name } = snapshot.metadata;
  yield* patch("VolumeSnapshot", namespace, name, (current) =>
    withFinalizers(
      current,
      (current.metadata.finalizers ?? []).filter((f) => f !== snapshotSourceFinalizer),
    ),
  );
}
