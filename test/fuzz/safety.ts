/**
 * What must be true at every step of every run. Each rule checks one trace entry against indexes of the earlier ones, never
 * against the whole cluster.
 *
 * - Versions only grow; each write starts from the result of the previous one; an object keeps its uid, and an object in
 *   deletion stays in deletion.
 * - No object is removed while it has a finalizer.
 * - A claim becomes Bound only to a volume that names it, and no two Bound claims have the same volume, unless a user took the
 *   volume from the first.
 * - A bound claim keeps its volume, and a volume keeps its claim until that is gone.
 * - A volume whose access modes have always been for a single node is attached to one node at a time. After a failed detach it
 *   may be attached or not: Kubernetes lets the driver decide (operation_generator.go, MarkVolumeAsUncertain).
 * - The scheduler gives a volume for a single pod to one pod at a time.
 * - No claim is removed while a pod that has a node uses it.
 * - A ReplicaSet or Job never gets more pods than it has ever wanted.
 * - A driver is not asked to delete the storage of a volume that an existing claim has, or that is to be retained.
 * - A driver's volume is not detached from a node while it is mounted there, as long as the node is healthy.
 * - Time and causes run forward.
 */
import type { KubeObject, Ref } from "../../src/engine/api/meta.ts";
import type { CallEntry, TraceEntry, WriteEntry } from "../../src/engine/trace/entry.ts";
import type { Trace } from "../../src/engine/trace/trace.ts";
import { ClaimUsers } from "./claim-users.ts";
import { StagedVolumes } from "./staged-volumes.ts";
import { WorkloadPods } from "./workload-pods.ts";

type Claim = KubeObject<"PersistentVolumeClaim">;
type Volume = KubeObject<"PersistentVolume">;

/** A sentence for each breach of a safety rule, with the trace entry at which it happened. */
export function breaches(trace: Trace): readonly string[] {
  const watch = new SafetyWatch();
  return trace.entries.flatMap((entry) =>
    watch
      .next(entry)
      .map((text) => `entry ${entry.seq} (${entry.actor} at ${entry.at} ms): ${text}`),
  );
}

class SafetyWatch {
  readonly #state = new Map<Ref, KubeObject>();
  readonly #boundClaims = new Map<string, Claim>();
  readonly #attachments = new Map<string, Map<string, string>>();
  readonly #podsOfClaim = new Map<string, Map<string, KubeObject<"Pod">>>();
  readonly #volumesByHandle = new Map<string, Volume>();
  /** Volumes whose claimRef a user has cleared or changed, which their claims notice later. */
  readonly #takenVolumes = new Set<string>();
  /** Volumes that were once for several nodes: a user may narrow the modes while several nodes have the volume. */
  readonly #sharedVolumes = new Set<string>();
  readonly #staged = new StagedVolumes();
  readonly #claimUsers = new ClaimUsers();
  readonly #workloadPods = new WorkloadPods();
  #now = 0;

  next(entry: TraceEntry): readonly string[] {
    const found = this.#order(entry);
    switch (entry.type) {
      case "write":
        return [...found, ...this.#write(entry)];
      case "call":
        return [...found, ...this.#deletion(entry), ...this.#staged.call(entry)];
      case "answer":
        this.#staged.answer(entry);
        return found;
      case "lifecycle":
        this.#staged.disturbed(entry);
        return found;
      default:
        return found;
    }
  }

  #order({ at, seq, cause }: TraceEntry): string[] {
    const found: string[] = [];
    if (at < this.#now) found.push("time ran backwards");
    if (cause !== undefined && cause >= seq) found.push(`entry ${cause}, its cause, is no earlier`);
    this.#now = at;
    return found;
  }

  #write(entry: WriteEntry): readonly string[] {
    const { ref, before, after } = entry;
    const found = [
      ...this.#continuity(entry),
      ...removal(entry),
      ...this.#claimUsers.write(entry),
      ...this.#workloadPods.write(entry),
    ];
    if (after === undefined) this.#state.delete(ref);
    else this.#state.set(ref, after);
    switch ((after ?? before)?.kind) {
      case "PersistentVolumeClaim":
        found.push(...this.#claim(before as Claim | undefined, after as Claim | undefined));
        break;
      case "PersistentVolume":
        found.push(
          ...this.#volume(before as Volume | undefined, after as Volume | undefined, entry.actor),
        );
        break;
      case "VolumeAttachment":
        found.push(...this.#attachment(entry));
        break;
      case "Pod":
        found.push(...this.#pod(entry));
        break;
      case "Node":
        if (before !== undefined && after === undefined) this.#staged.removed(before.metadata.name);
        break;
      default:
    }
    return found;
  }

  #continuity({ ref, before, after }: WriteEntry): string[] {
    const found: string[] = [];
    const last = this.#state.get(ref);
    // An object that is removed at once was marked for deletion in the same request.
    const isFromLast =
      last === before || (after === undefined && last?.metadata.uid === before?.metadata.uid);
    if (!isFromLast) found.push(`${ref} was not what was written before`);
    if (before === undefined || after === undefined) return found;
    const { metadata } = after;
    if (!(Number(metadata.resourceVersion) > Number(before.metadata.resourceVersion)))
      found.push(`the version of ${ref} did not grow`);
    if (before.metadata.uid !== metadata.uid) found.push(`${ref} changed its uid`);
    if (before.metadata.deletionTimestamp !== undefined && metadata.deletionTimestamp === undefined)
      found.push(`${ref} is no longer being deleted`);
    return found;
  }

  #claim(before: Claim | undefined, after: Claim | undefined): string[] {
    const found: string[] = [];
    const name = (after ?? before)?.metadata.name;
    if (before?.status?.phase === "Bound") {
      const volumeName = before.spec.volumeName ?? "";
      this.#boundClaims.delete(volumeName);
      if (after !== undefined && after.spec.volumeName !== before.spec.volumeName)
        found.push(`${name} left its volume ${volumeName}`);
      if (after?.status?.phase === "Pending") found.push(`${name} is no longer bound`);
    }
    if (after?.status?.phase !== "Bound") return found;
    const volumeName = after.spec.volumeName ?? "";
    const rival = this.#boundClaims.get(volumeName);
    if (rival !== undefined && !this.#takenVolumes.has(volumeName))
      found.push(`${name} and ${rival.metadata.name} are both bound to ${volumeName}`);
    this.#boundClaims.set(volumeName, after);
    if (before?.status?.phase === "Bound") return found;
    const volume = this.#state.get(`PersistentVolume//${volumeName}` as Ref) as Volume | undefined;
    if (volume === undefined) found.push(`${name} is bound to ${volumeName}, which is not there`);
    else if (
      volume.spec.claimRef?.uid !== after.metadata.uid &&
      !this.#takenVolumes.has(volumeName)
    )
      found.push(`${name} is bound to ${volumeName}, which does not name it`);
    return found;
  }

  #volume(before: Volume | undefined, after: Volume | undefined, actor: string): string[] {
    const isOtherClaim = after?.spec.claimRef?.name !== before?.spec.claimRef?.name;
    if (actor === "user" && before !== undefined && isOtherClaim)
      this.#takenVolumes.add(before.metadata.name);
    if (after !== undefined && !isForOneNode(after)) this.#sharedVolumes.add(after.metadata.name);
    const csi = (after ?? before)?.spec.csi;
    if (csi !== undefined) {
      const handle = `${csi.driver} ${csi.volumeHandle}`;
      if (after === undefined) this.#volumesByHandle.delete(handle);
      else this.#volumesByHandle.set(handle, after);
    }
    const claim = this.#boundClaims.get(before?.metadata.name ?? "");
    const wasIts = claim !== undefined && before?.spec.claimRef?.uid === claim.metadata.uid;
    if (!wasIts || after === undefined) return [];
    const given = after.spec.claimRef;
    return given === undefined || given.uid === claim.metadata.uid
      ? []
      : [`${after.metadata.name} was given from ${claim.metadata.name} to ${given.name}`];
  }

  #attachment({ before, after }: WriteEntry): string[] {
    const { spec, metadata, status } = (after ?? before) as KubeObject<"VolumeAttachment">;
    const name = spec.source.persistentVolumeName ?? "";
    let attached = this.#attachments.get(name);
    if (attached === undefined) this.#attachments.set(name, (attached = new Map()));
    const isUncertain =
      metadata.deletionTimestamp !== undefined && status?.detachError !== undefined;
    if (after === undefined || status?.attached !== true || isUncertain) {
      attached.delete(metadata.uid ?? "");
      return [];
    }
    attached.set(metadata.uid ?? "", spec.nodeName);
    const volume = this.#state.get(`PersistentVolume//${name}` as Ref) as Volume | undefined;
    const single = volume !== undefined && isForOneNode(volume) && !this.#sharedVolumes.has(name);
    return single && attached.size > 1
      ? [`${name} is attached to ${[...attached.values()].join(" and ")}`]
      : [];
  }

  #pod({ before, after, actor }: WriteEntry): string[] {
    const pod = (after ?? before) as KubeObject<"Pod">;
    const { namespace, uid = "" } = pod.metadata;
    const phase = pod.status?.phase;
    const isHolder =
      after !== undefined &&
      pod.spec.nodeName !== undefined &&
      phase !== "Succeeded" &&
      phase !== "Failed";
    return (pod.spec.volumes ?? []).flatMap((volume) => {
      const claimName = volume.persistentVolumeClaim?.claimName;
      if (claimName === undefined) return [];
      const ref = `PersistentVolumeClaim/${namespace}/${claimName}` as Ref;
      const holders = this.#podsOfClaim.get(ref) ?? new Map<string, KubeObject<"Pod">>();
      this.#podsOfClaim.set(ref, holders);
      if (!isHolder) {
        holders.delete(uid);
        return [];
      }
      holders.set(uid, pod);
      const claim = this.#state.get(ref) as Claim | undefined;
      const isExclusive = claim?.spec.accessModes?.includes("ReadWriteOncePod") === true;
      // The scheduler does not count pods on nodes that are gone. Upstream: Snapshot.usedPVCSet.
      const counted = [...holders.values()].filter(({ spec }) =>
        this.#state.has(`Node//${spec.nodeName}` as Ref),
      );
      const names = counted.map(({ metadata }) => metadata.name);
      return actor.endsWith("scheduler") && isExclusive && counted.length > 1
        ? [`${claimName}, meant for one pod, was given to ${names.join(" and ")}`]
        : [];
    });
  }

  #deletion({ call, driver, request }: CallEntry): string[] {
    if (call !== "DeleteVolume") return [];
    const volume = this.#volumesByHandle.get(`${driver} ${String(request["volume_id"])}`);
    if (volume === undefined) return [];
    const { claimRef, persistentVolumeReclaimPolicy } = volume.spec;
    const ref = `PersistentVolumeClaim/${claimRef?.namespace}/${claimRef?.name}` as Ref;
    const holder = this.#state.get(ref) as Claim | undefined;
    const { name } = volume.metadata;
    if (this.#takenVolumes.has(name)) return [];
    // A claim may have been bound to another volume while this one was being made for it.
    if (holder?.metadata.uid === claimRef?.uid && holder?.spec.volumeName === name)
      return [`the storage of ${name} is deleted under ${claimRef?.name}`];
    return persistentVolumeReclaimPolicy === "Retain"
      ? [`the storage of ${name} is deleted, though it is to be retained`]
      : [];
  }
}

/** Removals despite finalizers. The garbage collector's do not count: a later delete with another policy removes them. */
function removal({ verb, before, ref }: WriteEntry): readonly string[] {
  const finalizers = (verb === "delete" ? (before?.metadata.finalizers ?? []) : []).filter(
    (finalizer) => finalizer !== "orphan" && finalizer !== "foregroundDeletion",
  );
  return finalizers.length === 0
    ? []
    : [`${ref} was removed with finalizers ${finalizers.join(", ")}`];
}

function isForOneNode({ spec }: Volume): boolean {
  const single = ["ReadWriteOnce", "ReadWriteOncePod"];
  return spec.accessModes?.every((mode) => single.includes(mode)) === true;
}
