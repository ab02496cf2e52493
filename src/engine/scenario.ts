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
/** The one that is run where nobody says which. */
export const newestVersion: KubernetesVersion = "1.36";

/**
 * The one that a person means: `1.34`, `v1.34`, a patch of it or what a server calls itself, such as `v1.34.1+k3s1`; patches
 * are not told apart.
 */
export function kubernetesVersionOf(given: string): KubernetesVersion | undefined {
  const minor = /^v?(\d+\.\d+)(?:\.\d+(?:[-+][\w.+-]*)?)?$/.exec(given)?.[1];
  return kubernetesVersions.find((version) => version === minor);
}

/** True where `version` is `since` or newer. */
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
  /** What pods may ask for. Quantities; 8 CPUs, 32Gi memory, 100Gi ephemeral storage and 110 pods where absent. */
  readonly capacity?: Readonly<Record<string, string>>;
  /** How many volumes of a driver may be attached, by driver; what the driver says of itself where absent. */
  readonly attachLimits?: Readonly<Record<string, number>>;
  /** Programs the kubelet finds in its PATH beyond mount and mkfs; a node without `iscsiadm` cannot attach iSCSI. All where absent. */
  readonly tools?: readonly string[];
  /** How often its kubelet looks whether its Node status has to be sent; 10 s where absent. */
  readonly statusUpdateMs?: number;
  /** Mounts are noted and nothing more: what is done to a mounted directory does not reach its source. */
  readonly fakeMounts?: boolean;
  /**
   * How many machines of its kind it speaks for when the scheduler counts; 1 where absent. For runs that need not tell
   * alike machines apart.
   */
  readonly standsFor?: number;
  /** Quantities that pods which are no part of the run ask for, as the scheduler counts them; nothing where absent. */
  readonly taken?: Readonly<Record<string, string>>;
  /** How many volumes of a driver such pods have there, by driver; none where absent. */
  readonly volumesTaken?: Readonly<Record<string, number>>;
  /** Paths that exist on the host's file system; see node/machine.ts for the default. */
  readonly hostPaths?: Readonly<Record<string, HostPathType>>;
  /** Its InternalIP; one of a private range where absent. */
  readonly address?: string;
  /** The drivers whose node plugin runs there, by name; all of the cluster's where absent. */
  readonly nodePlugins?: Readonly<Record<string, NodePlugin>>;
  /** What its kubelet reports in place of good health; nothing where absent. */
  readonly ailments?: readonly NodeAilment[];
  /** Its kubelet is silent when the run begins. */
  readonly isKubeletDown?: boolean;
}

/** What a driver says of itself on one node. */
export interface NodePlugin {
  /** By which the driver's controller knows the node. */
  readonly nodeId: string;
}

/** A condition of a Node in bad health: not Ready, short of disk. */
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
  /** What somebody says of drivers, above what the catalogue says, by which changes are advised; nothing where absent. */
  readonly describedDrivers?: readonly DescribedDriver[];
  /** Provisioners that are no CSI drivers; none where absent. */
  readonly pathProvisioners?: readonly PathProvisioner[];
  /** Objects that exist before the first step, as a manifest says them (classes, mostly). */
  readonly manifests: readonly Manifest[];
  /**
   * Objects of a cluster that has run for long, as its API server gave them: status, uids, finalizers and all. They are stored
   * as they are, and the components start on them as on a restart of the control plane; what runs and is mounted goes on.
   */
  readonly state?: readonly Manifest[];
  /** More of the cluster may be missing in its `state` than was not asked for: the text broke off, or could not all be read. */
  readonly isStatePartial?: boolean;
  /** kube-apiserver --disable-admission-plugins; none where absent. */
  readonly disabledAdmissionPlugins?: readonly AdmissionPlugin[];
}

/** Admission plugins that some clusters run without, or that nobody can answer for. */
export type AdmissionPlugin = "Priority" | "RuntimeClass" | "ServiceAccount";

/** A provisioner that makes directories and volumes of in-tree plugins. */
export interface PathProvisioner {
  /** As StorageClasses name it: `rancher.io/local-path`. */
  readonly name: string;
  readonly type: "local-path" | "minikube-hostpath" | "nfs-subdir" | "openebs-local";
  /** Where local-path makes its directories unless its ConfigMap says; as its own manifests have it where absent. */
  readonly path?: string;
}

/** One object as the user wrote it: untyped until the API server has decoded it. */
export type Manifest = Readonly<Record<string, unknown>>;

export interface ObjectName {
  readonly kind: Kind;
  readonly namespace?: string;
  readonly name: string;
}

/** Every call that Kubernetes makes to a driver and that a fault can be for. */
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
  /** One of `driverCalls`; absent where the faults of every call are cleared. */
  readonly call?: string;
  /** One of `grpcCodes`, in any common spelling; absent where the call is only slow. */
  readonly code?: string;
  readonly message?: string;
  /** How many calls; 0 until cleared; 1 where absent. */
  readonly times?: number;
  readonly delayMs?: number;
  /** The call takes effect before the error is answered. */
  readonly after?: boolean;
  /** Only calls to that node's plugin. */
  readonly node?: string;
  readonly clear?: boolean;
}

export type Step =
  | {
      readonly type: "apply";
      readonly manifests: readonly Manifest[];
      /** Between two documents; what an idle cluster takes for a request where absent. */
      readonly gapMs?: number;
    }
  | { readonly type: "settle"; readonly quietMs?: number; readonly limitMs?: number }
  | { readonly type: "advance"; readonly ms: number }
  | { readonly type: "delete"; readonly objects: readonly DeleteTarget[] }
  | {
      readonly type: "patch";
      readonly object: ObjectName;
      readonly patch: Json;
      /** As `kubectl patch` sends it where nobody says otherwise; a merge patch where absent. */
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
  /** Evict what a drain evicts: cordon, then pods one by one through the eviction sub-resource. */
  | { readonly type: "drain"; readonly name: string };

export interface DeleteTarget extends ObjectName {
  /** Seconds; 0 forces a pod's deletion. */
  readonly grace?: number;
  readonly propagationPolicy?: "Background" | "Foreground" | "Orphan";
}

/** A Job that is made of a CronJob before its time. */
export interface NewJob {
  /** Of both. */
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
  /** Of what the trace keeps, as trace/kept-size.ts reckons it: whoever runs it knows how much memory there is. */
  readonly traceBytesMax: number;
}

export interface Scenario {
  readonly version: KubernetesVersion;
  readonly seed: number;
  readonly cluster: ClusterProfile;
  readonly steps: readonly Step[];
  readonly limits?: Partial<Limits>;
  /**
   * Who sends what the steps say: kubectl where absent. The recorder has sent each manifest as it is, to an object that was there
   * as a merge patch, and had fields that nobody knows refused.
   */
  readonly client?: "recorder" | undefined;
  /** A fault for tests: each component hears of each kind of objects late, by a time of its own. */
  readonly lateWatches?: { readonly delayMsMax: number } | undefined;
}
