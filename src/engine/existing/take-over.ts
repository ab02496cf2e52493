/**
 * Begins a run in the middle of a cluster's life: stores its objects unchanged, and sets up machines and drivers' storage as
 * the objects describe them. Components that start then find what they would find after a restart of the control plane;
 * kubelets and drivers were never interrupted. Upstream: nothing; a real cluster has its past.
 */
import { push } from "../api/go/multi-map.ts";
import { type Kind, type KubeObject, keyOf, makeKey, type Ref } from "../api/meta.ts";
import type { Pod } from "../api/types.ts";
import { isStarting } from "../kubelet/pod-status.ts";
import { isPodEnded } from "../matching/pod-state.ts";
import type { Runtime } from "../runtime/runtime.ts";
import type { ClusterProfile } from "../scenario.ts";
import { readState } from "./read-state.ts";

/** Returns the uids of the objects. */
export function takeOver(runtime: Runtime, cluster: ClusterProfile): ReadonlySet<string> {
  const { objects: read, leftOut } = readState(cluster);
  const objects = boundByUid(read.map((object) => withUid(runtime, object)));
  for (const object of objects) runtime.api.restore(object);
  for (const { refs, without } of leftOut)
    for (const ref of refs) tellLeftOut(runtime, ref, without);
  runtime.drivers.addExisting(objects);
  const { machines, loop } = runtime;
  const byNode = new Map<string, Pod[]>();
  for (const pod of objects) {
    if (pod.kind !== "Pod") continue;
    const { nodeName } = pod.spec;
    // Without a start time the kubelet has not admitted the pod yet.
    if (nodeName === undefined || pod.status?.startTime === undefined) continue;
    push(byNode, nodeName, pod);
  }
  for (const [node, pods] of byNode)
    machines.get(node)?.adopt(pods, new Set(pods.filter(hasVolumes)), loop.now);
  return new Set(objects.map(({ metadata }) => metadata.uid));
}

function tellLeftOut({ trace, loop }: Runtime, about: Ref, without: Kind): void {
  const text = `a ${without} that it needs was not saved with it`;
  const decision = { reason: "LeftOut", text };
  trace.add(loop.now, { type: "decision", actor: "cluster", about, decision, seq: 0, at: 0 });
}

/** A text that was shortened by hand may lack the uid. */
function withUid(runtime: Runtime, object: KubeObject): KubeObject {
  if ((object.metadata.uid ?? "") !== "") return object;
  return { ...object, metadata: { ...object.metadata, uid: runtime.random.uuid() } };
}

/** Adds the claim's uid to the claimRef of a bound volume that lacks it; otherwise the claim would be taken for another one. */
function boundByUid(objects: readonly KubeObject[]): readonly KubeObject[] {
  const claims = new Map(
    objects.flatMap((object) =>
      object.kind === "PersistentVolumeClaim" ? [[keyOf(object), object.metadata.uid]] : [],
    ),
  );
  return objects.map((object) => {
    if (object.kind !== "PersistentVolume" || object.status?.phase !== "Bound") return object;
    const { claimRef } = object.spec;
    const uid = claims.get(makeKey(claimRef?.namespace, claimRef?.name ?? ""));
    if (uid === undefined || (claimRef?.uid ?? "") !== "") return object;
    return { ...object, spec: { ...object.spec, claimRef: { ...claimRef, uid } } };
  });
}

/**
 * True if the pod's volumes are mounted: a kubelet mounts them before it looks at images, and unmounts them when the pod has
 * ended.
 */
function hasVolumes(pod: Pod): boolean {
  if (isPodEnded(pod)) return false;
  const { status } = pod;
  const all = [...(status?.initContainerStatuses ?? []), ...(status?.containerStatuses ?? [])];
  return all.some(
    ({ state = {}, lastState }) =>
      state.running !== undefined ||
      state.terminated !== undefined ||
      lastState?.terminated !== undefined ||
      !isStarting(state),
  );
}
