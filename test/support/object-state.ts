/** Describes an object at rest in a few words, as a person would: `Bound small`, `Running node-a`, `gone`. */
import type { KubeObject } from "../../src/engine/api/meta.ts";

export function objectState(object: KubeObject | undefined): string {
  if (object === undefined) return "gone";
  return `${isLeaving(object) ? "deleted, still " : ""}${words(object)}`;
}

function isLeaving(object: KubeObject): boolean {
  return object.metadata.deletionTimestamp !== undefined;
}

function words(object: KubeObject): string {
  switch (object.kind) {
    case "PersistentVolume": {
      const { claimRef } = object.spec;
      const claim =
        claimRef === undefined ? "" : ` ${claimRef.namespace ?? ""}/${claimRef.name ?? ""}`;
      return `${object.status?.phase ?? ""}${claim}`;
    }
    case "PersistentVolumeClaim":
      return joined(object.status?.phase, object.spec.volumeName);
    case "Pod":
      return joined(object.status?.phase, object.spec.nodeName);
    case "ReplicaSet":
    case "ReplicationController":
    case "Deployment":
    case "StatefulSet":
      return `${object.status?.readyReplicas ?? 0} of ${object.spec?.replicas ?? 1} ready`;
    case "DaemonSet":
      return `${object.status?.numberReady ?? 0} of ${object.status?.desiredNumberScheduled ?? 0} ready`;
    case "Job":
      return jobWords(object);
    case "ResourceQuota":
      return Object.entries(object.status?.used ?? {})
        .map(([name, used]) => `${name} ${used} of ${object.status?.hard?.[name] ?? "?"}`)
        .join(", ");
    case "VolumeAttachment":
      return object.status?.attached === true ? "attached" : "not attached";
    default:
      return (object as { status?: { phase?: string } }).status?.phase ?? "there";
  }
}

function jobWords({ status }: KubeObject<"Job">): string {
  const condition = status?.conditions?.findLast((c) => c.status === "True");
  const counts = `${status?.succeeded ?? 0} succeeded, ${status?.failed ?? 0} failed`;
  return joined(condition?.type ?? "Active", counts);
}

function joined(...parts: readonly (string | undefined)[]): string {
  return parts.filter((part) => part !== undefined && part !== "").join(" ");
}

const uids = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;

/** Replaces uids, which differ from run to run, by their objects: `pvc-<uid PersistentVolumeClaim/default/data>`. */
export function withoutUids(text: string, objects: Iterable<KubeObject>): string {
  const owners = new Map<string, KubeObject>();
  for (const object of objects) owners.set(object.metadata.uid, object);
  return text.replace(uids, (uid) => {
    const owner = owners.get(uid);
    if (owner === undefined) return uid;
    const { kind, metadata } = owner;
    return `<uid ${kind}/${metadata.namespace ?? ""}/${metadata.name}>`;
  });
}
