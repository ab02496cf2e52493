/** What a run starts from. Plain data: the same scenario and seed give the same trace, byte for byte. */
import type { Json } from "./api/json.ts";
import type { Kind } from "./api/meta.ts";
import type { DescribedDriver } from "./csi/catalogue/driver-knowledge.ts";
import type { DriverProfile, NodeTaint } from "./csi/driver-profile.ts";

export type KubernetesVersion = "1.32" | "1.33" | "1.34" | "1.35" | "1.36";
export const kubernetesVersions: readonly KubernetesVersion[] = [
  "1.32",
  "1.33",
  "1.34",
  "1.35",
  "1.36",
];
export const oldestVersion: KubernetesVersion = "1.32";
/** The version that is assumed if none is given. */
export const newestVersion: KubernetesVersion = "1.36";

/**
 * Returns the version meant by `1.34`, `v1.34`, a patch version or a server's own version such as `v1.34.1+k3s1`; undefined for
 * anything else. Patch versions count as their minor version.
 */
export function kubernetesVersionOf(given: string): KubernetesVersion | undefined {
  const minor = /^v?(\d+\.\d+)(?:\.\d+(?:[-+][\w.+-]*)?)?$/.exec(given)?.[1];
  return kubernetesVersions.find((version) => version === minor);
}

/** True if `version` is `since` or newer. */
export function atLeast(version: KubernetesVersion, since: KubernetesVersion): boolean {
  return kubernetesVersions.indexOf(version) >= kubernetesVersions.indexOf(since);
}

/** A machine of the cluster. Its kubelet registers the Node and CSINode objects. */
export interface NodeProfile {
  readonly name: string;
  /** Value of topology.kubernetes.io/zone and of the drivers' zonal topology keys; none where absent. */
  readonly zone?: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly taints?: readonly NodeTaint[];
  /** Registered with spec.unschedulable: it takes no new pods. */
  readonly isCordoned?: boolean;
  /** What pods may request, as quantities; 8 CPUs, 32Gi memory, 100Gi ephemeral storage and 110 pods where absent. */
  readonly capacity?: Readonly<Record<string, string>>;
  /** How many volumes may be attached, by driver; where absent, the limit that the driver reports. */
  readonly attachLimits?: Readonly<Record<string, number>>;
  /**
   * Programs that the kubelet finds besides mount and mkfs; all of them where absent. Without `iscsiadm` it cannot attach iSCSI
   * volumes.
   */
  readonly tools?: readonly string[];
  /** How often the kubelet checks whether to update the Node's status; 10 s where absent. */
  readonly statusUpdateMs?: number;
  /** Mounts are only recorded: changes in a mounted directory do not reach its source. */
  readonly fakeMounts?: boolean;
  /**
   * How many equal machines this one stands for when the scheduler counts nodes; 1 where absent. For runs that need not tell
   * equal machines apart.
   */
  readonly standsFor?: number;
  /**
   * Requests of pods on this node that are not part of the run, as the scheduler counts them. Quantities; none where absent.
   */
  readonly taken?: Readonly<Record<string, string>>;
  /** How many volumes those pods use, by driver; none where absent. */
  readonly volumesTaken?: Readonly<Record<string, number>>;
  /** Paths on the host in addition to the usual ones of node/host-files.ts. */
  readonly hostPaths?: Readonly<Record<string, HostPathType>>;
  /** InternalIP; an address of a private range where absent. */
  readonly address?: string;
  /** The drivers whose node plugin runs on this node, by name; all of the cluster's where absent. */
  readonly nodePlugins?: Readonly<Record<string, NodePlugin>>;
  /** Unhealthy conditions that the kubelet reports; none where absent. */
  readonly ailments?: readonly NodeAilment[];
  /** The kubelet does not respond when the run begins. */
  readonly isKubeletDown?: boolean;
}

/** What a driver's node plugin reports about itself. */
export interface NodePlugin {
  /** The name by which the driver's controller knows the node. */
  readonly nodeId: string;
}

/** A Node condition that shows a problem: not Ready, short of disk. */
export interface NodeAilment {
  readonly type: string;
  readonly status: string;
  readonly reason: string;
  readonly message: string;
}

export type HostPathType = "directory" | "file" | "socket" | "charDevice" | "blockDevice";

/** The assumed cluster: machines, drivers, and what the distribution has installed. */
export interface ClusterProfile {
  readonly name: string;
  readonly nodes: readonly NodeProfile[];
  readonly drivers: readonly DriverProfile[];
  /**
   * What the user has stated about drivers; takes precedence over the catalogue when changes are advised. Nothing where absent.
   */
  readonly describedDrivers?: readonly DescribedDriver[];
  /** Provisioners that are not CSI drivers; none where absent. */
  readonly pathProvisioners?: readonly PathProvisioner[];
  /** Manifests of objects that exist before the first step; mostly classes. */
  readonly manifests: readonly Manifest[];
  /**
   * Objects of a running cluster as its API server returned them, with status, uids and finalizers. They are stored unchanged,
   * and the components start as after a restart of the control plane: running pods and mounted volumes stay.
   */
  readonly state?: readonly Manifest[];
  /** True if `state` may lack some of the requested objects, because its text was cut off or partly unreadable. */
  readonly isStatePartial?: boolean;
  /** kube-apiserver --disable-admission-plugins; none where absent. */
  readonly disabledAdmissionPlugins?: readonly AdmissionPlugin[];
}

/** Admission plugins that some clusters run without, or whose answer depends on facts unknown here. */
export type AdmissionPlugin = "Priority" | "RuntimeClass" | "ServiceAccount";

/** A provisioner that creates directories, shares, images or disks, and PersistentVolumes of in-tree plugins for them. */
export interface PathProvisioner {
  /** The provisioner of its StorageClasses, such as `rancher.io/local-path`. */
  readonly name: string;
  readonly type:
    | "ceph-fs"
    | "ceph-rbd"
    | "docker-hostpath"
    | "flex-volume"
    | "gluster-fs"
    | "iscsi"
    | "local-path"
    | "microk8s-hostpath"
    | "minikube-hostpath"
    | "nfs-subdir"
    | "openebs-local"
    /** Not known; its volumes are assumed to be mounted everywhere. */
    | "unknown";
  /**
   * Where local-path and MicroK8s create their directories, unless ConfigMap or class say otherwise; the path of their own
   * manifests where absent.
   */
  readonly path?: string;
}

/** One object as the user wrote it: untyped until the API server has decoded it. */
export type Manifest = Readonly<Record<string, unknown>>;

export interface ObjectName {
  readonly kind: Kind;
  readonly namespace?: string;
  readonly name: string;
}

/** The calls to a driver for which a fault can be set. */
export const driverCalls = [
  "CreateVolume",
  "DeleteVolume",
  "ControllerPublishVolume",
  "ControllerUnpublishVolume",
  "ControllerExpandVolume",
  "ControllerModifyVolume",
  "CreateSnapshot",
  "DeleteSnapshot",
  "ListSnapshots",
  "GetCapacity",
  "NodeStageVolume",
  "NodeUnstageVolume",
  "NodePublishVolume",
  "NodeUnpublishVolume",
  "NodeExpandVolume",
] as const;

export interface DriverFault {
  readonly driver: string;
  /** One of `driverCalls`; absent to clear the faults of all calls. */
  readonly call?: string;
  /** One of `grpcCodes`, in any common spelling; absent if the call is slow but succeeds. */
  readonly code?: string;
  readonly message?: string;
  /** How many calls fail; 0 for all until the fault is cleared; 1 where absent. */
  readonly times?: number;
  readonly delayMs?: number;
  /** The call takes effect before the error is returned. */
  readonly after?: boolean;
  /** Only calls to that node's plugin. */
  readonly node?: string;
  readonly clear?: boolean;
}

export type Step =
  | {
      readonly type: "apply";
      readonly manifests: readonly Manifest[];
      /** The time between two documents; where absent, as long as kubectl takes with an idle cluster. */
      readonly gapMs?: number;
    }
  | { readonly type: "settle"; readonly quietMs?: number; readonly limitMs?: number }
  | { readonly type: "advance"; readonly ms: number }
  | { readonly type: "delete"; readonly objects: readonly DeleteTarget[] }
  | {
      readonly type: "patch";
      readonly object: ObjectName;
      readonly patch: Json;
      /** `strategic` is the default of `kubectl patch`; a merge patch where absent. */
      readonly patchType?: "strategic";
      readonly subresource?: "status";
    }
  | { readonly type: "scale"; readonly object: ObjectName; readonly replicas: number }
  | ({ readonly type: "createJob" } & NewJob)
  | { readonly type: "fault"; readonly fault: DriverFault }
  | {
      readonly type: "driver";
      readonly name: string;
      readonly controller?: "up" | "down";
      readonly node?: "up" | "down";
      readonly nodeName?: string;
    }
  | { readonly type: "node"; readonly name: string; readonly kubelet: "up" | "down" | "restart" }
  | { readonly type: "cordon" | "uncordon"; readonly name: string }
  /** What `kubectl drain` does: cordons the node, then evicts its pods one by one. */
  | { readonly type: "drain"; readonly name: string };

export interface DeleteTarget extends ObjectName {
  /** Seconds; 0 forces a pod's deletion. */
  readonly grace?: number;
  readonly propagationPolicy?: "Background" | "Foreground" | "Orphan";
}

/** A Job that a user makes from a CronJob, ahead of its schedule. */
export interface NewJob {
  /** The namespace of the CronJob and of the Job; `default` where absent. */
  readonly namespace?: string;
  readonly name: string;
  /** The CronJob's name. */
  readonly from: string;
}

/** Bounds of a run; reaching one ends it with a `limit` entry in the trace. */
export interface Limits {
  readonly eventCountMax: number;
  readonly virtualTimeMsMax: number;
  readonly objectCountMax: number;
  /** The memory that the trace may take, as trace/kept-size.ts estimates it. */
  readonly traceBytesMax: number;
}

export interface Scenario {
  readonly version: KubernetesVersion;
  readonly seed: number;
  readonly cluster: ClusterProfile;
  readonly steps: readonly Step[];
  readonly limits?: Partial<Limits>;
  /**
   * Who sends the requests of the steps; kubectl where absent. The recorder (which recorded the real clusters) sends manifests
   * unchanged, changes existing objects with a merge patch, and has unknown fields refused.
   */
  readonly client?: "recorder" | undefined;
  /** A fault for tests: each component hears of each kind's changes late, each with its own delay. */
  readonly lateWatches?: { readonly delayMsMax: number } | undefined;
}
