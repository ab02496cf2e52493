/** What a CSI driver can do, as data. The fields of the conformance profiles, with real drivers' further traits. */
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
  /** The node tells nobody: it says that the volume has grown. */
  readonly isSilent?: true;
}

export interface DriverProfile {
  /** The CSI name: `ebs.csi.aws.com`. */
  readonly name: string;
  readonly attachRequired: boolean;
  /** False where nobody makes, attaches, grows or copies its volumes: pods name them, and its node plugin does the rest. */
  readonly hasController?: false;
  readonly fsGroupPolicy: "ReadWriteOnceWithFSType" | "File" | "None";
  readonly podInfoOnMount: boolean;
  readonly storageCapacity: boolean;
  readonly requiresRepublish: boolean;
  /** Audiences for which the driver wants a token of the pod's account; none where absent. */
  readonly tokenAudiences?: readonly string[];
  readonly seLinuxMount?: boolean;
  readonly lifecycleModes: readonly ("Persistent" | "Ephemeral")[];
  /** Node label that says where a volume is reachable; "" where it is reachable from everywhere. */
  readonly topologyKey: string;
  /** Nodes say where they are, and volumes are reachable from everywhere all the same. */
  readonly reachesAllSegments?: boolean;
  /** Further keys that nodes report with the same value; volumes name `topologyKey` only. */
  readonly extraTopologyKeys?: readonly string[];
  /** What the topology key's value is: the zone, or the node's name. */
  readonly topologyFrom: "zone" | "node";
  readonly accessModes: readonly string[];
  readonly volumeModes: readonly string[];
  /** Access modes of Block volumes where they differ from those of file systems. */
  readonly blockAccessModes?: readonly string[];
  /**
   * The driver's own words for an access mode or volume mode that it does not take; `<MODE>` stands for the CSI mode, `<NUMBER>` for
   * the number that the specification gives it.
   */
  readonly capabilityRefusal?: string;
  /** For a volume mode that it does not take with an access mode that it does, where these differ. */
  readonly volumeModeRefusal?: string;
  /**
   * What the driver says to a volume that is to be attached, or mounted where it attaches none, with an access mode or volume mode
   * that it does not take; it takes any where absent. `<MODE>` stands for the CSI mode.
   */
  readonly publishRefusal?: string;
  /** How handles begin that mean a disk which each node has of its own: nothing is attached, and any node has one. */
  readonly ownDiskHandle?: string;
  /** What it refuses to attach, before it looks at access mode and volume mode. */
  readonly attachRefusals?: readonly MountRefusal[];
  /** What the node plugin refuses to stage, first what it looks at first. */
  readonly stageRefusals?: readonly MountRefusal[];
  /** What it refuses to publish, once the access mode and volume mode will do (`publishRefusal`). */
  readonly mountRefusals?: readonly MountRefusal[];
  /** The driver reads a class's keys as they are written; most take them in any case. */
  readonly hasExactKeys?: true;
  /** What the driver refuses to make before it looks at access modes and volume modes, first what it looks at first. */
  readonly earlyRefusals?: readonly CreationRefusal[];
  /** What else it refuses, once it has found these all right. */
  readonly creationRefusals?: readonly CreationRefusal[];
  /** What the cloud behind it refuses, once the driver has found all right. */
  readonly cloudRefusals?: readonly CreationRefusal[];
  readonly expansion: {
    readonly controller: boolean;
    readonly node: boolean;
    readonly online: boolean;
    /** The driver's own words where a volume is in use and does not grow online. */
    readonly inUseRefusal?: string;
    /** False: a Block volume has no node part, whatever `node` says. */
    readonly nodeForBlock?: boolean;
    /** A volume that is attached nowhere has no node part: its next mount sees to it. */
    readonly nodeOnlyWhileAttached?: true;
    /** What it says to the growth of volumes with one of these CSI modes, of such a class, or to such a size (`<BYTES>`). */
    readonly refusals?: readonly (VolumeCondition & {
      readonly modes?: readonly string[];
      readonly notMultipleOf?: string;
      readonly code: string;
      readonly text: string;
    })[];
    /** What a node does not grow; conditions on parameters are meant of the class's. */
    readonly nodeRefusals?: readonly NodeGrowthRefusal[];
    /** Where the node grows volumes alone, a resizer runs nevertheless: it has nobody to call. None does where absent. */
    readonly hasTrivialResizer?: true;
  };
  /** What the driver says instead of growing a volume of which there are snapshots; `<ID>`, `<SNAPSHOTS>` and `<COUNT>` stand for them. */
  readonly snapshotsKeepSize?: { readonly code: string; readonly text: string };
  /** What it says to calls without the secret that it wants for them; it wants none where absent. */
  readonly secretRefusals?: SecretRefusals;
  readonly snapshots: boolean;
  /** LIST_SNAPSHOTS: a snapshot that somebody else has taken is looked for before it counts as ready. */
  readonly listSnapshots: boolean;
  readonly clone: boolean;
  readonly modify: boolean;
  /** 0: no limit. */
  readonly maxVolumesPerNode: number;
  /** Quantities. */
  readonly roundUpTo: string;
  /** Of sizes above `largeAbove`, where that differs. */
  readonly roundLargeUpTo?: string;
  /** 1Gi where absent. */
  readonly largeAbove?: string;
  /** Disks are so rounded down: what was asked for is answered when they are made, what they have when they grow. */
  readonly roundDownTo?: string;
  /** A growth is answered as it was asked for, whatever size the disk has got; or so only by the call that lets it grow. */
  readonly answersGrowthAsAsked?: "always" | "when-it-grows";
  readonly minSize: string;
  /** No limit where absent. */
  readonly maxSize?: string;
  /** Of some volumes only: the first whose condition holds. */
  readonly sizesWhere?: readonly SizesWhere[];
  /** The driver's own words for a larger one; `<SIZE>` and `<BYTES>` stand for it, `<MAX>` for the maximum in bytes. */
  readonly maxSizeRefusal?: string;
  /** Quantity of a pool in each topology segment; "0": endless. */
  readonly poolPerZone: string;
  /** The driver's own words where a pool is full; `<FREE>` and `<NEEDED>` stand for bytes. */
  readonly noRoom?: {
    readonly create: { readonly code: string; readonly text: string };
    readonly grow: { readonly code: string; readonly text: string };
  };
  readonly placement: "first" | "spill";
  /** Classes whose volumes are in several topology segments at once. */
  readonly spans?: readonly SegmentSpan[];
  readonly enforceMaxVolumes: boolean;
  readonly singleNodeMultiWriter: boolean;
  readonly stageUnstage: boolean;
  /** VOLUME_MOUNT_GROUP: the driver mounts a volume for the pod's fsGroup, whatever its fsGroupPolicy says. */
  readonly volumeMountGroup?: true;
  readonly volumeStats: boolean;
  readonly publishReadonly: boolean;
  /** Keys of a VolumeAttributesClass that the driver takes; "any" where nobody has described it. */
  readonly modifyParameters: readonly string[] | "any";
  /** Further keys that it takes, and that change nothing. */
  readonly modifyIgnored?: readonly string[];
  /** It also takes keys that begin so. */
  readonly modifyPrefixes?: readonly string[];
  /** It takes keys of a VolumeAttributesClass in any case. */
  readonly foldsAttributes?: true;
  /** What it says of another key, with `<KEY>` for it. */
  readonly modifyRefusal?: string;
  /** The same where the volume is to be made, if it says it in other words there. */
  readonly modifyRefusalOfNew?: string;
  /** What it has against attributes that it knows. */
  readonly attributeRefusals?: readonly AttributeRefusal[];
  /** What it says of a VolumeSnapshotClass's parameters, first what it looks at first; it takes any where absent. */
  readonly snapshotRefusals?: readonly CreationRefusal[];
  readonly staticVolumes: "adopt" | "reject";
  readonly staticSnapshots: "adopt" | "reject";
  readonly snapshotReadyAfterMs: number;
  readonly concurrency: "abort" | "wait" | "none";
  readonly defaultSize: string;
  /**
   * What its volumes' ids look like, with `<NAME>` for the name that they are asked for by, and `<NUMBER>` for a number that is
   * made of it; `vol-<NAME>` where absent.
   */
  readonly volumeHandle?: string;
  /**
   * Attributes of its new volumes, with `<ID>` for a volume's id, `<SEGMENT>` for where it is, `<@key>` for a parameter of its class, `<@key?>` for one without which there is no such attribute;
   * all of these where absent.
   */
  readonly newAttributes?: Readonly<Record<string, string>>;
  /** False: the driver does not know its volumes' sizes, so a volume is as large as was asked for. */
  readonly answersSize?: boolean;
  /** Sources that the driver copies as they are: what it says of another size. */
  readonly equalSourceSize?: {
    readonly snapshot?: SourceSizeRefusal;
    readonly volume?: SourceSizeRefusal;
  };
  /** How many files a volume holds, for how long it takes to give them all to an fsGroup; few where absent. */
  readonly filesPerVolume?: number;
  /** How the driver's manifests run the sidecars, where that differs from the sidecars' defaults. */
  readonly sidecars?: SidecarSettings;
}

/** Sizes of the volumes that a condition holds for, where they differ from those of all others. */
export interface SizesWhere
  extends VolumeCondition,
    Partial<
      Pick<DriverProfile, "roundUpTo" | "roundLargeUpTo" | "largeAbove" | "minSize" | "maxSize">
    > {}

export interface SourceSizeRefusal {
  readonly code: string;
  /** `<SIZE>` stands for the bytes that are asked for, `<SOURCE>` for those of the source. */
  readonly text: string;
}

export interface SegmentSpan {
  /** The class's parameter, whatever its case, and the values, whatever theirs. */
  readonly key: string;
  readonly values: readonly string[];
  /** In how many segments; in all where absent. */
  readonly count?: number;
  /** What the driver says where there are fewer; `<COUNT>` stands for how many there are. */
  readonly refusal?: string;
}

export interface SidecarSettings {
  /** Before external-provisioner 6: other event texts, no pause after infeasible requests, and less care for snapshots. */
  readonly isProvisionerBeforeV6?: boolean;
  /** --strict-topology: only the selected node's segment is asked for. */
  readonly strictTopology?: boolean;
  /** --immediate-topology: false: without a selected node no topology is asked for. */
  readonly immediateTopology?: boolean;
  readonly defaultFsType?: string;
  /** `pvc` where absent. */
  readonly volumeNamePrefix?: string;
  /** Characters of the claim's uid, dashes left out; the whole uid where absent. */
  readonly volumeNameUuidLength?: number;
  /** --extra-create-metadata; true where absent. */
  readonly extraCreateMetadata?: boolean;
  readonly provisionTimeoutMs?: number;
  readonly retryStartMs?: number;
  readonly retryMaxMs?: number;
  /** --controller-publish-readonly of the provisioner: a volume that is made for ReadOnlyMany alone is read-only. */
  readonly marksReadonly?: boolean;
  /** --handle-volume-inuse-error of the resizer; true where absent. */
  readonly handlesInUseError?: boolean;
}

/** Those of a profile that says nothing but the name: what the mock driver of the recordings assumes, but for its largest size. */
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

/** Fills in the defaults; the topology value is the node's name where the key ends in /node or /hostname. */
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
