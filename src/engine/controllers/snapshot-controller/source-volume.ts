/**
 * The claim and volume of which a snapshot is taken, and the class that determines how. Upstream: external-snapshotter v8.6
 * pkg/common-controller/snapshot_controller.go getVolumeFromVolumeSnapshot, getClaimFromVolumeSnapshot,
 * SetDefaultSnapshotClass, pvDriverFromSnapshot.
 */
import { goQuote } from "../../api/go/text.ts";
import { type KubeObject, keyOf } from "../../api/meta.ts";
import { type Found, isDefaultFor, type Snapshot } from "../../matching/snapshots.ts";
import type { ComponentContext } from "../../runtime/component.ts";
import { getLive, type Task } from "../../runtime/effects.ts";

function missing<T>(error: string): Found<T> {
  return { ok: false, error };
}

export function sourceClaim(
  context: ComponentContext,
  snapshot: Snapshot,
): Found<KubeObject<"PersistentVolumeClaim">> {
  const name = snapshot.spec.source.persistentVolumeClaimName ?? "";
  if (name === "") return missing(`the PVC name is not specified in snapshot ${keyOf(snapshot)}`);
  const key = `${snapshot.metadata.namespace}/${name}`;
  const claim = context.informer("PersistentVolumeClaim").get(key);
  if (claim !== undefined) return { ok: true, object: claim };
  const error = `persistentvolumeclaim "${name}" not found`;
  return missing(`failed to retrieve PVC ${name} from the lister: ${goQuote(error)}`);
}

export function* sourceVolume(
  context: ComponentContext,
  snapshot: Snapshot,
): Task<Found<KubeObject<"PersistentVolume">>> {
  const found = sourceClaim(context, snapshot);
  if (!found.ok) return found;
  const { metadata, spec, status } = found.object;
  if (status?.phase !== "Bound") {
    return missing(
      `the PVC ${metadata.name} is not yet bound to a PV, will not attempt to take a snapshot`,
    );
  }
  const volumeName = spec.volumeName ?? "";
  const live = yield* getLive("PersistentVolume", undefined, volumeName);
  if (!live.ok) {
    const cause = goQuote(live.error.message);
    return missing(`failed to retrieve PV ${volumeName} from the API server: ${cause}`);
  }
  const { claimRef } = live.object.spec;
  const isBound =
    claimRef !== undefined &&
    ["", metadata.uid].includes(claimRef.uid ?? "") &&
    claimRef.name === metadata.name &&
    claimRef.namespace === metadata.namespace;
  return isBound ? live : missing("claim in dataSource not bound or invalid");
}

/** Returns the only default class for the driver of the snapshot's volume. */
export function* defaultClass(
  context: ComponentContext,
  snapshot: Snapshot,
): Task<Found<KubeObject<"VolumeSnapshotClass">>> {
  const volume = yield* sourceVolume(context, snapshot);
  if (!volume.ok) return volume;
  const { namespace, name } = snapshot.metadata;
  const driver = volume.object.spec.csi?.driver;
  if (driver === undefined) {
    return missing(`snapshotting non-CSI volumes is not supported, snapshot:${namespace}/${name}`);
  }
  const defaults = context
    .informer("VolumeSnapshotClass")
    .list()
    .filter((snapshotClass) => isDefaultFor(driver, snapshotClass));
  const [only] = defaults;
  if (only === undefined) return missing("cannot find default snapshot class");
  if (defaults.length === 1) return { ok: true, object: only };
  return missing(`${defaults.length} default snapshot classes were found`);
}
