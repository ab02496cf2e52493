/** Which field of a claim or class a provisioner refuses, and what to write there, read from the provisioner's message. */
import { requestedStorage } from "../../api/claim-size.ts";
import type { KubeObject } from "../../api/meta.ts";
import { formatQuantity, parseQuantity, quantityBytes, quantityOf } from "../../api/quantity.ts";
import { knownDriver, knownRefusals } from "../../csi/catalogue/catalogue.ts";
import { sidecarPrefix } from "../../csi/catalogue/sidecar-parameters.ts";
import type { CreationRefusal } from "../../csi/creation-refusal.ts";
import { roundUpTo, sizeText } from "../../csi/size.ts";
import { wordsOf } from "../driver-words.ts";
import { refusedByLocalPath } from "./refused-by-local-path.ts";
import type { RefusedField } from "./refused-field.ts";

type Claim = KubeObject<"PersistentVolumeClaim">;

/** `driver` is the refusing driver's name; `parameters` are those of the claim's class and of its VolumeAttributesClass. */
export function refusedField(
  claim: Claim,
  driver: string,
  message: string,
  parameters: ParametersOfClasses = {},
): RefusedField | undefined {
  return (
    refusedInWords(message) ??
    changedMode(claim, message) ??
    unsaidSource(claim, message) ??
    refusedByLocalPath(claim, message) ??
    refusedSize(claim, driver, message) ??
    refusedByDriver(claim, driver, message, parameters) ??
    refusedModes(claim, driver, message)
  );
}

const withoutSource = {
  field: "spec.dataSource",
  fix: "use a class whose driver can, or leave out spec.dataSource",
} as const;

/** Some drivers that do not fill volumes from sources answer Unimplemented without a text. */
function unsaidSource({ spec }: Claim, message: string): RefusedField | undefined {
  const { kind = "source" } = spec.dataSource ?? spec.dataSourceRef ?? {};
  if (!/ code = Unimplemented desc = $/.test(message) || kind === "source") return undefined;
  return { ...withoutSource, why: `it makes no volumes from a ${kind}` };
}

interface ParametersOfClasses {
  readonly ofClass?: Readonly<Record<string, string>> | undefined;
  readonly ofAttributes?: Readonly<Record<string, string>> | undefined;
}

/** The message does not name the source's mode, but there are only two. */
function changedMode({ spec }: Claim, message: string): RefusedField | undefined {
  if (!/ modifies the mode of the source volume /.test(message)) return undefined;
  const mode = spec.volumeMode === "Block" ? "Filesystem" : "Block";
  const doing = `set spec.volumeMode to ${mode}`;
  return {
    field: "spec.volumeMode",
    why: `its source is ${mode}`,
    fix: `${doing}, which its source has, or annotate the source's VolumeSnapshotContent with snapshot.storage.kubernetes.io/allow-volume-mode-change: "true"`,
    doing,
    value: mode,
  };
}

const askForOneNode = "ask for ReadWriteOnce only";
const oneNode = `${askForOneNode}, or use a class whose volumes can be shared`;

interface Refusal {
  readonly says: RegExp;
  /** `said` holds the matches of the groups, in order. */
  readonly refused: (...said: string[]) => RefusedField;
}

/** Messages that name the cause whatever the claim requests. The first match counts. */
const refusals: readonly Refusal[] = [
  {
    says: /claim(\.Spec\.| )Selector is not supported/,
    refused: () => ({
      field: "spec.selector",
      why: "it provisions new volumes, and the claim's selector asks for one that exists",
      fix: "leave out spec.selector: it chooses among volumes that exist",
      value: null,
    }),
  },
  {
    says: /secrets specified, Both must be specified|template from params|CSI Parameters|fstype specified in parameters|is not a valid (namespace|secret) name$/,
    refused: () => ({
      field: "parameters",
      of: "StorageClass",
      why: "the parameters of its class are wrong",
      fix: "correct the parameters (recreate the class)",
    }),
  },
  // vSphere's driver: its volumes for many nodes are file shares.
  {
    says: /fstype (\S+) not supported for (ReadWriteOnce|ReadWriteMany or ReadOnlyMany) volume creation/,
    refused: (type, modes = "") => ({
      field: "parameters",
      of: "StorageClass",
      why: `the file system type ${type} of its class is none of a volume for ${modes}`,
      fix: `set the file system type to ${modes === "ReadWriteOnce" ? "ext4" : "nfs4"} (recreate the class)`,
    }),
  },
  {
    says: /so read-only mode cannot be used\.$/,
    refused: () => ({
      field: "spec.accessModes",
      why: "JuiceFS gives each volume a new directory, and nobody could fill it",
      fix: "ask for ReadWriteMany, or give the class a pathPattern that names what is there (recreate the class)",
    }),
  },
  {
    says: /ReadWriteMany volumes require a DRBD layer$/,
    refused: () => ({
      field: "parameters",
      of: "StorageClass",
      why: "the layers of its class begin without DRBD, and such volumes are of one node",
      fix: "set parameter layerList of the class to drbd storage (recreate the class), or ask for ReadWriteOnce only",
    }),
  },
  {
    says: /is not in (allowed topologies|requisite): /,
    refused: () => ({
      field: "allowedTopologies",
      of: "StorageClass",
      why: "its class allows no volumes where the pod is to run",
      fix: "widen allowedTopologies (recreate the class), or let the pod run there",
    }),
  },
  {
    says: /NodePath only supports ReadWriteOnce|Only support ReadWriteOnce access mode$/,
    refused: () => ({
      field: "spec.accessModes",
      why: "its volumes are directories of one node",
      fix: oneNode,
    }),
  },
  {
    says: /configuration error, no node was specified$/,
    refused: () => ({
      field: "volumeBindingMode",
      of: "StorageClass",
      why: "its volumes are made on a node, and its class does not wait for a pod to choose one",
      fix: "recreate the class with volumeBindingMode: WaitForFirstConsumer",
    }),
  },
  {
    says: /(clone|snapshot) feature not supported by this provisioner$|is not handled by the provisioner$/,
    refused: () => ({
      field: "spec.dataSource",
      why: "it makes empty volumes only",
      fix: "use a class whose driver can, or leave out spec.dataSource",
    }),
  },
  {
    says: /PV with BlockMode is not supported with StorageType/,
    refused: () => ({
      field: "spec.volumeMode",
      why: "it makes no Block volumes",
      fix: "recreate the claim as Filesystem, or use a class that provisions block volumes",
    }),
  },
  {
    says: /PV with StorageType .* is not supported$/,
    refused: () => ({
      field: "metadata.annotations",
      of: "StorageClass",
      why: "its class asks for another type of volume than hostpath",
      fix: 'set StorageType to "hostpath" in the annotation cas.openebs.io/config',
    }),
  },
  {
    says: /does not support block volume provisioning$/,
    refused: () => ({
      field: "spec.volumeMode",
      why: "it makes no Block volumes",
      isFinal: true,
      fix: "recreate the claim as Filesystem, or use a class that provisions block volumes",
    }),
  },
  // Texts of the drivers for Amazon's and Google's disks, and the text assumed for drivers whose own is not known.
  {
    says: /(?:Invalid mutable parameter key:|parameters contain unknown parameter:|unknown mutable parameter) ([^\s,]+)/,
    refused: (parameter = "") => ({
      field: "parameters",
      of: "VolumeAttributesClass",
      parameter,
      why: `it does not know parameter ${parameter} of the VolumeAttributesClass`,
      fix: `correct parameter ${parameter} (recreate the VolumeAttributesClass)`,
    }),
  },
  {
    says: /Invalid mutable parameters?: .*(?:Could not parse|parameters contain invalid) (\w+)/,
    refused: (named = "") => {
      const parameter = named.toLowerCase();
      return {
        field: "parameters",
        of: "VolumeAttributesClass",
        parameter,
        why: `parameter ${parameter} of its VolumeAttributesClass is no number that it can read`,
        fix: `correct parameter ${parameter} (recreate the VolumeAttributesClass)`,
      };
    },
  },
  {
    says: /Cannot specify (IOPS|throughput) for disk type (\S+)/,
    refused: (named = "", type = "") => {
      const parameter = named.toLowerCase();
      return {
        field: "parameters",
        of: "VolumeAttributesClass",
        parameter,
        why: `disks of type ${type} have no ${parameter} to set`,
        fix: `leave out parameter ${parameter} (recreate the VolumeAttributesClass), or use a class with another type of disk`,
      };
    },
  },
  {
    says: /Disk type (\S+) does not support dynamic provisioning/,
    refused: (type = "") => ({
      field: "spec.volumeAttributesClassName",
      why: `disks of type ${type} have no attributes to set`,
      fix: "use a class whose type is one of Hyperdisk, or leave out spec.volumeAttributesClassName",
      doing: "leave out spec.volumeAttributesClassName",
      value: null,
    }),
  },
  {
    says: /CSI driver does not support VolumeAttributesClass: controller/,
    refused: () => ({
      field: "spec.volumeAttributesClassName",
      why: "it does not support VolumeAttributesClass",
      fix: "use a class whose driver can, or leave out spec.volumeAttributesClassName",
      doing: "leave out spec.volumeAttributesClassName",
      value: null,
    }),
  },
  // A source has to exist and be ready, and its copy has the same volume mode.
  {
    says: /the PVC DataSource (\S+) must have a status of Bound/,
    refused: (name = "") => ({
      field: "spec.dataSource",
      why: `its source, claim "${name}", is not Bound`,
      awaited: { kind: "PersistentVolumeClaim", name },
      fix: `have claim "${name}" bound first`,
    }),
  },
  {
    says: /error getting PVC (\S+) \(namespace .* not found$/,
    refused: (name = "") => ({
      field: "spec.dataSource",
      why: `its source, claim "${name}", does not exist`,
      missing: { kind: "PersistentVolumeClaim", name },
      fix: `create claim "${name}" first, or correct the name (recreate the claim)`,
    }),
  },
  {
    says: /(?:^|: )(?:error getting )?snapshot (\S+) from api server/,
    refused: (name = "") => ({
      field: "spec.dataSource",
      why: `its source, snapshot "${name}", does not exist`,
      missing: { kind: "VolumeSnapshot", name },
      fix: `create snapshot "${name}" first, or correct the name (recreate the claim)`,
    }),
  },
  {
    says: /(?:^|: )(?:error getting )?snapshot (\S+) (?:not bound|is not Ready)/,
    refused: (name = "") => ({
      field: "spec.dataSource",
      why: `its source, snapshot "${name}", is not ready`,
      awaited: { kind: "VolumeSnapshot", name },
      fix: `have snapshot "${name}" ready first`,
    }),
  },
  {
    says: /CSI driver does not support (.+?): controller/,
    refused: (what) => ({ ...withoutSource, why: `it does not support ${what}` }),
  },
  {
    says: /must have the same volume mode for cloning\. +Source is (\w+), but new PVC requested/,
    refused: (mode = "") => ({
      field: "spec.volumeMode",
      why: `its source is ${mode}`,
      fix: `set spec.volumeMode to ${mode}, which its source has`,
      value: mode,
    }),
  },
  // Upstream: external-provisioner controller.go, Provision; the class names the secret for the provisioner.
  {
    says: /error getting secret (\S+) in namespace (\S+): secrets .* not found$/,
    refused: (name, namespace) => ({
      field: "parameters",
      of: "StorageClass",
      parameter: `${sidecarPrefix}provisioner-secret-name`,
      why: `Secret ${namespace}/${name}, which its class names, does not exist`,
      fix: `make Secret "${name}" in namespace "${namespace}", or correct the name (recreate the class)`,
    }),
  },
  // A snapshot or VolumeAttributesClass of another driver than the class's.
  {
    says: /for snapshot (\S+) is not handled by CSI driver of StorageClass/,
    refused: (snapshot) => ({
      field: "spec.storageClassName",
      why: `the driver of snapshot "${snapshot}" is not its class's provisioner`,
      fix: "use a class whose provisioner is the snapshot's driver, by its own name: an in-tree name is another",
    }),
  },
  {
    says: /VAC (\S+) referenced in PVC is for driver (\S+) which does not match driver name (\S+)/,
    refused: (name, other, own) => ({
      field: "spec.volumeAttributesClassName",
      why: `VolumeAttributesClass "${name}" is for ${other}`,
      fix: `use a VolumeAttributesClass of ${own}`,
    }),
  },
];

function refusedInWords(message: string): RefusedField | undefined {
  for (const { says, refused } of refusals) {
    const [whole, ...said] = says.exec(message) ?? [];
    if (whole !== undefined) return refused(...said);
  }
  return undefined;
}

const smallerThanSource: readonly RegExp[] = [
  /requested volume size \d+ is less than the size (?<size>\d+) for the source (?<source>snapshot \S+)/,
  /must be greater than or equal in size to the specified (?<source>PVC data source), requested \d+ but source is (?<size>\d+)/,
];

/** The size, if the claim is smaller than its source or above the driver's maximum; else undefined. */
function refusedSize(claim: Claim, driver: string, message: string): RefusedField | undefined {
  for (const pattern of smallerThanSource) {
    const { size, source } = pattern.exec(message)?.groups ?? {};
    if (size === undefined || source === undefined) continue;
    const value = inSameUnits(claim, size);
    return {
      field: "spec.resources.requests.storage",
      why: `it asks for less than the ${value} of its ${source}`,
      fix: `ask for at least ${value}`,
      value,
    };
  }
  const { maxSize, maxSizeRefusal } = knownDriver(driver)?.traits ?? {};
  const isOwn = maxSizeRefusal !== undefined && wordsOf(maxSizeRefusal).test(message);
  const maximum = isOwn ? maxSize : aboveMaximum.exec(message)?.[1];
  return maximum === undefined ? undefined : outOfRange(claim, "above", maximum);
}

/** The text assumed for drivers whose own is not known. */
const aboveMaximum = /code = OutOfRange desc = size \S+ is above the maximum (\S+)$/;

/** Converts bytes, which drivers print, to the units that the claim uses. */
function inSameUnits(claim: Claim, bytes: string): string {
  const { format } = parseQuantity(requestedStorage(claim) ?? "") ?? {};
  const nanos = parseQuantity(bytes)?.nanos ?? 0n;
  return formatQuantity(quantityOf(nanos, format ?? "BinarySI"));
}

/**
 * The parameter or size that the driver's own validation refuses, by the driver's text. If several parameters share the
 * text, the one that the class has.
 */
function refusedByDriver(
  claim: Claim,
  driver: string,
  message: string,
  { ofClass, ofAttributes }: ParametersOfClasses,
): RefusedField | undefined {
  const { cloudRefusals = [] } = knownDriver(driver)?.traits ?? {};
  const found = [...knownRefusals(driver), ...cloudRefusals].flatMap((refusal) => {
    const words = wordsOf(refusal.text).exec(message);
    return words === null ? [] : (fieldToBlame(claim, refusal, words.groups?.["key"]) ?? []);
  });
  // The parameters of a VolumeAttributesClass take precedence over those of the class.
  const changed = found.find(({ parameter }) => isAmong(ofAttributes, parameter));
  if (changed !== undefined) return inAttributes(changed);
  return found.find(({ parameter }) => isAmong(ofClass, parameter)) ?? found[0];
}

function isAmong(
  parameters: Readonly<Record<string, string>> = {},
  parameter: string | undefined,
): boolean {
  return Object.keys(parameters).some((key) => key.toLowerCase() === parameter?.toLowerCase());
}

/** The same field, as one of the VolumeAttributesClass. */
function inAttributes(field: RefusedField): RefusedField {
  const other = (text: string): string =>
    text
      .replace("of its class", "of its VolumeAttributesClass")
      .replace("of the class", "of the VolumeAttributesClass")
      .replace("recreate the class", "recreate the VolumeAttributesClass");
  return {
    ...field,
    of: "VolumeAttributesClass",
    ...(field.why !== undefined && { why: other(field.why) }),
    fix: other(field.fix),
  };
}

/** The refused parameter or size; undefined if neither is to blame. `key` is the parameter that the driver names. */
function fieldToBlame(
  claim: Claim,
  refusal: CreationRefusal,
  key: string | undefined,
): RefusedField | undefined {
  const { source, lacks, gives, keyOtherThan, valueOtherThan, valueBelow, unreadable } = refusal;
  const { sizeBelow, sizeAbove, valueAbove, ratioAbove, unpaired, empty, valueUnlike } = refusal;
  if (refusal.lacksSecrets === true) return noSecret;
  if (sizeBelow !== undefined) return outOfRange(claim, "below", sizeBelow);
  if (sizeAbove !== undefined) return outOfRange(claim, "above", sizeAbove);
  if (refusal.notMultipleOf !== undefined) return notWhole(claim, refusal.notMultipleOf);
  // Not the fault of any parameter: the volume would be empty.
  if (source === "none") return undefined;
  if (gives !== undefined && lacks === undefined) return tooMany(gives);
  const numbers = [valueBelow, valueAbove, ratioAbove, unreadable];
  const valued = [unpaired, ...numbers, valueOtherThan, valueUnlike];
  const keys = [lacks, ...valued.map((condition) => condition?.key)];
  // If several parameters may be the empty one, the driver's message names it.
  const name = keys.find((given) => given !== undefined) ?? (key === undefined ? empty?.[0] : key);
  if (name === undefined && keyOtherThan === undefined) return undefined;
  const parameter = name ?? key;
  const named = parameter === undefined ? "parameters" : `parameter ${parameter}`;
  const blame = { field: "parameters", of: "StorageClass", parameter } as const;
  if (unreadable !== undefined)
    return {
      ...blame,
      why: `${named} of its class is no ${unreadable.as}`,
      fix: `write ${named} of the class as a ${unreadable.as} (recreate the class)`,
    };
  if (valueBelow?.perGib === true)
    return {
      ...blame,
      why: `${named} of its class, times its size in GiB, is less than ${valueBelow.least}`,
      fix: `raise ${named} of the class (recreate the class), or ask for more`,
    };
  if (valueAbove !== undefined)
    return {
      ...blame,
      why: `${named} of its class is more than ${valueAbove.most}`,
      fix: `set ${named} of the class to at most ${valueAbove.most} (recreate the class)`,
    };
  if (ratioAbove !== undefined) {
    const { to, otherwise, most } = ratioAbove;
    return {
      ...blame,
      why: `${named} of its class is more than ${most} times ${to} (${otherwise} if absent)`,
      fix: `set ${named} of the class to at most ${most} times ${to}, or raise ${to} (recreate the class)`,
    };
  }
  if (valueBelow !== undefined)
    return {
      ...blame,
      why: `${named} of its class is not at least ${valueBelow.least}`,
      fix: `set ${named} of the class to at least ${valueBelow.least} (recreate the class)`,
    };
  const lack = lacks === undefined ? "wrong" : "missing";
  return {
    ...blame,
    why:
      parameter === undefined
        ? "the parameters of its class are wrong"
        : `${named} of its class is ${lack}`,
    fix: `${lacks === undefined ? "correct" : "set"} ${named} of the class (recreate the class)`,
  };
}

const noSecret: RefusedField = {
  field: "parameters",
  of: "StorageClass",
  why: "its class names no secret for the driver",
  fix: `name the driver's secret in the class's ${sidecarPrefix}provisioner-secret-name and ${sidecarPrefix}provisioner-secret-namespace (recreate the class)`,
};

function tooMany(keys: readonly string[]): RefusedField {
  const last = keys.at(-1) ?? "";
  return {
    field: "parameters",
    of: "StorageClass",
    parameter: last,
    why: `its class has ${keys.length > 1 ? "both " : ""}${keys.join(" and ")}`,
    fix: `leave out ${keys.join(" or ")} (recreate the class)`,
  };
}

function outOfRange(claim: Claim, side: "below" | "above", bound: string): RefusedField {
  const value = inSameUnits(claim, String(quantityBytes(bound)));
  return {
    field: "spec.resources.requests.storage",
    why: `it makes no such volumes ${side} ${value}`,
    fix: `ask for at ${side === "below" ? "least" : "most"} ${value}`,
    value,
  };
}

function notWhole(claim: Claim, step: string): RefusedField {
  const asked = quantityBytes(requestedStorage(claim) ?? "0");
  const value = sizeText(roundUpTo(asked, quantityBytes(step)));
  return {
    field: "spec.resources.requests.storage",
    why: `it makes volumes of whole ${step} only`,
    fix: `ask for ${value}`,
    value,
  };
}

const needsSource =
  /readOnly accessMode is supported only with content source|VolumeContentSource must be provided when AccessMode is set to read only/;

const shared: ReadonlySet<string> = new Set(["ReadWriteMany", "ReadOnlyMany"]);

/** Drivers word refused modes differently; the messages share the gRPC code and one of a few words. */
function refusedModes({ spec }: Claim, driver: string, message: string): RefusedField | undefined {
  const words =
    /code = (InvalidArgument|Unimplemented) .*(capabilit|access.?mode|volume.?mode|multi.?node|block (volume|type))/i;
  if (!words.test(message)) return undefined;
  const volumeMode = spec.volumeMode ?? "Filesystem";
  // Some drivers blame the access mode although the volume mode is the cause.
  const isItsMode =
    knownDriver(driver)?.traits.volumeModes?.includes(volumeMode) === false ||
    message.includes(`volume mode ${volumeMode} is not supported by`);
  if (isItsMode) {
    return {
      field: "spec.volumeMode",
      why: `it does not provision ${volumeMode} volumes`,
      fix: "set spec.volumeMode to Filesystem, or use a class that makes block volumes",
      doing: "set spec.volumeMode to Filesystem",
      value: "Filesystem",
    };
  }
  const asked = spec.accessModes ?? [];
  const modes = asked.filter((mode) => shared.has(mode));
  if (modes.length === 0) return undefined;
  if (needsSource.test(message))
    return {
      field: `spec.accessModes[${asked.indexOf("ReadOnlyMany")}]`,
      why: "an empty volume cannot be ReadOnlyMany, because nothing could fill it",
      fix: "fill it from a snapshot or claim that spec.dataSource names, or ask for a mode that lets it be written",
    };
  return {
    field: `spec.accessModes[${asked.findIndex((mode) => shared.has(mode))}]`,
    why: `it does not provision volumes for ${modes.join(" and ")}`,
    fix: oneNode,
    ...(asked.length === 1 && { doing: askForOneNode, value: "ReadWriteOnce" }),
  };
}
