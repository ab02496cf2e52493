/**
 * Changes that a kubelet is not told of and notices only at the next periodic sync of the pods concerned, which processes their
 * volumes again. Upstream: pkg/kubelet/volumemanager/volume_manager.go WaitForAttachAndMount with ReprocessPod v1.36.
 */
import { type Key, type KubeObject, keyOf } from "../api/meta.ts";
import type { PersistentVolume, PersistentVolumeClaim, Pod } from "../api/types.ts";
import { claimKeyOf } from "../matching/claim-reference.ts";
import type { ComponentContext } from "../runtime/component.ts";
import { readsObject } from "./volumes/api-data.ts";
import { csiDriverName } from "./volumes/csi-source.ts";
import type { VolumeSpec } from "./volumes/plugin.ts";

/** Has pods synced again if they have a matching volume mounted. */
export type Resync = (matches: (spec: VolumeSpec, pod: Pod) => boolean) => void;

const byName = "metadata.name";
const byKey = "key";

/** Resyncs pods when a driver's requiresRepublish changes. */
export function watchDrivers(context: ComponentContext, resync: Resync): void {
  context.informer("CSIDriver").on({
    update: (before, after) => {
      if (before.spec.requiresRepublish === after.spec.requiresRepublish) return;
      resync((spec) => csiDriverName(spec) === after.metadata.name);
    },
  });
}

/** Resyncs pods when the ConfigMap or Secret behind a volume changes. */
export function watchApiData(context: ComponentContext, resync: Resync): void {
  for (const kind of ["ConfigMap", "Secret"] as const) {
    const changed = ({ metadata: { namespace, name } }: KubeObject): void =>
      resync(
        ({ volume }, pod) =>
          pod.metadata.namespace === namespace &&
          volume !== undefined &&
          readsObject(volume, kind, name),
      );
    context.informer(kind).on({ update: (_, after) => changed(after), delete: changed });
  }
}

/** Resyncs pods when a volume has grown or its claim was recreated. Call the result with each volume that a pod here wants. */
export function volumeWatch(
  context: ComponentContext,
  resync: Resync,
): (volume: PersistentVolume) => void {
  const growth = onceEach((name) => watchGrowth(context, name, resync));
  const claims = onceEach((key) => watchClaim(context, key, resync));
  return (volume) => {
    growth(volume.metadata.name);
    const claim = claimKeyOf(volume);
    if (claim !== undefined) claims(claim);
  };
}

function watchGrowth(context: ComponentContext, name: string, resync: Resync): void {
  const volumes = context.informer("PersistentVolume");
  volumes.index(byName, (volume) => [volume.metadata.name]);
  volumes.onIndexed(byName, name, {
    update: (before, after) => {
      if (before.spec.capacity?.["storage"] === after.spec.capacity?.["storage"]) return;
      resync((spec) => spec.name === name);
    },
  });
}

/** If the claim of a running pod is recreated, the pod gets the new claim's volume beside the mounted one. */
function watchClaim(context: ComponentContext, key: Key, resync: Resync): void {
  const claims = context.informer("PersistentVolumeClaim");
  claims.index(byKey, (claim) => [keyOf(claim)], claims.keys);
  const bound = ({ spec: { volumeName } }: PersistentVolumeClaim): void =>
    resync(
      ({ persistentVolume }) =>
        persistentVolume !== undefined &&
        persistentVolume.metadata.name !== volumeName &&
        claimKeyOf(persistentVolume) === key,
    );
  claims.onIndexed(byKey, key, {
    update: (before, after) => {
      if (before.status?.phase !== "Bound" && after.status?.phase === "Bound") bound(after);
    },
  });
}

function onceEach(action: (name: string) => void): (name: string) => void {
  const seen = new Set<string>();
  return (name) => {
    if (seen.has(name)) return;
    seen.add(name);
    action(name);
  };
}
