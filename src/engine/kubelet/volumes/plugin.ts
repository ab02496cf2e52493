/**
 * What the kubelet knows of a volume, and what a volume plugin can do with it.
 * Upstream: pkg/volume/volume.go and plugins.go v1.36 (Spec, VolumePlugin, Mounter, DeviceMounter, BlockVolumeMapper).
 */
import type { PersistentVolume, Pod, Volume } from "../../api/types.ts";
import type { Machine } from "../../node/machine.ts";
import type { ComponentContext } from "../../runtime/component.ts";
import type { Task } from "../../runtime/effects.ts";
import type { ObjectCache } from "../object-cache.ts";

/** A volume of a pod, its claim already followed to the PersistentVolume. */
export interface VolumeSpec {
  /** The PersistentVolume's name, or the pod volume's where it stands in the pod itself. */
  readonly name: string;
  readonly volume?: Volume;
  readonly persistentVolume?: PersistentVolume;
  /** The pod asks for read-only by its claim reference. */
  readonly readOnly: boolean;
  /** No object in the cluster: made of a migrated in-tree source in the pod. Upstream: InlineVolumeSpecForCSIMigration. */
  readonly isMigratedInline?: boolean;
}

/** A raw device: its pods get no file system. What stands in a pod itself is none. */
export function isBlockVolume({ persistentVolume }: VolumeSpec): boolean {
  return persistentVolume?.spec.volumeMode === "Block";
}

/**
 * Why an operation on a volume failed. Upstream: pkg/volume/util/types: `final`, nothing is in progress; `uncertain`, the
 * driver may still work on it, so it has to be undone; `transient`, nothing was begun and nothing changes.
 */
export interface VolumeFailure {
  readonly kind: "final" | "uncertain" | "transient";
  readonly error: string;
}

export type VolumeResult = VolumeFailure | undefined;

/** What plugins need of the kubelet. */
export interface VolumeHost {
  readonly context: ComponentContext;
  readonly machine: Machine;
  readonly nodeName: string;
  /** The node's address. */
  readonly hostIp: string;
  readonly objects: ObjectCache;
  /** True while the driver's node plugin is registered with this kubelet. */
  isRegistered(driver: string): boolean;
  /** Has the driver asked anew how many volumes the node takes. */
  askLimit(driver: string): void;
}

export interface MountRequest {
  readonly spec: VolumeSpec;
  readonly pod: Pod;
  /** The kubelet has found the volume when it started, and it may be mounted for the pod. Upstream: IsVolumeReconstructed. */
  readonly isReconstructed?: boolean;
}

/** The rest of a volume that is being taken down: its spec may be gone. */
export interface UnmountRequest {
  readonly uniqueName: string;
  readonly podUid: string;
  readonly specName: string;
}

export interface VolumePlugin {
  readonly name: string;
  supports(spec: VolumeSpec): boolean;
  /** What makes the volume unique among those of this plugin. */
  volumeName(spec: VolumeSpec): string;
  readonly supportsMountOptions: boolean;
  /** Set up again with each sync of the pod, to bring its files up to date. */
  requiresRemount(host: VolumeHost, spec: VolumeSpec): boolean;
  isAttachable(host: VolumeHost, spec: VolumeSpec): boolean;
  isDeviceMountable(spec: VolumeSpec): boolean;
  /** What building the mounter refuses; undefined where it does not. */
  newMounterError?(host: VolumeHost, request: MountRequest): Task<string | undefined>;
  waitForAttach?(host: VolumeHost, spec: VolumeSpec): Task<VolumeResult>;
  mountDevice?(host: VolumeHost, request: MountRequest): Task<VolumeResult>;
  setUp(host: VolumeHost, request: MountRequest): Task<VolumeResult>;
  tearDown(host: VolumeHost, request: UnmountRequest): Task<VolumeResult>;
  unmountDevice?(host: VolumeHost, device: DeviceRecord): Task<VolumeResult>;
  /** Makes the file system as large as the volume; absent where the plugin grows nothing. Upstream: NodeExpandableVolumePlugin. */
  nodeExpand?(
    host: VolumeHost,
    spec: VolumeSpec,
    podUid: string,
    size: string,
  ): Task<NodeExpansion>;
  /** Block volumes: stage, publish, and the way back. Absent where the plugin has none. */
  readonly block?: BlockPlugin;
}

/** How the plugin answered. Anything but `ok` leaves the size as it was. */
export type NodeExpansion =
  | { readonly type: "ok" }
  | {
      readonly type: "infeasible" | "in-use" | "unsupported" | "failed" | "unregistered";
      readonly error: string;
    };

export interface BlockPlugin {
  /** Where the links to the device are, one per pod. Upstream: GetGlobalMapPath. */
  globalMapDirectory(spec: VolumeSpec): string;
  /** Where the device has to be already; absent where the driver makes it. */
  devicePath?(spec: VolumeSpec): string;
  /** What building the mapper refuses; undefined where it does not. */
  newMapperError?(host: VolumeHost, request: MountRequest): Task<string | undefined>;
  setUpDevice(host: VolumeHost, request: MountRequest): Task<VolumeResult>;
  mapPodDevice(host: VolumeHost, request: MountRequest): Task<VolumeResult>;
  unmapPodDevice(host: VolumeHost, request: UnmountRequest): Task<VolumeResult>;
  tearDownDevice(host: VolumeHost, device: DeviceRecord): Task<VolumeResult>;
}

/** A volume whose device part is being taken down. */
export interface DeviceRecord {
  readonly uniqueName: string;
  readonly specName: string;
}

export function final(error: string): VolumeFailure {
  return { kind: "final", error };
}
export function uncertain(error: string): VolumeFailure {
  return { kind: "uncertain", error };
}
export function transient(error: string): VolumeFailure {
  return { kind: "transient", error };
}

/** A task that has nothing to wait for. */
export function* immediately(result: VolumeResult = undefined): Task<VolumeResult> {
  return result;
}
