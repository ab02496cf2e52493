/** The defaults of each kind. Upstream: the RegisterDefaults of every API group, v1.36. */
import type { KubernetesVersion } from "../../scenario.ts";
import type { Kind } from "../meta.ts";
import type { Mutable, MutableObject } from "../mutable.ts";
import type { KindMap } from "../types.ts";
import {
  setLimitRangeDefaults,
  setNamespaceDefaults,
  setNodeDefaults,
  setPriorityClassDefaults,
  setSecretDefaults,
  setServiceDefaults,
} from "./core.ts";
import { setPodDefaults } from "./pod.ts";
import {
  setClaimDefaults,
  setDriverDefaults,
  setStorageClassDefaults,
  setVolumeAttachmentDefaults,
  setVolumeObjectDefaults,
} from "./storage.ts";
import {
  setCronJobDefaults,
  setDaemonSetDefaults,
  setDeploymentDefaults,
  setJobDefaults,
  setPodTemplateDefaults,
  setReplicaSetDefaults,
  setReplicationControllerDefaults,
  setStatefulSetDefaults,
} from "./workload.ts";

type Defaulting<T> = (object: T, version: KubernetesVersion) => void;

type Defaults = { readonly [K in Kind]?: Defaulting<Mutable<KindMap[K]>> };

const defaults: Defaults = {
  PersistentVolume: setVolumeObjectDefaults,
  PersistentVolumeClaim: setClaimDefaults,
  Pod: setPodDefaults,
  PodTemplate: setPodTemplateDefaults,
  Node: setNodeDefaults,
  Namespace: setNamespaceDefaults,
  Secret: setSecretDefaults,
  Service: setServiceDefaults,
  LimitRange: setLimitRangeDefaults,
  ReplicationController: setReplicationControllerDefaults,
  StorageClass: setStorageClassDefaults,
  VolumeAttachment: setVolumeAttachmentDefaults,
  CSIDriver: setDriverDefaults,
  Deployment: setDeploymentDefaults,
  ReplicaSet: setReplicaSetDefaults,
  StatefulSet: setStatefulSetDefaults,
  DaemonSet: setDaemonSetDefaults,
  Job: setJobDefaults,
  CronJob: setCronJobDefaults,
  PriorityClass: setPriorityClassDefaults,
};

/** Fills in defaults, in place. */
export function setDefaults(object: MutableObject, version: KubernetesVersion): void {
  const set = defaults[object.kind] as Defaulting<MutableObject> | undefined;
  set?.(object, version);
}
