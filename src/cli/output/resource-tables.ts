/**
 * Objects as `kubectl get -A -o wide` prints them, without the addresses of pods, which are made up. Upstream:
 * pkg/printers/internalversion/printers.go v1.36.
 */
import { shortAccessModes } from "../../engine/api/access-modes.ts";
import { controllerOf, type Kind, type KubeObject, refOf } from "../../engine/api/meta.ts";
import { effectiveClassName } from "../../engine/api/storage-class-name.ts";
import { instantOf, runStart } from "../../engine/api/timestamp.ts";
import { printedPod } from "../../engine/explain/pods/printed-pod.ts";
import {
  printedCompletions,
  printedJobStatus,
  printedReady,
} from "../../engine/explain/pods/printed-workload.ts";
import type { Prediction } from "../../language-server/prediction/prediction.ts";
import type { ClusterResult } from "../cluster-result.ts";
import { isTold } from "../told-objects.ts";
import { printSelector } from "./selector-text.ts";
import { humanDuration, printTable } from "./table.ts";

interface Column<T> {
  readonly header: string;
  readonly cell: (object: T) => string;
}

/** One table for each kind that has objects, volumes first. */
export function resourceTables(result: ClusterResult): string {
  const { prediction } = result;
  const end = prediction.trace.end;
  const made = creationTimes(prediction);
  const age = {
    header: "AGE",
    cell: (object: KubeObject) => humanDuration(end - (made.get(object.metadata.uid ?? "") ?? 0)),
  };
  const since = (timestamp: string): string => humanDuration(end - instantOf(timestamp));
  const own = <K extends Kind>(kind: K): readonly KubeObject<K>[] =>
    prediction.facts.list(kind).filter((object) => isTold(result, refOf(object)));
  const sections = [
    section(own("PersistentVolume"), volumeColumns, age),
    section(own("PersistentVolumeClaim"), claimColumns, age),
    section(own("VolumeAttachment"), attachmentColumns, age),
    section(own("VolumeSnapshot"), snapshotColumns, age),
    section(own("Deployment"), deploymentColumns, age),
    section(own("StatefulSet"), statefulSetColumns, age),
    section(own("DaemonSet"), daemonSetColumns, age),
    section(own("ReplicaSet").filter(isOnItsOwn), replicaSetColumns, age),
    section(own("ReplicationController"), replicationControllerColumns, age),
    section(own("Job"), jobColumns(since), age),
    section(own("CronJob"), cronJobColumns(since), age),
    section(own("Pod"), podColumns(since), age),
  ];
  return sections.filter((text) => text !== "").join("\n");
}

/** False for a Deployment's ReplicaSets, which say no more than the Deployment. */
function isOnItsOwn(set: KubeObject<"ReplicaSet">): boolean {
  return controllerOf(set) === undefined;
}

function creationTimes({ trace }: Prediction): ReadonlyMap<string, number> {
  const made = new Map<string, number>();
  for (const entry of trace.entries) {
    if (entry.type !== "write" || entry.verb !== "create") continue;
    const uid = entry.after?.metadata.uid;
    if (uid === undefined) continue;
    // An object of an imported cluster is older than the run.
    const isOld = entry.actor === "cluster";
    made.set(
      uid,
      isOld ? instantOf(entry.after?.metadata.creationTimestamp ?? runStart) : entry.at,
    );
  }
  return made;
}

function section<T extends KubeObject>(
  objects: readonly T[],
  columns: readonly Column<T>[],
  age: Column<KubeObject>,
): string {
  const sorted = [...objects].sort((a, b) => (nameOf(a) < nameOf(b) ? -1 : 1));
  const withAge = columns.flatMap((column) => (column.header === age.header ? [age] : [column]));
  return printTable(
    withAge.map(({ header }) => header),
    sorted.map((object) => withAge.map(({ cell }) => cell(object))),
  );
}

function nameOf(object: KubeObject): string {
  return `${object.metadata.namespace ?? ""}/${object.metadata.name}`;
}

function text(value: string | number | undefined): string {
  return value === undefined || value === "" ? "<none>" : String(value);
}

const namespace: Column<KubeObject> = {
  header: "NAMESPACE",
  cell: ({ metadata }) => metadata.namespace ?? "",
};
const name: Column<KubeObject> = { header: "NAME", cell: ({ metadata }) => metadata.name };
/** Placeholder for the column that `section` puts in. */
const ageHere: Column<KubeObject> = { header: "AGE", cell: () => "" };

interface Containers {
  readonly containers: readonly { readonly name: string; readonly image?: string }[];
}

/** Upstream: layoutContainerCells. */
function containerColumns<T>(specOf: (object: T) => Containers | undefined): readonly Column<T>[] {
  const cell = (object: T, field: "name" | "image"): string =>
    (specOf(object)?.containers ?? []).map((container) => container[field] ?? "").join(",");
  return [
    { header: "CONTAINERS", cell: (object) => cell(object, "name") },
    { header: "IMAGES", cell: (object) => cell(object, "image") },
  ];
}

const volumeColumns: readonly Column<KubeObject<"PersistentVolume">>[] = [
  name,
  { header: "CAPACITY", cell: ({ spec }) => spec.capacity?.["storage"] ?? "" },
  { header: "ACCESS MODES", cell: ({ spec }) => shortAccessModes(spec.accessModes) },
  { header: "RECLAIM POLICY", cell: ({ spec }) => spec.persistentVolumeReclaimPolicy ?? "" },
  {
    header: "STATUS",
    cell: ({ status, metadata }) =>
      metadata.deletionTimestamp === undefined ? (status?.phase ?? "") : "Terminating",
  },
  {
    header: "CLAIM",
    cell: ({ spec: { claimRef } }) =>
      claimRef === undefined ? "" : `${claimRef.namespace ?? ""}/${claimRef.name ?? ""}`,
  },
  { header: "STORAGECLASS", cell: effectiveClassName },
  {
    header: "VOLUMEATTRIBUTESCLASS",
    cell: ({ spec }) => spec.volumeAttributesClassName ?? "<unset>",
  },
  { header: "REASON", cell: ({ status }) => status?.reason ?? "" },
  ageHere,
  { header: "VOLUMEMODE", cell: ({ spec }) => spec.volumeMode ?? "<unset>" },
];

const claimColumns: readonly Column<KubeObject<"PersistentVolumeClaim">>[] = [
  namespace,
  name,
  {
    header: "STATUS",
    cell: ({ status, metadata }) =>
      metadata.deletionTimestamp === undefined ? (status?.phase ?? "Pending") : "Terminating",
  },
  { header: "VOLUME", cell: ({ spec }) => spec.volumeName ?? "" },
  {
    header: "CAPACITY",
    cell: ({ spec, status }) =>
      (spec.volumeName ?? "") === "" ? "" : (status?.capacity?.["storage"] ?? ""),
  },
  {
    header: "ACCESS MODES",
    cell: ({ spec, status }) =>
      (spec.volumeName ?? "") === "" ? "" : shortAccessModes(status?.accessModes),
  },
  { header: "STORAGECLASS", cell: effectiveClassName },
  {
    header: "VOLUMEATTRIBUTESCLASS",
    cell: ({ spec }) => spec.volumeAttributesClassName ?? "<unset>",
  },
  ageHere,
  { header: "VOLUMEMODE", cell: ({ spec }) => spec.volumeMode ?? "<unset>" },
];

const attachmentColumns: readonly Column<KubeObject<"VolumeAttachment">>[] = [
  name,
  { header: "ATTACHER", cell: ({ spec }) => spec.attacher },
  { header: "PV", cell: ({ spec }) => spec.source.persistentVolumeName ?? "" },
  { header: "NODE", cell: ({ spec }) => spec.nodeName },
  { header: "ATTACHED", cell: ({ status }) => String(status?.attached ?? false) },
  ageHere,
];

const snapshotColumns: readonly Column<KubeObject<"VolumeSnapshot">>[] = [
  namespace,
  name,
  {
    header: "READYTOUSE",
    cell: ({ status }) => (status?.readyToUse === undefined ? "" : String(status.readyToUse)),
  },
  { header: "SOURCEPVC", cell: ({ spec }) => spec.source.persistentVolumeClaimName ?? "" },
  {
    header: "SOURCESNAPSHOTCONTENT",
    cell: ({ spec }) => spec.source.volumeSnapshotContentName ?? "",
  },
  { header: "RESTORESIZE", cell: ({ status }) => String(status?.restoreSize ?? "") },
  { header: "SNAPSHOTCLASS", cell: ({ spec }) => spec.volumeSnapshotClassName ?? "" },
  { header: "SNAPSHOTCONTENT", cell: ({ status }) => status?.boundVolumeSnapshotContentName ?? "" },
  ageHere,
];

const deploymentColumns: readonly Column<KubeObject<"Deployment">>[] = [
  namespace,
  name,
  { header: "READY", cell: printedReady },
  { header: "UP-TO-DATE", cell: ({ status }) => String(status?.updatedReplicas ?? 0) },
  { header: "AVAILABLE", cell: ({ status }) => String(status?.availableReplicas ?? 0) },
  ageHere,
  ...containerColumns<KubeObject<"Deployment">>(({ spec }) => spec.template.spec),
  { header: "SELECTOR", cell: ({ spec }) => printSelector(spec.selector) },
];

const statefulSetColumns: readonly Column<KubeObject<"StatefulSet">>[] = [
  namespace,
  name,
  { header: "READY", cell: printedReady },
  ageHere,
  ...containerColumns<KubeObject<"StatefulSet">>(({ spec }) => spec.template.spec),
];

const daemonSetColumns: readonly Column<KubeObject<"DaemonSet">>[] = [
  namespace,
  name,
  { header: "DESIRED", cell: ({ status }) => String(status?.desiredNumberScheduled ?? 0) },
  { header: "CURRENT", cell: ({ status }) => String(status?.currentNumberScheduled ?? 0) },
  { header: "READY", cell: ({ status }) => String(status?.numberReady ?? 0) },
  { header: "UP-TO-DATE", cell: ({ status }) => String(status?.updatedNumberScheduled ?? 0) },
  { header: "AVAILABLE", cell: ({ status }) => String(status?.numberAvailable ?? 0) },
  {
    header: "NODE SELECTOR",
    cell: ({ spec }) => printSelector({ matchLabels: spec.template.spec?.nodeSelector ?? {} }),
  },
  ageHere,
  ...containerColumns<KubeObject<"DaemonSet">>(({ spec }) => spec.template.spec),
  { header: "SELECTOR", cell: ({ spec }) => printSelector(spec.selector) },
];

type ReplicaMaker = KubeObject<"ReplicaSet" | "ReplicationController">;

const replicaColumns: readonly Column<ReplicaMaker>[] = [
  namespace,
  name,
  { header: "DESIRED", cell: ({ spec }) => String(spec.replicas ?? 0) },
  { header: "CURRENT", cell: ({ status }) => String(status?.replicas ?? 0) },
  { header: "READY", cell: ({ status }) => String(status?.readyReplicas ?? 0) },
  ageHere,
  ...containerColumns<ReplicaMaker>(({ spec }) => spec.template?.spec),
];

const replicaSetColumns: readonly Column<KubeObject<"ReplicaSet">>[] = [
  ...replicaColumns,
  { header: "SELECTOR", cell: ({ spec }) => printSelector(spec.selector) },
];

const replicationControllerColumns: readonly Column<KubeObject<"ReplicationController">>[] = [
  ...replicaColumns,
  { header: "SELECTOR", cell: ({ spec }) => printSelector({ matchLabels: spec.selector ?? {} }) },
];

type Since = (timestamp: string) => string;

const jobColumns = (since: Since): readonly Column<KubeObject<"Job">>[] => [
  namespace,
  name,
  { header: "STATUS", cell: printedJobStatus },
  { header: "COMPLETIONS", cell: printedCompletions },
  {
    header: "DURATION",
    cell: ({ status: { startTime, completionTime } = {} }) => {
      if (startTime === undefined) return "";
      if (completionTime === undefined) return since(startTime);
      return humanDuration(Date.parse(completionTime) - Date.parse(startTime));
    },
  },
  ageHere,
  ...containerColumns<KubeObject<"Job">>(({ spec }) => spec.template.spec),
  { header: "SELECTOR", cell: ({ spec }) => printSelector(spec.selector) },
];

const cronJobColumns = (since: Since): readonly Column<KubeObject<"CronJob">>[] => [
  namespace,
  name,
  { header: "SCHEDULE", cell: ({ spec }) => spec.schedule },
  { header: "TIMEZONE", cell: ({ spec }) => text(spec.timeZone) },
  { header: "SUSPEND", cell: ({ spec }) => (spec.suspend === true ? "True" : "False") },
  { header: "ACTIVE", cell: ({ status }) => String(status?.active?.length ?? 0) },
  {
    header: "LAST SCHEDULE",
    cell: ({ status }) =>
      status?.lastScheduleTime === undefined ? "<none>" : since(status.lastScheduleTime),
  },
  ageHere,
  ...containerColumns<KubeObject<"CronJob">>(({ spec }) => spec.jobTemplate.spec?.template.spec),
  { header: "SELECTOR", cell: ({ spec }) => printSelector(spec.jobTemplate.spec?.selector) },
];

const podColumns = (since: Since): readonly Column<KubeObject<"Pod">>[] => [
  namespace,
  name,
  { header: "READY", cell: (pod) => printedPod(pod).ready },
  { header: "STATUS", cell: (pod) => printedPod(pod).status },
  {
    header: "RESTARTS",
    cell: (pod) => {
      const { restartCount, lastRestart } = printedPod(pod);
      const isDated = restartCount > 0 && lastRestart !== undefined;
      return isDated ? `${restartCount} (${since(lastRestart)} ago)` : String(restartCount);
    },
  },
  ageHere,
  { header: "NODE", cell: ({ spec }) => text(spec.nodeName) },
  { header: "NOMINATED NODE", cell: ({ status }) => text(status?.nominatedNodeName) },
  { header: "READINESS GATES", cell: readinessGates },
];

function readinessGates({ spec, status }: KubeObject<"Pod">): string {
  const gates = spec.readinessGates ?? [];
  if (gates.length === 0) return "<none>";
  const open = gates.filter(
    ({ conditionType }) =>
      status?.conditions?.find(({ type }) => type === conditionType)?.status === "True",
  );
  return `${open.length}/${gates.length}`;
}
