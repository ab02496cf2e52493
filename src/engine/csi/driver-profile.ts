/** The traits of a CSI driver, as data: the fields of the conformance profiles, and further ones of real drivers. */
import type { AttributeRefusal, CreationRefusal } from "./creation-refusal.ts";
import type { MountRefusal } from "./mount-refusal.ts";
import type { SecretRefusals } from "./secret-refusal.ts";
import type { VolumeCondition } from "./volume-condition.ts";

export interface NodeTaint {
  readonly key: string;
  readonly value?: string;
  readonly effect: string;
}

export interface NodeGrowthRefusal extends MountRefusal {
  /** The node does not report it: it answers that the volume has grown. */
  readonly isSilent?: true;
}

export interface DriverProfile {
  /** The CSI name: `ebs.csi.aws.com`. */
  readonly name: string;
  readonly attachRequired: boolean;
  /** False for a driver without a controller: pods name its volumes inline, and its node plugin does the rest. */
  readonly hasController?: false;
  readonly fsGroupPolicy: "ReadWriteOnceWithFSType" | "File" | "None";
  readonly podInfoOnMount: boolean;
  readonly storageCapacity: boolean;
  readonly requiresRepublish: boolean;
  /** Audiences for which the driver wants tokens of the pod's service account; none if absent. */
  readonly tokenAudiences?: readonly string[];
  readonly seLinuxMount?: boolean;
  readonly lifecycleModes: readonly ("Persistent" | "Ephemeral")[];
  /** The node label that says where a volume is reachable; "" if it is reachable from everywhere. */
  readonly topologyKey: string;
  /** True if volumes are reachable from everywhere although nodes report a topology. */
  readonly reachesAllSegments?: boolean;
  /** Further keys that nodes report with the same value; volumes have `topologyKey` only. */
  readonly extraTopologyKeys?: readonly string[];
  /** Whether the topology key's value is the zone or the node's name. */
  readonly topologyFrom: "zone" | "node";
  readonly accessModes: readonly string[];
  readonly volumeModes: readonly string[];
  /** Access modes of Block volumes, if they differ from those of file systems. */
  readonly blockAccessModes?: readonly string[];
  /**
   * The driver's words about an access mode or volume mode that it does not support; `<MODE>` stands for the CSI mode,
   * `<NUMBER>` for its number in the specification.
   */
  readonly capabilityRefusal?: string;
  /** Its words about an unsupported volume mode with a supported access mode, if they differ. */
  readonly volumeModeRefusal?: string;
  /**
   * The driver's words when a volume with an unsupported access mode or volume mode is attached, or mounted if the driver does
   * not attach; if absent, it does not check. `<MODE>` stands for the CSI mode.
   */
  readonly publishRefusal?: string;
  /** The prefix of handles for a disk that each node has of its own: nothing is attached, and every node has one. */
  readonly ownDiskHandle?: string;
  /** What it refuses to attach, before it checks access mode and volume mode. */
  readonly attachRefusals?: readonly MountRefusal[];
  /** What the node plugin refuses to stage, in the order of its checks. */
  readonly stageRefusals?: readonly MountRefusal[];
  /** What it refuses to publish, after access mode and volume mode have passed (`publishRefusal`). */
  readonly mountRefusals?: readonly MountRefusal[];
  /** True if the driver takes a class's keys only as spelled; most ignore their case. */
  readonly hasExactKeys?: true;
  /** What the driver refuses to create before it checks access modes and volume modes, in the order of its checks. */
  readonly earlyRefusals?: readonly CreationRefusal[];
  /** What it refuses to create after these have passed. */
  readonly creationRefusals?: readonly CreationRefusal[];
  /** What the cloud behind it refuses to create after all of the driver's checks have passed. */
  readonly cloudRefusals?: readonly CreationRefusal[];
  readonly expansion: {
    readonly controller: boolean;
    readonly node: boolean;
    readonly online: boolean;
    /** The driver's words if a volume is in use and does not grow online. */
    readonly inUseRefusal?: string;
    /** False if Block volumes have no node expansion, whatever `node` says. */
    readonly nodeForBlock?: boolean;
    /** True if a detached volume is answered to need no node expansion: its next mount does it. */
    readonly nodeOnlyWhileAttached?: true;
    /**
     * Its words when it refuses to expand volumes with one of these CSI modes, of such a class, or to such a size (`<BYTES>`).
     */
    readonly refusals?: readonly (VolumeCondition & {
      readonly modes?: readonly string[];
      readonly notMultipleOf?: string;
      readonly code: string;
      readonly text: string;
    })[];
    /** What a node does not expand; conditions on parameters are about the class's. */
    readonly nodeRefusals?: readonly NodeGrowthRefusal[];
    /**
     * True if a resizer runs although only the node expands volumes, so that it has nothing to call. If absent, none runs then.
     */
    readonly hasTrivialResizer?: true;
  };
  /** The driver's words when it does not grow a volume that has snapshots, with `<ID>`, `<SNAPSHOTS>` and `<COUNT>`. */
  readonly snapshotsKeepSize?: { readonly code: string; readonly text: string };
  /** Its words about calls without the secret that they need; if absent, none is needed. */
  readonly secretRefusals?: SecretRefusals;
  readonly snapshots: boolean;
  /** LIST_SNAPSHOTS: a pre-provisioned snapshot is looked up before it counts as ready. */
  readonly listSnapshots: boolean;
  readonly clone: boolean;
  readonly modify: boolean;
  /** 0: no limit. */
  readonly maxVolumesPerNode: number;
  /** Quantities. */
  readonly roundUpTo: string;
  /** For sizes above `largeAbove`, if that differs. */
  readonly roundLargeUpTo?: string;
  /** 1Gi if absent. */
  readonly largeAbove?: string;
  /** Disks are rounded down to this. Creation answers the requested size, growth the disk's. */
  readonly roundDownTo?: string;
  /** Growth is answered with the requested size, whatever the disk's: always, or only by the call that makes it grow. */
  readonly answersGrowthAsAsked?: "always" | "when-it-grows";
  readonly minSize: string;
  /** No limit if absent. */
  readonly maxSize?: string;
  /** Sizes for some volumes only: the first whose condition is met. */
  readonly sizesWhere?: readonly SizesWhere[];
  /** The driver's words about a larger size; `<SIZE>` and `<BYTES>` stand for it, `<MAX>` for the maximum in bytes. */
  readonly maxSizeRefusal?: string;
  /** The size of the pool in each topology segment, a quantity; "0": unlimited. */
  readonly poolPerZone: string;
  /** The driver's words if a pool is full; `<FREE>` and `<NEEDED>` stand for bytes. */
  readonly noRoom?: {
    readonly create: { readonly code: string; readonly text: string };
    readonly grow: { readonly code: string; readonly text: string };
  };
  readonly placement: "first" | "spill";
  /** The classes whose volumes are in several topology segments at once. */
  readonly spans?: readonly SegmentSpan[];
  readonly enforceMaxVolumes: boolean;
  readonly singleNodeMultiWriter: boolean;
  readonly stageUnstage: boolean;
  /** VOLUME_MOUNT_GROUP: the driver mounts a volume for the pod's fsGroup, whatever its fsGroupPolicy says. */
  readonly volumeMountGroup?: true;
  readonly volumeStats: boolean;
  readonly publishReadonly: boolean;
  /** Keys of a VolumeAttributesClass that the driver accepts; "any" if that is not documented. */
  readonly modifyParameters: readonly string[] | "any";
  /** Further keys that it accepts and ignores. */
  readonly modifyIgnored?: readonly string[];
  /** Prefixes of further keys that it accepts. */
  readonly modifyPrefixes?: readonly string[];
  /** True if it ignores the case of keys of a VolumeAttributesClass. */
  readonly foldsAttributes?: true;
  /** Its words about an unknown key, `<KEY>`. */
  readonly modifyRefusal?: string;
  /** The same for a new volume, if the words differ. */
  readonly modifyRefusalOfNew?: string;
  /** What it refuses about attributes that it knows. */
  readonly attributeRefusals?: readonly AttributeRefusal[];
  /** What it refuses about a VolumeSnapshotClass's parameters, in the order of its checks; if absent, it accepts any. */
  readonly snapshotRefusals?: readonly CreationRefusal[];
  readonly staticVolumes: "adopt" | "reject";
  readonly staticSnapshots: "adopt" | "reject";
  readonly snapshotReadyAfterMs: number;
  readonly concurrency: "abort" | "wait" | "none";
  readonly defaultSize: string;
  /**
   * The pattern of its volumes' ids: `<NAME>` stands for the requested name, `<NUMBER>` for a number derived from it.
   * `vol-<NAME>` if absent.
   */
  readonly volumeHandle?: string;
  /**
   * Attributes of its new volumes: `<ID>` stands for the volume's id, `<SEGMENT>` for its segment, `<@key>` for a parameter of
   * its class, `<@key?>` for one without which the attribute is left out. If absent, all parameters are attributes.
   */
  readonly newAttributes?: Readonly<Record<string, string>>;
  /** False if the driver does not report sizes: a volume then counts as large as requested. */
  readonly answersSize?: boolean;
  /** For sources that the driver can only copy as they are: its words about another size. */
  readonly equalSourceSize?: {
    readonly snapshot?: SourceSizeRefusal;
    readonly volume?: SourceSizeRefusal;
  };
  /** How many files a volume holds, which decides how long it takes to give them to an fsGroup; few if absent. */
  readonly filesPerVolume?: number;
  /** How the driver's manifests run the sidecars, if that differs from the sidecars' defaults. */
  readonly sidecars?: SidecarSettings;
}

/** Sizes for the volumes that meet a condition, where they differ from those of all others. */
export interface SizesWhere
  extends VolumeCondition,
    Partial<
      Pick<DriverProfile, "roundUpTo" | "roundLargeUpTo" | "largeAbove" | "minSize" | "maxSize">
    > {}

export interface SourceSizeRefusal {
  readonly code: string;
  /** `<SIZE>` stands for the requested bytes, `<SOURCE>` for those of the source. */
  readonly text: string;
}

export interface SegmentSpan {
  /** The class's parameter and its values, all in any case. */
  readonly key: string;
  readonly values: readonly string[];
  /** The number of segments; all if absent. */
  readonly count?: number;
  /** The driver's words if there are fewer; `<COUNT>` stands for their number. */
  readonly refusal?: string;
}

export interface SidecarSettings {
  /** external-provisioner before version 6: other event texts, no pause after infeasible requests, less care for snapshots. */
  readonly isProvisionerBeforeV6?: boolean;
  /** --strict-topology: only the selected node's segment is requested. */
  readonly strictTopology?: boolean;
  /** --immediate-topology: if false, no topology is requested without a selected node. */
  readonly immediateTopology?: boolean;
  readonly defaultFsType?: string;
  /** `pvc` if absent. */
  readonly volumeNamePrefix?: string;
  /** How many characters of the claim's uid are used, without dashes; the whole uid if absent. */
  readonly volumeNameUuidLength?: number;
  /** --extra-create-metadata; true if absent. */
  readonly extraCreateMetadata?: boolean;
  readonly provisionTimeoutMs?: number;
  readonly retryStartMs?: number;
  readonly retryMaxMs?: number;
  /** --controller-publish-readonly of the provisioner: a volume provisioned for ReadOnlyMany alone is read-only. */
  readonly marksReadonly?: boolean;
  /** --handle-volume-inuse-error of the resizer; true if absent. */
  readonly handlesInUseError?: boolean;
}

/** The defaults of a profile that has only a name: those of the recordings' mock driver, except for its largest size. */
const driverDefaults: Omit<DriverProfile, "name" | "topologyFrom"> = {
  attachRequired: true,
  fsGroupPolicy: "ReadWriteOnceWithFSType",
  podInfoOnMount: false,
  storageCapacity: false,
  requiresRepublish: false,
  lifecycleModes: ["Persistent"],
  topologyKey: "",
  accessModes: ["ReadWriteOnce", "ReadOnlyMany", "ReadWriteMany", "ReadWriteOncePod"],
  volumeModes: ["Filesystem", "Block"],
  expansion: { controller: true, node: true, online: true },
  snapshots: false,
  listSnapshots: false,
  clone: false,
  modify: false,
  maxVolumesPerNode: 0,
  roundUpTo: "1",
  minSize: "1",
  poolPerZone: "0",
  placement: "first",
  enforceMaxVolumes: false,
  singleNodeMultiWriter: true,
  stageUnstage: true,
  volumeStats: true,
  publishReadonly: false,
  modifyParameters: ["iops", "throughput", "tier", "type"],
  staticVolumes: "adopt",
  staticSnapshots: "adopt",
  snapshotReadyAfterMs: 0,
  concurrency: "abort",
  defaultSize: "1Gi",
};

/** Fills in the defaults. The topology value is the node's name if the key ends in /node or /hostname, else the zone. */
export function driverProfile(
  given: Partial<DriverProfile> & { readonly name: string },
): DriverProfile {
  const topologyKey = given.topologyKey ?? "";
  return {
    ...driverDefaults,
    topologyFrom: /\/(node|hostname)$/.test(topologyKey) ? "node" : "zone",
    ...given,
  };
}
