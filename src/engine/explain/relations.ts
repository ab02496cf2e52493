/** How claims, volumes, pods and the objects around them are related at one moment. No counterpart upstream. */
import {
  controllerOf,
  isKind,
  type KubeObject,
  kindOfRef,
  makeKey,
  makeRef,
  nameOfRef,
  namespaceOfRef,
  type Ref,
  refOf,
} from "../api/meta.ts";
import { effectiveClassName } from "../api/storage-class-name.ts";
import { claimsMadeFrom } from "./claims/claims-made-from.ts";
import { makerOf } from "./maker-of.ts";
import { claimNames, podsNaming, podsOf } from "./pods-using.ts";
import { sharedKinds } from "./related-kinds.ts";
import type { RunFacts } from "./run-facts.ts";
import { attachmentsOf } from "./volumes/attachments-of.ts";
import { claimOf } from "./volumes/bound-pair.ts";
import { claimsOfMaker, type Maker, makersUsing } from "./workloads-using.ts";

/** `from` and `to` may be objects that do not exist. */
export interface Relation {
  readonly from: Ref;
  readonly to: Ref;
  /** The words between the two, such as "is bound to". */
  readonly text: string;
  /** True if the relation exists; false if it is only requested. */
  readonly holds: boolean;
}

export interface Surroundings {
  /** The object itself first, then the others, nearest first. */
  readonly objects: readonly Ref[];
  /** The relations among these objects. */
  readonly relations: readonly Relation[];
  /** True if more objects were found than were asked for. */
  readonly isCut: boolean;
}

/**
 * Follows relations from an object in both directions, over and over: from a pod to the nodes where its volumes are attached.
 * Objects that many share, such as nodes and classes, are not followed further, except to what makes them and except for
 * `start` itself. Returns at most `countMax` objects.
 */
export function surroundingsOf(facts: RunFacts, start: Ref, countMax: number): Surroundings {
  const found = new Set([start]);
  let isCut = false;
  for (const ref of found) {
    const isEnd = ref !== start && isShared(ref);
    for (const next of isEnd ? makersOf(facts, ref) : neighborsOf(facts, ref)) {
      if (found.size < countMax) found.add(next);
      else if (!found.has(next)) isCut = true;
    }
  }
  const relations = [...found].flatMap((ref) =>
    relationsOf(facts, ref).filter(({ from, to }) => found.has(from) && found.has(to)),
  );
  return { objects: [...found], relations, isCut };
}

function isShared(ref: Ref): boolean {
  return sharedKinds.has(kindOfRef(ref));
}

function neighborsOf(facts: RunFacts, ref: Ref): readonly Ref[] {
  const own = relationsOf(facts, ref).map(({ from, to }) => (from === ref ? to : from));
  return [...own, ...tellersOf(facts, ref).map(refOf)];
}

/** The CronJob of a Job; empty for all other objects. */
function makersOf(facts: RunFacts, ref: Ref): readonly Ref[] {
  const object = facts.objects.get(ref);
  return object?.kind === "Job" ? madeBy(facts, object).map(({ from }) => from) : [];
}

/** The relations that are read from the object itself, not from others that refer to it. */
function relationsOf(facts: RunFacts, ref: Ref): readonly Relation[] {
  const object = facts.objects.get(ref);
  switch (object?.kind) {
    case "Pod":
      return podRelations(facts, object);
    case "PersistentVolumeClaim":
      return claimRelations(facts, object);
    case "PersistentVolume":
      return volumeRelations(facts, object);
    case "VolumeAttachment":
      return attachmentRelations(object);
    case "VolumeSnapshot":
      return snapshotRelations(facts, object);
    case "StorageClass":
      return servedBy(facts, object, object.provisioner);
    case "VolumeSnapshotContent":
      return servedBy(facts, object, object.spec.driver);
    case "CronJob":
    case "DaemonSet":
    case "Deployment":
    case "Job":
    case "ReplicaSet":
    case "ReplicationController":
    case "StatefulSet":
      return workloadRelations(facts, object);
    default:
      return [];
  }
}

function podRelations(facts: RunFacts, pod: KubeObject<"Pod">): readonly Relation[] {
  const from = refOf(pod);
  const { namespace } = pod.metadata;
  const { nodeName } = pod.spec;
  return [
    ...madeBy(facts, pod),
    ...[...new Set(claimNames(pod))].map((name) => {
      const to = makeRef("PersistentVolumeClaim", namespace, name);
      return { from, to, text: "uses", holds: facts.objects.has(to) };
    }),
    ...(nodeName === undefined || nodeName === ""
      ? []
      : [{ from, to: makeRef("Node", undefined, nodeName), text: "runs on", holds: true }]),
  ];
}

/** The claims that the pods of a workload would use, if it has made none yet. For a Job also its CronJob. */
function workloadRelations(facts: RunFacts, workload: Maker): readonly Relation[] {
  // The Deployment has these relations.
  if (workload.kind === "ReplicaSet" && controllerOf(workload)?.kind === "Deployment") return [];
  const made = workload.kind === "Job" ? madeBy(facts, workload) : [];
  if (madeFrom(facts, workload).length > 0) return made;
  const from = refOf(workload);
  const wanted = [...claimsOfMaker(workload)].map((name) => {
    const to = makeRef("PersistentVolumeClaim", workload.metadata.namespace, name);
    return { from, to, text: "makes pods that use", holds: false };
  });
  return [...made, ...wanted];
}

/** The pods of a workload; for a CronJob, its Jobs and their pods. */
function madeFrom(facts: RunFacts, { kind, metadata }: KubeObject): readonly KubeObject[] {
  if (kind !== "CronJob") return podsOf(facts, metadata.uid);
  return facts
    .list("Job")
    .filter((job) => controllerOf(job)?.uid === metadata.uid)
    .flatMap((job) => [job, ...podsOf(facts, job.metadata.uid)]);
}

function madeBy(facts: RunFacts, object: KubeObject<"Pod" | "Job">): readonly Relation[] {
  const to = refOf(object);
  for (const owner of [makerOf(facts, object), controllerOf(object)]) {
    if (owner === undefined || !isKind(owner.kind)) continue;
    const from = makeRef(owner.kind, object.metadata.namespace, owner.name);
    return [{ from, to, text: "makes", holds: true }];
  }
  return [];
}

function claimRelations(
  facts: RunFacts,
  claim: KubeObject<"PersistentVolumeClaim">,
): readonly Relation[] {
  const from = refOf(claim);
  const { volumeName = "", dataSource } = claim.spec;
  const isBound = claim.status?.phase === "Bound";
  const className = effectiveClassName(claim);
  const relations: Relation[] = [];
  if (volumeName !== "") {
    const to = makeRef("PersistentVolume", undefined, volumeName);
    relations.push({ from, to, text: isBound ? "is bound to" : "asks for", holds: isBound });
  }
  if (className !== "") {
    const to = makeRef("StorageClass", undefined, className);
    relations.push({ from, to, text: "is of class", holds: facts.objects.has(to) });
  }
  if (dataSource?.kind === "VolumeSnapshot" || dataSource?.kind === "PersistentVolumeClaim") {
    const to = makeRef(dataSource.kind, claim.metadata.namespace, dataSource.name);
    relations.push({ from, to, text: "is filled from", holds: isBound });
  }
  return relations;
}

/** Leaves out the relation to a claim that names the volume: `claimRelations` has it. */
function volumeRelations(
  facts: RunFacts,
  volume: KubeObject<"PersistentVolume">,
): readonly Relation[] {
  const { claimRef, csi } = volume.spec;
  const served = csi === undefined ? [] : servedBy(facts, volume, csi.driver);
  const claim = claimOf(facts, volume);
  if (claimRef?.name === undefined || claim?.spec.volumeName === volume.metadata.name)
    return served;
  const from = refOf(volume);
  const to = makeRef("PersistentVolumeClaim", claimRef.namespace, claimRef.name);
  return [{ from, to, text: "is reserved for", holds: false }, ...served];
}

function attachmentRelations(attachment: KubeObject<"VolumeAttachment">): readonly Relation[] {
  const { source, nodeName } = attachment.spec;
  const own = refOf(attachment);
  const holds = attachment.status?.attached === true;
  const node = { from: own, to: makeRef("Node", undefined, nodeName), text: "attaches to", holds };
  if (source.persistentVolumeName === undefined) return [node];
  const from = makeRef("PersistentVolume", undefined, source.persistentVolumeName);
  return [{ from, to: own, text: "is attached by", holds }, node];
}

function contentNameOf({ spec, status }: KubeObject<"VolumeSnapshot">): string | undefined {
  return status?.boundVolumeSnapshotContentName ?? spec.source.volumeSnapshotContentName;
}

function snapshotRelations(
  facts: RunFacts,
  snapshot: KubeObject<"VolumeSnapshot">,
): readonly Relation[] {
  const from = refOf(snapshot);
  const { source } = snapshot.spec;
  const content = contentNameOf(snapshot);
  const claim = source.persistentVolumeClaimName;
  const relations: Relation[] = [];
  if (claim !== undefined) {
    const to = makeRef("PersistentVolumeClaim", snapshot.metadata.namespace, claim);
    relations.push({ from, to, text: "is taken of", holds: facts.objects.has(to) });
  }
  if (content !== undefined) {
    const to = makeRef("VolumeSnapshotContent", undefined, content);
    const holds = snapshot.status?.boundVolumeSnapshotContentName !== undefined;
    relations.push({ from, to, text: holds ? "is bound to" : "asks for", holds });
  }
  return relations;
}

/** Empty if the driver has no CSIDriver object, as provisioners that are not CSI drivers have none. */
function servedBy(facts: RunFacts, object: KubeObject, driver: string): readonly Relation[] {
  const to = makeRef("CSIDriver", undefined, driver);
  if (!facts.objects.has(to)) return [];
  return [{ from: refOf(object), to, text: "is served by", holds: true }];
}

/** The objects whose own relations lead to `ref`. Filters before it builds any relation, as there may be many objects. */
function tellersOf(facts: RunFacts, ref: Ref): readonly KubeObject[] {
  const name = nameOfRef(ref);
  switch (kindOfRef(ref)) {
    case "PersistentVolumeClaim":
      return tellersOfClaim(facts, ref);
    case "PersistentVolume":
      return [
        ...facts.list("PersistentVolumeClaim").filter(({ spec }) => spec.volumeName === name),
        ...attachmentsOf(facts, name),
      ];
    case "Node":
      return [
        ...facts.list("Pod").filter(({ spec }) => spec.nodeName === name),
        ...facts.list("VolumeAttachment").filter(({ spec }) => spec.nodeName === name),
      ];
    case "StorageClass":
      return facts
        .list("PersistentVolumeClaim")
        .filter((claim) => effectiveClassName(claim) === name);
    case "CSIDriver":
      return [
        ...facts.list("StorageClass").filter(({ provisioner }) => provisioner === name),
        ...facts.list("PersistentVolume").filter(({ spec }) => spec.csi?.driver === name),
        ...facts.list("VolumeSnapshotContent").filter(({ spec }) => spec.driver === name),
      ];
    case "VolumeSnapshot":
      return claimsMadeFrom(facts, ref);
    case "VolumeSnapshotContent":
      return facts.list("VolumeSnapshot").filter((snapshot) => contentNameOf(snapshot) === name);
    default: {
      const maker = facts.objects.get(ref);
      return maker === undefined ? [] : madeFrom(facts, maker);
    }
  }
}

function tellersOfClaim(facts: RunFacts, ref: Ref): readonly KubeObject[] {
  const [namespace, name] = [namespaceOfRef(ref), nameOfRef(ref)];
  const key = makeKey(namespace, name);
  return [
    ...podsNaming(facts, key),
    ...makersUsing(facts, key).filter((maker) =>
      workloadRelations(facts, maker).some(({ to }) => to === ref),
    ),
    ...facts
      .list("PersistentVolume")
      .filter(
        ({ spec: { claimRef } }) => claimRef?.name === name && claimRef.namespace === namespace,
      ),
    ...facts
      .list("VolumeSnapshot")
      .filter(
        ({ metadata, spec }) =>
          spec.source.persistentVolumeClaimName === name && metadata.namespace === namespace,
      ),
    ...claimsMadeFrom(facts, ref),
  ];
}
