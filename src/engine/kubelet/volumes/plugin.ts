/**
 * What the kubelet knows about a volume, and what a volume plugin does with it.
 * Upstream: pkg/volume/volume.go and plugins.go v1.36 (Spec, VolumePlugin, Mounter, DeviceMounter, BlockVolumeMapper).
 */
import type { PersistentVolume, Pod, Volume } from "../../api/types.ts";
import type { Machine } from "../../node/machine.ts";
import type { ComponentContext } from "../../runtime/component.ts";
import type { Task } from "../../runtime/effects.ts";
import type { ObjectCache } from "../object-cache.ts";

/** A volume of a pod, its claim already followed to the PersistentVolume. */
export interface VolumeSpec {
  /** The PersistentVolume's name, or that of the pod's volume if it has no claim. */
  readonly name: string;
  readonly volume?: Volume;
  readonly persistentVolume?: PersistentVolume;
  /** True if the pod's reference to the claim asks for read-only. */
  readonly readOnly: boolean;
  /**
   * True if it was made of a migrated in-tree source in the pod and is no object in the cluster. Upstream:
   * InlineVolumeSpecForCSIMigration.
   */
  readonly isMigratedInline?: boolean;
}

/** True for a raw device, without a file system; inline volumes never are. */
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
  /** Has the driver's volume limit for the node read again. */
  askLimit(driver: string): void;
}

export interface MountRequest {
  readonly spec: VolumeSpec;
  readonly pod: Pod;
  /** True if the kubelet found the volume at its start and it may be mounted for the pod. Upstream: IsVolumeReconstructed. */
  readonly isReconstructed?: boolean;
}

/** What is known of a volume being taken down, whose spec may be gone. */
export interface UnmountRequest {
  readonly uniqueName: string;
  readonly podUid: string;
  readonly specName: string;
}

export interface VolumePlugin {
  readonly name: string;
  supports(spec: VolumeSpec): boolean;
  /** A name that is unique among this plugin's volumes. */
  volumeName(spec: VolumeSpec): string;
  readonly supportsMountOptions: boolean;
  /** True if `setUp` is repeated with each sync of the pod, to keep its files up to date. */
  requiresRemount(host: VolumeHost, spec: VolumeSpec): boolean;
  isAttachable(host: VolumeHost, spec: VolumeSpec): boolean;
  isDeviceMountable(spec: VolumeSpec): boolean;
  /** Returns why no mounter can be made; undefined if one can. */
  newMounterError?(host: VolumeHost, request: MountRequest): Task<string | undefined>;
  waitForAttach?(host: VolumeHost, spec: VolumeSpec): Task<VolumeResult>;
  mountDevice?(host: VolumeHost, request: MountRequest): Task<VolumeResult>;
  setUp(host: VolumeHost, request: MountRequest): Task<VolumeResult>;
  tearDown(host: VolumeHost, request: UnmountRequest): Task<VolumeResult>;
  unmountDevice?(host: VolumeHost, device: DeviceRecord): Task<VolumeResult>;
  /**
   * Expands the file system to the volume's size; absent if the plugin does not expand. Upstream: NodeExpandableVolumePlugin.
   */
  nodeExpand?(
    host: VolumeHost,
    spec: VolumeSpec,
    podUid: string,
    size: string,
  ): Task<NodeExpansion>;
  /** Stages and publishes block volumes, and back; absent if the plugin has none. */
  readonly block?: BlockPlugin;
}

/** The plugin's answer. Anything but `ok` leaves the size as it was. */
export type NodeExpansion =
  | { readonly type: "ok" }
  | {
      readonly type: "infeasible" | "in-use" | "unsupported" | "failed" | "unregistered";
      readonly error: string;
    };

export interface BlockPlugin {
  /** The directory with the links to the device, one per pod. Upstream: GetGlobalMapPath. */
  globalMapDirectory(spec: VolumeSpec): string;
  /** Where the device has to exist already; absent if the driver makes it. */
  devicePath?(spec: VolumeSpec): string;
  /** Returns why no mapper can be made; undefined if one can. */
  newMapperError?(host: VolumeHost, request: MountRequest): Task<string | undefined>;
  setUpDevice(host: VolumeHost, request: MountRequest): Task<VolumeResult>;
  mapPodDevice(host: VolumeHost, request: MountRequest): Task<VolumeResult>;
  unmapPodDevice(host: VolumeHost, request: UnmountRequest): Task<VolumeResult>;
  tearDownDevice(host: VolumeHost, device: DeviceRecord): Task<VolumeResult>;
}

/** A volume whose device is being taken down. */
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

/** A task that waits for nothing. */
export function* immediately(result: VolumeResult = undefined): Task<VolumeResult> {
  return result;
}
