/**
 * What must be true once the faults have stopped and the cluster is at rest.
 *
 * - Nothing is written any more, except by retries that fail forever.
 * - A bound claim and its volume name each other.
 * - Objects in deletion are gone, unless an existing object uses them.
 * - No object outlives its owner, and no workload has more pods than it wants.
 * - A running container has passed its probes.
 * - A pod that does not run, and a claim without a volume or smaller than it requests, still get events that say why.
 * - A volume is attached only where a pod uses it, and a machine has mounts only for its pods.
 */
import {
  controllerOf,
  type Kind,
  type KubeObject,
  type Ref,
  refOf,
} from "../../src/engine/api/meta.ts";
import { quantityBytes } from "../../src/engine/api/quantity.ts";
import { finalizer, hasFinalizer } from "../../src/engine/matching/annotations.ts";
import { readyCondition } from "../../src/engine/matching/node-state.ts";
import type { Machine } from "../../src/engine/node/machine.ts";
import type { Simulation } from "../../src/engine/simulation.ts";
import type { EventEntry, WriteEntry } from "../../src/engine/trace/entry.ts";
import type { Trace } from "../../src/engine/trace/trace.ts";

/** Longer than any component waits that still has something to do. */
const quietMs = 300_000;

/** Longer than the longest back-off plus the interval between equal events. */
const silenceMs = 390_000;

type Claim = KubeObject<"PersistentVolumeClaim">;
type Volume = KubeObject<"PersistentVolume">;
type Pod = KubeObject<"Pod">;

/** A sentence for each breach of a rule for clusters at rest; empty if there are none. */
export function unrest(simulation: Simulation): readonly string[] {
  const refused = refusedLately(simulation.trace, simulation.now);
  const cluster = new ClusterAtRest(simulation.runtime.api.store.all(), refused);
  return [
    ...lateWrites(simulation.trace, simulation.now),
    ...cluster.bindings(),
    ...cluster.deletions(),
    ...cluster.orphans(),
    ...cluster.surplus(),
    ...cluster.readiness(),
    ...cluster.attachments(claimsOfVolumes(simulation.trace)),
    ...cluster.mounts(simulation.runtime.machines.values()),
    ...cluster.silence(
      toldLately(simulation.trace, simulation.now),
      toldConflicts(simulation.trace),
    ),
  ];
}

/** Writes shortly before the end that are no endless retries, and limits that ended the run. */
function lateWrites(trace: Trace, end: number): readonly string[] {
  const bindsInVain = trace.entries.some(
    (entry) =>
      entry.type === "decision" &&
      entry.at > end - quietMs - bindTimeoutMs &&
      entry.decision.reason === "SchedulerError",
  );
  const writes = trace.entries.filter(
    (entry) => entry.type === "write" && entry.at > end - quietMs,
  );
  const crashes = writes.some((entry) => entry.type === "write" && hasRestarted(entry.after));
  return trace.entries.flatMap((entry) => {
    if (entry.type === "limit") return [entry.message];
    const isLate = entry.type === "write" && entry.at > end - quietMs;
    const late =
      isLate &&
      !isEndlessRetry(entry) &&
      !(bindsInVain && isOnlyTried(entry)) &&
      !(crashes && entry.after?.kind === "PodDisruptionBudget");
    return late ? [`${entry.actor} still wrote ${entry.ref} at ${entry.at} ms`] : [];
  });
}

/** Upstream: volumebinding v1.36, DefaultBindTimeoutSeconds. */
export const bindTimeoutMs: number = 600_000;

/**
 * True if the write only shows a failed scheduling attempt. While a pod waits in vain for its volumes on a node, it takes room
 * that other pods request: pods are then tried and refused in turn, with reasons that depend on which of them holds the room.
 */
function isOnlyTried({ before, after }: WriteEntry): boolean {
  // A claim gets the annotation with its selected node, and loses it when provisioning fails.
  if (before?.kind === "PersistentVolumeClaim" && after?.kind === "PersistentVolumeClaim")
    return (
      after.status?.phase === "Pending" && textOf(unmarked(before)) === textOf(unmarked(after))
    );
  return (
    before?.kind === "Pod" &&
    after?.kind === "Pod" &&
    after.spec.nodeName === undefined &&
    textOf(untried(before)) === textOf(untried(after))
  );
}

function untried(pod: Pod): KubeObject {
  const conditions = pod.status?.conditions?.filter(({ type }) => type !== "PodScheduled");
  return { ...pod, status: { ...pod.status, conditions } } as KubeObject;
}

/** Objects whose writes were refused lately, without an event, as by a LimitRange for a claim that is too large. */
function refusedLately(trace: Trace, end: number): ReadonlySet<Ref> {
  return new Set(
    trace.entries.flatMap((entry) =>
      entry.type === "refused" && entry.at > end - quietMs ? [entry.ref] : [],
    ),
  );
}

/** Objects with a recent event or a pending retry. Event recorders let an equal event through every five minutes. */
function toldLately(trace: Trace, end: number): ReadonlySet<Ref> {
  const told = new Set<Ref>();
  for (const entry of trace.entries) {
    if (entry.type === "event" && (entry.at > end - silenceMs || isToldOnce(entry)))
      told.add(entry.about);
    if (entry.type === "decision" && (entry.decision.due ?? 0) > end) told.add(entry.about);
  }
  return told;
}

/**
 * True for events that are recorded only once per conflict. Upstream: attachdetach reconciler.go, reportMultiAttachError; the
 * kubelet records none while it waits for an attachment.
 */
function isToldOnce({ message }: EventEntry): boolean {
  return message.startsWith("Multi-Attach error");
}

/**
 * Node and volume of each multi-attach conflict: pods that come to the node later get no event, even when the first pods are
 * gone. Upstream: attachdetach desired_state_of_world.go, SetMultiAttachError.
 */
function toldConflicts(trace: Trace): ReadonlySet<string> {
  const conflicts = new Set<string>();
  const nodeOf = new Map<Ref, string>();
  for (const entry of trace.entries) {
    if (entry.type === "write" && entry.after?.kind === "Pod")
      nodeOf.set(entry.ref, entry.after.spec.nodeName ?? "");
    else if (entry.type === "event" && isToldOnce(entry))
      conflicts.add(`${nodeOf.get(entry.about)} ${/volume "([^"]+)"/.exec(entry.message)?.[1]}`);
  }
  return conflicts;
}

/**
 * Some failures are retried forever, which counts as rest: a crashed container is restarted, an attachment or a resize gets the
 * same error with a new time, a pod whose volumes are not made in time is assigned to a node again (volumebinding v1.36,
 * PreBind: after ten minutes, with a nomination while it waits). Writes that change anything else do not count as rest.
 */
function isEndlessRetry({ before, after }: WriteEntry): boolean {
  switch (after?.kind) {
    case "VolumeAttachment":
    case "PersistentVolumeClaim":
      return before !== undefined && hasError(after) && textOf(before) === textOf(after);
    case "VolumeSnapshotContent":
      // Each attempt adds and removes the annotation that the snapshot is being taken.
      return (
        before !== undefined &&
        after.status?.error !== undefined &&
        textOf(unmarked(before)) === textOf(unmarked(after))
      );
    case "Pod":
      return (
        hasRestarted(after) ||
        (before !== undefined && hasFailedToBind(after) && textOf(before) === textOf(after))
      );
    default:
      return false;
  }
}

function hasError({ status }: KubeObject<"VolumeAttachment" | "PersistentVolumeClaim">): boolean {
  if (status === undefined) return false;
  // A resize that cannot begin only has the condition Resizing.
  if ("conditions" in status) return status.conditions?.some(isResize) === true;
  return "attachError" in status || "detachError" in status;
}

/** True for pods with restarted containers: the pod is ready between crashes, so its status keeps changing. */
function hasRestarted(object: KubeObject | undefined): boolean {
  if (object?.kind !== "Pod") return false;
  const { containerStatuses = [], initContainerStatuses = [] } = object.status ?? {};
  return [...containerStatuses, ...initContainerStatuses].some((c) => c.restartCount > 0);
}

function unmarked<T extends KubeObject>(object: T): T {
  const { annotations: _, ...metadata } = object.metadata;
  return { ...object, metadata };
}

function hasFailedToBind({ status }: Pod): boolean {
  return status?.conditions?.some(({ reason }) => reason === "SchedulerError") === true;
}

function isResize({ type }: { readonly type: string }): boolean {
  return type === "Resizing" || type.endsWith("ResizeError");
}

const passing: ReadonlySet<string> = new Set(["resourceVersion", "nominatedNodeName"]);

function textOf(object: KubeObject): string {
  return JSON.stringify(object, (key, value: unknown) =>
    passing.has(key) ? undefined : value,
  ).replace(/"\d{4}-\d\d-\d\dT[^"]*"/g, "");
}

/** The name of each volume's last claim, by the volume's name, including volumes that are gone. */
function claimsOfVolumes(trace: Trace): ReadonlyMap<string, string> {
  const claims = new Map<string, string>();
  for (const entry of trace.entries)
    if (entry.type === "write" && entry.after?.kind === "PersistentVolume")
      claims.set(entry.after.metadata.name, entry.after.spec.claimRef?.name ?? "");
  return claims;
}

class ClusterAtRest {
  readonly #all: readonly KubeObject[];
  readonly #refused: ReadonlySet<Ref>;
  readonly #claims: readonly Claim[];
  readonly #volumes: readonly Volume[];
  readonly #pods: readonly Pod[];
  readonly #snapshots: readonly KubeObject<"VolumeSnapshot">[];

  /** `refused` are objects that the API server does not let anybody change. */
  constructor(objects: Iterable<KubeObject>, refused: ReadonlySet<Ref>) {
    this.#all = [...objects];
    this.#refused = refused;
    this.#claims = this.#of("PersistentVolumeClaim");
    this.#volumes = this.#of("PersistentVolume");
    this.#pods = this.#of("Pod");
    this.#snapshots = this.#of("VolumeSnapshot");
  }

  #of<K extends Kind>(kind: K): readonly KubeObject<K>[] {
    return this.#all.filter((object) => object.kind === kind) as unknown as KubeObject<K>[];
  }

  bindings(): string[] {
    const volumes = new Map(this.#volumes.map((volume) => [volume.metadata.name, volume]));
    const claims = new Map(this.#claims.map((claim) => [claim.metadata.uid, claim]));
    const alone = this.#claims.flatMap(({ metadata, spec, status }) => {
      if (status?.phase !== "Bound") return [];
      const volume = volumes.get(spec.volumeName ?? "");
      return volume?.spec.claimRef?.uid === metadata.uid
        ? []
        : [`${metadata.name} is bound to ${spec.volumeName}, which does not name it`];
    });
    const unwanted = this.#volumes.flatMap(({ metadata, spec, status }) => {
      // A volume deleted before its claim names it stays so: no claim is bound to it any more (FindMatchingVolume).
      if (status?.phase !== "Bound" || metadata.deletionTimestamp !== undefined) return [];
      const claim = claims.get(spec.claimRef?.uid ?? "");
      return claim?.spec.volumeName === metadata.name || this.#isRefused(claim)
        ? []
        : [`${metadata.name} is bound to ${spec.claimRef?.name}, which is not its claim`];
    });
    return [...alone, ...unwanted];
  }

  #isRefused(claim: Claim | undefined): boolean {
    return claim !== undefined && this.#refused.has(refOf(claim));
  }

  deletions(): string[] {
    return this.#all
      .filter(
        (object) =>
          object.metadata.deletionTimestamp !== undefined && !this.#isUsed(object as KubeObject),
      )
      .map((object) => `${object.kind} ${object.metadata.name} is still being deleted`);
  }

  #isUsed(object: KubeObject): boolean {
    const { name } = object.metadata;
    switch (object.kind) {
      case "PersistentVolumeClaim":
        return (
          // Pods that have ended count: upstream pvc_protection_controller.go, podUsesPVC.
          this.#pods.some((pod) => this.#uses(pod, name)) ||
          this.#snapshots.some(
            ({ spec, status }) =>
              spec.source.persistentVolumeClaimName === name && status?.readyToUse !== true,
          )
        );
      case "PersistentVolume":
        // A pod on a node keeps its claim's volume attached, even if the claim was deleted before the pod could start.
        return (
          object.status?.phase === "Bound" ||
          // Upstream: sig-storage-lib-external-provisioner controller.go shouldDelete, which handles only Released volumes.
          (object.status?.phase === "Available" &&
            hasFinalizer(object, finalizer.externalProvisioner)) ||
          this.#pods.some(
            (pod) =>
              (pod.spec.nodeName ?? "") !== "" && this.#uses(pod, object.spec.claimRef?.name ?? ""),
          )
        );
      case "VolumeSnapshot":
        // A deadlock: the snapshot waits for the claim, which cannot be restored from a snapshot in deletion.
        return this.#claims.some(
          ({ spec, status }) => spec.dataSource?.name === name && status?.phase === "Pending",
        );
      case "VolumeAttributesClass":
        // Upstream vac_protection_controller.go: the classes that a claim requests, has or is changing to, and its volume's.
        return (
          this.#volumes.some(({ spec }) => spec.volumeAttributesClassName === name) ||
          this.#claims.some(({ spec, status }) =>
            [
              spec.volumeAttributesClassName,
              status?.currentVolumeAttributesClassName,
              status?.modifyVolumeStatus?.targetVolumeAttributesClassName,
            ].includes(name),
          )
        );
      case "Pod":
        // A deadlock of pod and claim: upstream pvc_protection_controller.go excepts only the claims of ephemeral volumes.
        return this.#claims.some(
          (claim) => isOwnedBy(claim, object) && this.#uses(object, claim.metadata.name),
        );
      case "StatefulSet":
        return this.#pods.some((pod) => isOwnedBy(pod, object) && this.#isUsed(pod));
      default:
        return false;
    }
  }

  #uses(pod: Pod, claimName: string): boolean {
    return (pod.spec.volumes ?? []).some(
      (volume) =>
        volume.persistentVolumeClaim?.claimName === claimName ||
        (volume.ephemeral !== undefined && `${pod.metadata.name}-${volume.name}` === claimName),
    );
  }

  orphans(): string[] {
    const uids = new Set(this.#all.map((object) => object.metadata.uid));
    // Objects in deletion that are still there must be in use: `deletions` checks that.
    const staying = this.#all.filter((o) => o.metadata.deletionTimestamp === undefined);
    return staying.flatMap((object) =>
      (object.metadata.ownerReferences ?? [])
        .filter((owner) => !uids.has(owner.uid))
        .map((owner) => `${object.metadata.name} outlived its owner ${owner.kind} ${owner.name}`),
    );
  }

  surplus(): string[] {
    return this.#all.flatMap((owner) => {
      if (owner.kind !== "ReplicaSet" && owner.kind !== "StatefulSet") return [];
      const pods = this.#pods.filter(
        (pod) => controllerOf(pod)?.uid === owner.metadata.uid && isAlive(pod),
      );
      const wanted = owner.spec?.replicas ?? 1;
      // Upstream: stateful_set_control.go, UpdatePodClaimForRetentionPolicy comes before a pod is deleted.
      if (
        pods.some((pod) =>
          this.#claims.some((c) => this.#isRefused(c) && this.#uses(pod, c.metadata.name)),
        )
      )
        return [];
      return pods.length <= wanted || waitsForPod(owner as KubeObject, pods, wanted)
        ? []
        : [`${owner.metadata.name} has ${pods.length} pods, wants ${wanted}`];
    });
  }

  /** Skips pods on nodes that are not ready, whose status does not come from a kubelet. */
  readiness(): string[] {
    const nodes = this.#of("Node").filter((node) => readyCondition(node)?.status === "True");
    const names = new Set(nodes.map(({ metadata }) => metadata.name));
    return this.#pods.flatMap(({ metadata: { name }, spec, status }) => {
      if (!names.has(spec.nodeName ?? "")) return [];
      return (status?.containerStatuses ?? []).flatMap(({ state, ready }) =>
        state?.running !== undefined && !ready ? [`${name} runs and is not ready`] : [],
      );
    });
  }

  attachments(claimsOfAll: ReadonlyMap<string, string>): string[] {
    return this.#of("VolumeAttachment").flatMap(({ spec, metadata }) => {
      const name = spec.source.persistentVolumeName ?? "";
      const claims = this.#claims
        .filter((claim) => claim.spec.volumeName === name)
        .map((claim) => claim.metadata.name);
      // Claim and volume may have been deleted while the pod was scheduled: the attachment is tried as long as the pod exists.
      claims.push(claimsOfAll.get(name) ?? "");
      const isUsed = this.#pods.some(
        (pod) =>
          pod.spec.nodeName === spec.nodeName &&
          !isOver(pod) &&
          claims.some((claim) => this.#uses(pod, claim)),
      );
      return isUsed ? [] : [`${metadata.name} attaches ${name} for nobody`];
    });
  }

  mounts(machines: Iterable<Machine>): string[] {
    const uids = new Set(this.#pods.map(({ metadata }) => metadata.uid));
    return [...machines].flatMap((machine) =>
      machine.mounts.entries.flatMap(({ target }) => {
        const uid = /\/pods\/([^/]+)\//.exec(target)?.[1];
        return uid === undefined || uids.has(uid)
          ? []
          : [`${target} is still mounted on ${machine.name}`];
      }),
    );
  }

  silence(told: ReadonlySet<Ref>, conflicts: ReadonlySet<string>): string[] {
    const pods = this.#pods.filter(
      (pod) => pod.status?.phase === "Pending" && pod.spec.nodeName !== undefined && isAlive(pod),
    );
    const claims = this.#claims.filter(
      (claim) =>
        claim.metadata.deletionTimestamp === undefined &&
        !isServed(claim) &&
        !this.#isRefused(claim) &&
        !this.#waitsSilently(claim),
    );
    return [...pods.filter((pod) => !this.#isIn(conflicts, pod)), ...claims]
      .filter((object) => !told.has(refOf(object as KubeObject)))
      .map((object) => `${object.kind} ${object.metadata.name} waits, and nobody says for what`);
  }

  #isIn(conflicts: ReadonlySet<string>, pod: Pod): boolean {
    return this.#claims.some(
      ({ metadata, spec }) =>
        conflicts.has(`${pod.spec.nodeName} ${spec.volumeName}`) && this.#uses(pod, metadata.name),
    );
  }

  /** Upstream: pv_controller.go, syncUnboundClaim: a claim whose named volume is not there gets no event. */
  #waitsSilently({ spec, status }: Claim): boolean {
    const { volumeName = "" } = spec;
    if (status?.phase === "Bound" || volumeName === "") return false;
    return !this.#volumes.some((volume) => volume.metadata.name === volumeName);
  }
}

/** Upstream: stateful_set_control.go, processReplica: pods of an ordered set go only while those before them run. */
function waitsForPod(owner: KubeObject, pods: readonly Pod[], wanted: number): boolean {
  return (
    owner.kind === "StatefulSet" &&
    owner.spec?.podManagementPolicy !== "Parallel" &&
    pods.some(
      ({ metadata: { name }, status }) =>
        status?.phase !== "Running" && Number(/\d+$/.exec(name)?.[0]) < wanted,
    )
  );
}

/** True if the claim has the size it requests, or if its own status says what it waits for or that it lost its volume. */
function isServed({ spec, status }: Claim): boolean {
  if (status?.phase === "Lost") return true;
  if (status?.conditions?.some(({ type }) => type === "FileSystemResizePending")) return true;
  if (status?.phase !== "Bound") return false;
  const wanted = spec.resources?.requests?.["storage"] ?? "0";
  return quantityBytes(status.capacity?.["storage"] ?? "0") >= quantityBytes(wanted);
}

function isOwnedBy({ metadata }: Claim | Pod, owner: KubeObject): boolean {
  return (metadata.ownerReferences ?? []).some(({ uid }) => uid === owner.metadata.uid);
}

function isOver({ status }: Pod): boolean {
  return status?.phase === "Succeeded" || status?.phase === "Failed";
}

function isAlive(pod: Pod): boolean {
  return pod.metadata.deletionTimestamp === undefined && !isOver(pod);
}
