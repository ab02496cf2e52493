/**
 * The drivers that claimcheck.yaml describes: in-house ones, and those for which the catalogue does not match what is
 * installed. Uses the terms of CSIDriver, CSINode and StorageClass where they exist.
 */
import { allAccessModes } from "../../engine/api/access-modes.ts";
import {
  catalogueAlone,
  type DescribedDriver,
  DriverKnowledge,
} from "../../engine/csi/catalogue/driver-knowledge.ts";
import { noExpansion } from "../../engine/csi/catalogue/entry.ts";
import { type DriverProfile, driverProfile } from "../../engine/csi/driver-profile.ts";
import {
  boolean,
  field,
  listOf,
  type MappingShape,
  mapping,
  oneOf,
  type Shape,
  text,
  wholeNumber,
} from "../shapes/shape.ts";
import { problemsOf, type ShapeProblem } from "../shapes/shape-problems.ts";

const size: Shape = {
  type: "text",
  pattern: { expression: /^\d+(\.\d+)?([kMGTPE]|[KMGTPE]i)?$/, wanted: "a size such as 10Gi" },
};

const expansions = {
  online: { controller: true, node: true, online: true },
  offline: { controller: true, node: true, online: false },
  onNode: { controller: false, node: true, online: true, hasTrivialResizer: true },
  none: noExpansion,
} as const satisfies Readonly<Record<string, DriverProfile["expansion"]>>;

const release: Shape = {
  type: "text",
  pattern: { expression: /^v?\d+(\.\d+){0,2}$/, wanted: "a release such as v5.3.0" },
};

const describedDriver: MappingShape = mapping({
  name: { ...field(text, "As it registers itself: a class's provisioner."), isRequired: true },
  attachRequired: field(boolean, "Whether volumes are attached to nodes; a CSIDriver says it too."),
  fsGroupPolicy: field(
    oneOf("ReadWriteOnceWithFSType", "File", "None"),
    "Which volumes fsGroup is applied to; a CSIDriver says it too.",
  ),
  volumeLifecycleModes: field(
    listOf(oneOf("Persistent", "Ephemeral")),
    "Ephemeral if pods may use it as an inline volume; a CSIDriver says it too.",
  ),
  topologyKeys: field(
    listOf(text),
    "The node labels that say where a volume is reachable; an empty list: everywhere. A CSINode says it too.",
  ),
  accessModes: field(listOf(oneOf(...allAccessModes)), "Those that it takes."),
  volumeModes: field(listOf(oneOf("Filesystem", "Block")), "Those that it takes."),
  expansion: field(
    oneOf(...Object.keys(expansions)),
    "Whether it expands volumes, and also those in use; onNode if its node plugin does it alone.",
  ),
  snapshots: field(boolean, "Whether it takes snapshots and restores them."),
  clones: field(boolean, "Whether it clones volumes from other claims."),
  maxVolumesPerNode: field(wholeNumber, "How many volumes a node takes; 0: no limit."),
  minSize: field(size, "Smaller volumes are rounded up to this."),
  maxSize: field(size, "Larger volumes are refused."),
  parameters: field(listOf(text), "All keys that it reads from a class's parameters."),
  mutableParameters: field(
    listOf(text),
    "All keys that it reads from a VolumeAttributesClass; an empty list: none can be changed.",
  ),
  externalProvisioner: field(
    release,
    "The release of the external-provisioner beside it. Releases before v6 name the class in ProvisioningFailed, and do not pause after what can never be provisioned.",
  ),
});

export const driverList: Shape = listOf(describedDriver);

/** One mistake discards the whole entry: half a description would be wrong. */
export function readDrivers(value: unknown): {
  readonly drivers: DriverKnowledge;
  readonly problems: readonly ShapeProblem[];
} {
  if (value === undefined || value === null) return { drivers: catalogueAlone, problems: [] };
  const problems = problemsOf(value, driverList, ["drivers"]);
  if (!Array.isArray(value)) return { drivers: catalogueAlone, problems };
  const isWrong = (index: number): boolean => problems.some(({ path }) => path[1] === index);
  const right = value.filter((_, index) => !isWrong(index)) as readonly Description[];
  return { drivers: new DriverKnowledge(right.map(asDescribed)), problems };
}

/** An entry of the shape `describedDriver`; its texts may be numbers. */
interface Description
  extends Partial<
    Pick<
      DriverProfile,
      | "accessModes"
      | "attachRequired"
      | "fsGroupPolicy"
      | "maxSize"
      | "maxVolumesPerNode"
      | "minSize"
      | "snapshots"
      | "volumeModes"
    >
  > {
  readonly name: string;
  readonly volumeLifecycleModes?: DriverProfile["lifecycleModes"];
  readonly topologyKeys?: readonly string[];
  readonly expansion?: keyof typeof expansions;
  readonly clones?: boolean;
  readonly parameters?: readonly string[];
  readonly mutableParameters?: readonly string[];
  readonly externalProvisioner?: string;
}

function asDescribed({
  name,
  volumeLifecycleModes,
  topologyKeys,
  expansion,
  clones,
  parameters,
  mutableParameters,
  externalProvisioner,
  minSize,
  maxSize,
  ...same
}: Description): DescribedDriver {
  const [topologyKey = "", ...extraTopologyKeys] = (topologyKeys ?? []).map(String);
  const { accessModes } = same;
  const traits: DescribedDriver["traits"] = {
    ...same,
    ...(minSize !== undefined && { minSize: String(minSize) }),
    ...(maxSize !== undefined && { maxSize: String(maxSize) }),
    // The catalogue's restrictions for some volumes no longer apply.
    ...(accessModes && { blockAccessModes: accessModes }),
    ...((minSize ?? maxSize) !== undefined && { sizesWhere: [] }),
    ...(volumeLifecycleModes && { lifecycleModes: volumeLifecycleModes }),
    ...(topologyKeys && {
      topologyKey,
      extraTopologyKeys,
      topologyFrom: driverProfile({ name, topologyKey }).topologyFrom,
    }),
    ...(expansion && { expansion: expansions[expansion] }),
    ...(clones !== undefined && { clone: clones }),
    ...(mutableParameters && {
      modify: mutableParameters.length > 0,
      modifyParameters: mutableParameters.map(String),
    }),
    ...(externalProvisioner !== undefined && {
      sidecars: { isProvisionerBeforeV6: majorOf(String(externalProvisioner)) < 6 },
    }),
  };
  return { name: String(name), traits, ...(parameters && { parameters: parameters.map(String) }) };
}

function majorOf(version: string): number {
  return Number.parseInt(version.replace("v", ""), 10);
}
