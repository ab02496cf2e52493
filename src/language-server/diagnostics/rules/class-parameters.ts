/** Parameters of a StorageClass that its driver does not know, values that it does not accept, and its file system type. */
import type { KnownDriver } from "../../../engine/csi/catalogue/driver-knowledge.ts";
import { prefixedFsType } from "../../../engine/csi/catalogue/sidecar-parameters.ts";
import { isInTreeName } from "../../../engine/matching/csi-migration.ts";
import { nearestName } from "../../nearest-name.ts";
import { own } from "../../own.ts";
import { fieldsAt, textAt } from "../../workspace/manifest-fields.ts";
import { classDriverFields } from "../../workspace/objects/class-driver.ts";
import { inOtherCase, isKnownParameter, knownParameters } from "../facts/known-parameters.ts";
import { objectRule } from "../object-rule.ts";
import type { DocumentRule } from "../rule.ts";

const kinds = ["StorageClass"] as const;

export const classUnknownParameter: DocumentRule = objectRule(
  "class-unknown-parameter",
  "warning",
  {
    kinds: [...kinds, "VolumeSnapshotClass", "VolumeAttributesClass"],
    explainsOutcome: "of-field",
  },
  function* ({ kind, value }, { drivers }) {
    const name = textAt(value, own(classDriverFields, kind) ?? "") ?? "";
    const known = knownParameters(kind, name, drivers);
    if (known === undefined) return;
    for (const key of Object.keys(fieldsAt(value, "parameters"))) {
      if (isKnownParameter(known, key)) continue;
      const near = inOtherCase(key, known.names) ?? nearestName(key, known.names);
      if (near === undefined && !known.refusesOthers) continue;
      yield {
        path: ["parameters", key],
        message: `Driver “${name}” does not know parameter “${key}”`,
        meant: near,
        atKey: true,
      };
    }
  },
);

export const classParameterValue: DocumentRule = objectRule(
  "class-parameter-value",
  "warning",
  {
    kinds: [...kinds, "VolumeSnapshotClass", "VolumeAttributesClass"],
    explainsOutcome: "of-field",
  },
  function* ({ kind, value }, { drivers }) {
    const driver = drivers.find(textAt(value, own(classDriverFields, kind) ?? "") ?? "");
    if (driver === undefined) return;
    const isOfAttributes = kind === "VolumeAttributesClass";
    const { foldsAttributes, hasExactKeys } = driver.traits;
    const folds = isOfAttributes ? foldsAttributes === true : hasExactKeys !== true;
    for (const [name, allowed] of allowedValues(kind, driver)) {
      const isRead = (key: string): boolean =>
        key === name || (folds && key.toLowerCase() === name.toLowerCase());
      // Drivers compare some of these case-insensitively.
      for (const [key, given] of Object.entries(fieldsAt(value, "parameters"))) {
        if (!isRead(key) || typeof given !== "string") continue;
        if (allowed.some((text) => text.toLowerCase() === given.toLowerCase())) continue;
        yield {
          path: ["parameters", key],
          message: `“${given}” is not one of ${allowed.join(", ")} for “${key}”`,
          meant: nearestName(given, allowed),
        };
      }
    }
  },
);

type AllowedValues = readonly [parameter: string, values: readonly string[]];

function allowedValues(kind: string, driver: KnownDriver): readonly AllowedValues[] {
  if (kind === "VolumeSnapshotClass") return valuesOfSnapshots(driver);
  if (kind === "StorageClass") return valuesOf(driver);
  const { modifyParameters = "any" } = driver.traits;
  if (modifyParameters === "any") return [];
  return valuesOf(driver).filter(([name]) => modifyParameters.includes(name));
}

function valuesOf({ parameterValues = {}, closedParameters = [] }: KnownDriver): AllowedValues[] {
  return Object.entries(parameterValues).filter(([name]) => closedParameters.includes(name));
}

function valuesOfSnapshots({ traits }: KnownDriver): AllowedValues[] {
  return (traits.snapshotRefusals ?? []).flatMap(({ valueOtherThan: values }) =>
    values === undefined ? [] : [[values.key, values.values.filter((v) => v !== "")] as const],
  );
}

export const classFstypeLegacyKey: DocumentRule = objectRule(
  "class-fstype-legacy-key",
  "information",
  { kinds },
  function* ({ value }, { drivers }) {
    const provisioner = textAt(value, "provisioner") ?? "";
    const parameters = fieldsAt(value, "parameters");
    if (isInTreeName(provisioner) || textAt(parameters, "fstype") === undefined) return;
    // A driver with its own values for the key reads it itself; the provisioner would not pass the new key on.
    if (drivers.find(provisioner)?.parameterValues?.["fstype"] !== undefined) return;
    const path = ["parameters", "fstype"];
    yield {
      path,
      message: `Deprecated key; use \`${prefixedFsType}\``,
      atKey: true,
      ...(parameters[prefixedFsType] === undefined && {
        fix: { title: `Rename it to ${prefixedFsType}`, path, key: prefixedFsType },
      }),
    };
  },
);

/** What mkfs or a driver of the catalog can make or mount. If several are equally close to a name, the first is meant. */
const fileSystems: ReadonlySet<string> = new Set([
  "ext4",
  "xfs",
  "ext3",
  "ext2",
  "btrfs",
  "ntfs",
  "zfs",
  "nfs",
  "nfs4",
  "cifs",
  "smb",
  "ceph",
  "lustre",
  "f2fs",
  "vfat",
  "jfs",
]);

/** File systems that drivers outside the catalog mount. */
const ofOtherDrivers: ReadonlySet<string> = new Set(["beegfs", "gfs2", "gpfs", "ocfs2"]);

export const classFstypeUnknown: DocumentRule = objectRule(
  "class-fstype-unknown",
  "warning",
  { kinds },
  function* ({ value }, { drivers }) {
    const parameters = fieldsAt(value, "parameters");
    const isKnown = drivers.find(textAt(value, "provisioner") ?? "") !== undefined;
    for (const key of [prefixedFsType, "fstype", "fsType"]) {
      const type = textAt(parameters, key);
      if (type === undefined || type === "" || fileSystems.has(type.toLowerCase())) continue;
      const meant = nearestName(type, [...fileSystems]);
      // An unknown driver may have a file system of its own; only a name that looks mistyped is reported.
      if (!isKnown && (meant === undefined || ofOtherDrivers.has(type.toLowerCase()))) continue;
      const message = `File system “${type}” is unknown to the driver and mkfs`;
      yield { path: ["parameters", key], message, meant };
    }
  },
);
