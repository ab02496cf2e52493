/** Kinds by the names that kubectl prints and accepts: `pod/web`, `pvc/data`, `persistentvolumeclaims`. */
import { type Kind, kindFor } from "../../engine/api/meta.ts";

const shortNames: ReadonlyMap<string, Kind> = new Map<string, Kind>(
  Object.entries({
    po: "Pod",
    pv: "PersistentVolume",
    pvc: "PersistentVolumeClaim",
    sc: "StorageClass",
    sts: "StatefulSet",
    deploy: "Deployment",
    rs: "ReplicaSet",
    ds: "DaemonSet",
    va: "VolumeAttachment",
    vs: "VolumeSnapshot",
    vsc: "VolumeSnapshotContent",
    vsclass: "VolumeSnapshotClass",
    vac: "VolumeAttributesClass",
    cj: "CronJob",
    rc: "ReplicationController",
    pdb: "PodDisruptionBudget",
    pc: "PriorityClass",
    quota: "ResourceQuota",
    limits: "LimitRange",
    cm: "ConfigMap",
    sa: "ServiceAccount",
    no: "Node",
    ns: "Namespace",
  } as const),
);

/** Undefined for kinds that the engine does not serve. A group after the name (`statefulset.apps`) is ignored. */
export function kindOfResource(name: string): Kind | undefined {
  const [resource = ""] = name.toLowerCase().split(".");
  return kindFor(resource) ?? shortNames.get(resource);
}
