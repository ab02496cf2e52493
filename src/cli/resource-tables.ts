/** Objects as `kubectl get -A -o wide` prints them. Upstream: pkg/printers/internalversion/printers.go v1.36. */
import { type AnyObject, type Kind, type KubeObject, refOf } from "../engine/api/meta.ts";
import { effectiveClassName } from "../engine/api/storage-class-name.ts";
import type { Prediction } from "../language-server/prediction/prediction.ts";
import { isOthers } from "../language-server/prediction/predictor.ts";
import { humanDuration, printTable } from "./table.ts";

interface Column<T> {
  readonly header: string;
  readonly cell: (object: T) => string;
}

/** One table for each kind that has objects, volumes first. */
export function resourceTables(prediction: Prediction): string {
  const end = prediction.trace.end;
  const made = creationTimes(prediction);
  const age = {
    header: "AGE",
    cell: (object: AnyObject) => humanDuration(end - (made.get(object.metadata.uid ?? "") ?? 0)),
  };
  const own = <K extends Kind>(kind: K): readonly KubeObject<K>[] =>
    prediction.facts.list(kind).filter((object) => !isOthers(prediction, refOf(object)));
  const sections = [
    section(own("PersistentVolume"), volumeColumns, age),
    section(own("PersistentVolumeClaim"), claimColumns, age),
    section(own("VolumeAttachment"), attachmentColumns, age),
    section(own("VolumeSnapshot"), snapshotColumns, age),
    section(own("Deployment"), deploymentColumns, age),
    section(own("StatefulSet"), statefulSetColumns, age),
    section(own("DaemonSet"), daemonSetColumns, age),
    section(own("Job"), jobColumns, age),
    section(own("Pod"), podColumns, age),
  ];
  return sections.filter((text) => text !== "").join("\n");
}

function creationTimes({ trace }: Prediction): ReadonlyMap<string, number> {
  const made = new Map<string, number>();
  for (const entry of trace.entries) {
    if (entry.type !== "write" || entry.verb !== "create") continue;
    const uid = entry.after?.metadata.uid;
    if (uid === undefined) continue;
    const isOld = entry.actor === "cluster";
    made.set(uid, isOld ? ageBeforeRun(entry.after?.metadata.creationTimestamp) : entry.at);
  }
  return made;
}

/** Of an object of an imported cluster: a negative instant. */
function ageBeforeRun(creationTimestamp: string | undefined): number {
  return Date.parse(creationTimestamp ?? runStart) - Date.parse(runStart);
}

const runStart = "2026-01-01T00:00:00Z";

function section<T extends AnyObject>(
  objects: readonly T[],
  columns: readonly Column<T>[],
  age: Column<AnyObject>,
): string {
  const sorted = [...objects].sort((a, b) => (nameOf(a) < nameOf(b) ? -1 : 1));
  const withAge = columns.flatMap((column) =>
    column.header === age.header ? [age as Column<T>] : [column],
  );
  return printTable(
    withAge.map(({ header }) => header),
    sorted.map((object) => withAge.map(({ cell }) => cell(object))),
  );
}

function nameOf(object: AnyObject): string {
  return `${object.metadata.namespace ?? ""}/${object.metadata.name}`;
}

function text(value: string | number | undefined): string {
  return value === undefined || value === "" ? "<none>" : String(value);
}

const shortModes: Readonly<Record<string, string>> = {
  ReadWriteOnce: "RWO",
  ReadOnlyMany: "ROX",
  ReadWriteMany: "RWX",
  ReadWriteOncePod: "RWOP",
};

function accessModes(modes: readonly string[] | undefined): string {
  const order = ["RWO", "ROX", "RWX", "RWOP"];
  const given = new Set((modes ?? []).map((mode) => shortModes[mode] ?? mode));
  return order.filter((mode) => given.has(mode)).join(",");
}

const namespace: Column<AnyObject> = {
  header: "NAMESPACE",
  cell: ({ metadata }) => metadata.namespace ?? "",
};
const name: Column<AnyObject> = { header: "NAME", cell: ({ metadata }) => metadata.name };
/** Stands for the column that `section` puts in. */
const ageHere: Column<AnyObject> = { header: "AGE", cell: () => "" };

const volumeColumns: readonly Column<KubeObject<"PersistentVolume">>[] = [
  name,
  { header: "CAPACITY", cell: ({ spec }) => spec.capacity?.["storage"] ?? "" },
  { header: "ACCESS MODES", cell: ({ spec }) => accessModes(spec.accessModes) },
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
      (spec.volumeName ?? "") === "" ? "" : accessModes(status?.accessModes),
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
  {
    header: "READY",
    cell: ({ spec, status }) => `${status?.readyReplicas ?? 0}/${spec.replicas ?? 1}`,
  },
  { header: "UP-TO-DATE", cell: ({ status }) => String(status?.updatedReplicas ?? 0) },
  { header: "AVAILABLE", cell: ({ status }) => String(status?.availableReplicas ?? 0) },
  ageHere,
];

const statefulSetColumns: readonly Column<KubeObject<"StatefulSet">>[] = [
  namespace,
  name,
  {
    header: "READY",
    cell: ({ spec, status }) => `${status?.readyReplicas ?? 0}/${spec.replicas ?? 1}`,
  },
  ageHere,
];

const daemonSetColumns: readonly Column<KubeObject<"DaemonSet">>[] = [
  namespace,
  name,
  { header: "DESIRED", cell: ({ status }) => String(status?.desiredNumberScheduled ?? 0) },
  { header: "CURRENT", cell: ({ status }) => String(status?.currentNumberScheduled ?? 0) },
  { header: "READY", cell: ({ status }) => String(status?.numberReady ?? 0) },
  ageHere,
];

const jobColumns: readonly Column<KubeObject<"Job">>[] = [
  namespace,
  name,
  {
    header: "COMPLETIONS",
    cell: ({ spec, status }) => `${status?.succeeded ?? 0}/${spec.completions ?? 1}`,
  },
  ageHere,
];

const podColumns: readonly Column<KubeObject<"Pod">>[] = [
  namespace,
  name,
  { header: "READY", cell: readyContainers },
  { header: "STATUS", cell: podStatus },
  {
    header: "RESTARTS",
    cell: ({ status }) =>
      String((status?.containerStatuses ?? []).reduce((sum, c) => sum + (c.restartCount ?? 0), 0)),
  },
  ageHere,
  { header: "NODE", cell: ({ spec }) => text(spec.nodeName) },
];

function readyContainers({ spec, status }: KubeObject<"Pod">): string {
  const ready = (status?.containerStatuses ?? []).filter(
    (container) => container.ready === true,
  ).length;
  return `${ready}/${spec.containers.length}`;
}

/** The pod's phase, or what its containers wait for, which tells more. */
function podStatus({ metadata, status }: KubeObject<"Pod">): string {
  if (metadata.deletionTimestamp !== undefined) return "Terminating";
  const initStatuses = status?.initContainerStatuses ?? [];
  const initDone = initStatuses.filter(
    (container) => container.state?.terminated?.exitCode === 0,
  ).length;
  const initWaiting = initStatuses.find((container) => container.state?.terminated?.exitCode !== 0);
  if (initWaiting !== undefined && status?.phase === "Pending") {
    const reason = initWaiting.state?.waiting?.reason;
    return reason === undefined || reason === "PodInitializing"
      ? `Init:${initDone}/${initStatuses.length}`
      : `Init:${reason}`;
  }
  const waiting = status?.containerStatuses?.find(
    (container) => container.state?.waiting?.reason !== undefined,
  );
  const ended = status?.containerStatuses?.find(
    (container) => container.state?.terminated?.reason !== undefined,
  );
  if (status?.reason !== undefined && status.reason !== "") return status.reason;
  const fromContainers = waiting?.state?.waiting?.reason ?? ended?.state?.terminated?.reason;
  return fromContainers ?? status?.phase ?? "Pending";
}
