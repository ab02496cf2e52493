/** What must be true at every step of every run, and at its end. */
import { deepEqual } from "../../src/engine/api/json.ts";
import {
  type AnyObject,
  controllerOf,
  type Kind,
  type KubeObject,
  type Ref,
} from "../../src/engine/api/meta.ts";
import type { Trace, WriteEntry } from "../../src/engine/trace/trace.ts";

/** Each breach of a safety rule, with the entry at which it was seen. */
export function breaches(trace: Trace): readonly string[] {
  const state = new Map<Ref, AnyObject>();
  const found: string[] = [];
  for (const entry of trace.entries) {
    if (entry.type !== "write") continue;
    const say = (text: string): number =>
      found.push(`entry ${entry.seq} (${entry.actor} at ${entry.at} ms): ${text}`);
    if (entry.after === undefined) state.delete(entry.ref);
    else state.set(entry.ref, entry.after);
    for (const text of [
      ...removals(entry),
      ...versions(entry),
      ...bindings(entry, state),
      ...attachments(entry, state),
    ])
      say(text);
  }
  return found;
}

/** Nothing goes while a finalizer stands. */
function removals({ verb, before }: WriteEntry): readonly string[] {
  const finalizers = verb === "delete" ? (before?.metadata.finalizers ?? []) : [];
  return finalizers.length === 0
    ? []
    : [`${before?.metadata.name} was removed with finalizers ${finalizers.join(", ")}`];
}

/** Versions only grow. */
function versions({ before, after }: WriteEntry): readonly string[] {
  if (before === undefined || after === undefined) return [];
  return Number(after.metadata.resourceVersion) > Number(before.metadata.resourceVersion)
    ? []
    : ["the version did not grow"];
}

/** A volume has one bound claim, and a claim that is Bound is its volume's. */
function bindings({ after }: WriteEntry, state: ReadonlyMap<Ref, AnyObject>): readonly string[] {
  if (after?.kind !== "PersistentVolumeClaim" || after.status?.phase !== "Bound") return [];
  const rivals = all(state, "PersistentVolumeClaim").filter(
    (c) =>
      c.metadata.uid !== after.metadata.uid &&
      c.status?.phase === "Bound" &&
      c.spec.volumeName === after.spec.volumeName,
  );
  return rivals.map(
    (rival) =>
      `${after.metadata.name} and ${rival.metadata.name} are both bound to ${after.spec.volumeName}`,
  );
}

/** A volume that one node may have is attached to one node. */
function attachments({ after }: WriteEntry, state: ReadonlyMap<Ref, AnyObject>): readonly string[] {
  if (after?.kind !== "VolumeAttachment" || after.status?.attached !== true) return [];
  const name = after.spec.source.persistentVolumeName;
  const volume = all(state, "PersistentVolume").find((v) => v.metadata.name === name);
  const single = (volume?.spec.accessModes ?? []).every(
    (mode) => mode === "ReadWriteOnce" || mode === "ReadWriteOncePod",
  );
  if (volume === undefined || !single) return [];
  const others = all(state, "VolumeAttachment").filter(
    (a) =>
      a.metadata.uid !== after.metadata.uid &&
      a.status?.attached === true &&
      a.spec.source.persistentVolumeName === name,
  );
  return others.map(
    (other) => `${name} is attached to ${after.spec.nodeName} and ${other.spec.nodeName}`,
  );
}

function all<K extends Kind>(
  state: ReadonlyMap<Ref, AnyObject>,
  kind: K,
): readonly KubeObject<K>[] {
  return [...state.values()].filter((object) => object.kind === kind) as unknown as KubeObject<K>[];
}

/** What still moved `quietMs` before the end; empty where everything had come to rest. */
export function unrest(trace: Trace, end: number, quietMs: number): readonly string[] {
  return trace.entries.flatMap((entry) => {
    if (entry.type === "limit") return [entry.message];
    const late = entry.type === "write" && entry.at > end - quietMs && !isEndlessRetry(entry);
    return late ? [`${entry.actor} still wrote ${entry.ref} at ${entry.at} ms`] : [];
  });
}

/**
 * What fails for ever is tried for ever, and that is its rest: a container that crashes is started again, an attachment
 * whose volume is gone gets the same error with a new time. An attachment whose error changes is not at rest.
 */
function isEndlessRetry({ before, after }: WriteEntry): boolean {
  if (after?.kind === "VolumeAttachment" && before?.kind === "VolumeAttachment") {
    return hasError(after) && deepEqual(withoutTimes(before), withoutTimes(after));
  }
  if (after?.kind !== "Pod") return false;
  return (after.status?.containerStatuses ?? []).some((c) => c.restartCount > 0);
}

function hasError({ status }: KubeObject<"VolumeAttachment">): boolean {
  return status?.attachError !== undefined || status?.detachError !== undefined;
}

function withoutTimes({ spec, status }: KubeObject<"VolumeAttachment">): unknown {
  const { attachError, detachError, ...rest } = status ?? {};
  return { spec, ...rest, attach: attachError?.message, detach: detachError?.message };
}

/** Objects at rest whose owners are gone, and pods beyond what their owner wants. */
export function leftovers(objects: Iterable<KubeObject>): readonly string[] {
  const all = [...objects];
  const uids = new Set(all.map((object) => object.metadata.uid));
  const dangling = all.flatMap((object) =>
    (object.metadata.ownerReferences ?? [])
      .filter((owner) => !uids.has(owner.uid))
      .map((owner) => `${object.metadata.name} outlived its owner ${owner.kind} ${owner.name}`),
  );
  const surplus = all.flatMap((owner) => {
    if (owner.kind !== "ReplicaSet" && owner.kind !== "StatefulSet") return [];
    const pods = all.filter((pod) => controllerOf(pod)?.uid === owner.metadata.uid && isAlive(pod));
    const wanted = owner.spec?.replicas ?? 1;
    return pods.length <= wanted
      ? []
      : [`${owner.metadata.name} has ${pods.length} pods, wants ${wanted}`];
  });
  return [...dangling, ...surplus];
}

function isAlive(object: KubeObject): boolean {
  if (object.kind !== "Pod" || object.metadata.deletionTimestamp !== undefined) return false;
  return object.status?.phase !== "Succeeded" && object.status?.phase !== "Failed";
}
