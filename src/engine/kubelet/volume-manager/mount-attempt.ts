/**
 * What mounting a file system and mapping a raw device have in common.
 * Upstream: pkg/volume/util/operationexecutor/operation_generator.go v1.36.
 */
import { makeRef, type Ref, refOf } from "../../api/meta.ts";
import { isReachableFrom, nodeAffinityMismatch } from "../../matching/node-affinity.ts";
import { event, type Task } from "../../runtime/effects.ts";
import type { VolumeHost, VolumeSpec } from "../volumes/plugin.ts";
import type { ActualState, ActualVolume, MountedPod } from "./actual-state.ts";
import type { DesiredPod } from "./desired-state.ts";

export interface MountContext {
  readonly host: VolumeHost;
  readonly actual: ActualState;
}

export interface FailedStep {
  readonly step: string;
  readonly error: string;
  /** The pods with the volume over which the kubelet has panicked; a panic makes no event. */
  readonly panickedOver?: readonly Ref[];
}

export function* tellFailure(
  { host: { context } }: MountContext,
  { pod, spec }: DesiredPod,
  reason: "FailedMapVolume" | "FailedMount",
  { step, error, panickedOver }: FailedStep,
): Task {
  const text = `${step} for volume "${spec.name}" : ${error}`;
  if (panickedOver !== undefined) {
    context.decide(refOf(pod), { reason: "MountPanicked", text, because: panickedOver });
    return;
  }
  yield* event(refOf(pod), "Warning", reason, text);
  context.decide(refOf(pod), { reason, text, because: objectsBehind(spec) });
}

/** The PersistentVolume, claim and CSIDriver behind a volume; none for a volume of the pod itself. */
export function objectsBehind({ persistentVolume }: VolumeSpec): readonly Ref[] {
  if (persistentVolume === undefined) return [];
  const { claimRef, csi } = persistentVolume.spec;
  const refs = [makeRef("PersistentVolume", undefined, persistentVolume.metadata.name)];
  if (claimRef?.name !== undefined) {
    refs.push(makeRef("PersistentVolumeClaim", claimRef.namespace, claimRef.name));
  }
  if (csi !== undefined) refs.push(makeRef("CSIDriver", undefined, csi.driver));
  return refs;
}

export function* nothing(): Task<undefined> {
  return undefined;
}

export const takenByOtherPod =
  "volume uses the ReadWriteOncePod access mode and is already in use by another pod";

export function isTakenByOtherPod(volume: ActualVolume, pod: DesiredPod): boolean {
  const modes = pod.spec.persistentVolume?.spec.accessModes ?? [];
  if (modes.length !== 1 || modes[0] !== "ReadWriteOncePod") return false;
  return mountedElsewhere(volume, pod).length > 0;
}

/** Other pods that have the volume mounted, or may have it. Upstream: IsVolumeMountedElsewhere. */
export function mountedElsewhere(
  { pods }: ActualVolume,
  { pod }: DesiredPod,
): readonly MountedPod[] {
  return [...pods.values()].filter(({ podUid }) => podUid !== pod.metadata.uid);
}

/**
 * The failure of an inline network disk that another pod of the node has mounted: for every pod but the first, the kubelet
 * reads the access modes of a PersistentVolume that does not exist. Upstream: GenerateMountVolumeFunc, whose panic
 * GeneratedOperations.Run recovers from.
 */
export function panicOver(others: readonly MountedPod[]): FailedStep {
  return {
    step: "MountVolume failed",
    error:
      'recovered from panic "runtime error: invalid memory address or nil pointer dereference"',
    panickedOver: others.flatMap(({ podRef }) => podRef ?? []),
  };
}

/**
 * Returns why the volume must not be used on this node; undefined if it may. Without its Node, a kubelet mounts no
 * PersistentVolume. Upstream: checkNodeAffinity, with kubelet volume_host.go GetNodeLabels.
 */
export function nodeAffinityError(host: VolumeHost, spec: VolumeSpec): string | undefined {
  const { persistentVolume } = spec;
  if (persistentVolume === undefined) return undefined;
  const node = host.context.informer("Node").get(host.nodeName);
  if (node === undefined) return `error retrieving node: node "${host.nodeName}" not found`;
  const isReachable = isReachableFrom(persistentVolume, node.metadata.labels);
  return isReachable ? undefined : nodeAffinityMismatch(persistentVolume);
}
