/**
 * The volume mounts in a container's status. Upstream: pkg/kubelet/kubelet_pods.go convertToAPIContainerStatuses,
 * resolveRecursiveReadOnly v1.36.
 */
import { deepFreeze } from "../api/json.ts";
import type { Container, VolumeMount, VolumeMountStatus } from "../api/types.ts";

type Mounts = readonly VolumeMountStatus[];

/** By whether the runtime supports recursive read-only mounts. Cached, because every status change of a pod includes them. */
const known: Readonly<Record<"can" | "cannot", WeakMap<Container, Mounts>>> = {
  can: new WeakMap(),
  cannot: new WeakMap(),
};

/** Undefined if the container has no mounts. */
export function mountStatuses(container: Container, canRecurse: boolean): Mounts | undefined {
  const { volumeMounts = [] } = container;
  if (volumeMounts.length === 0) return undefined;
  const cache = known[canRecurse ? "can" : "cannot"];
  let mounts = cache.get(container);
  if (mounts === undefined) {
    mounts = deepFreeze(volumeMounts.map((mount) => mountStatus(mount, canRecurse)));
    cache.set(container, mounts);
  }
  return mounts;
}

function mountStatus(mount: VolumeMount, canRecurse: boolean): VolumeMountStatus {
  const { name, mountPath, readOnly } = mount;
  if (readOnly !== true) return { mountPath, name };
  const recursiveReadOnly = canRecurse && asksForAll(mount) ? "Enabled" : "Disabled";
  return { mountPath, name, readOnly, recursiveReadOnly };
}

function asksForAll({ recursiveReadOnly, mountPropagation = "None" }: VolumeMount): boolean {
  const isAsked = recursiveReadOnly === "Enabled" || recursiveReadOnly === "IfPossible";
  return isAsked && mountPropagation === "None";
}
