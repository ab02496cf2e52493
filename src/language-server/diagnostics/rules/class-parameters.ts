/** Parameters of a class of volumes or snapshots against what its driver is known to read. Unknown drivers are left alone. */
import { knownDriver } from "../../../engine/csi/catalogue/catalogue.ts";
import type { CatalogueEntry } from "../../../engine/csi/catalogue/entry.ts";
import { prefixedFsType, sidecarPrefix } from "../../../engine/csi/catalogue/sidecar-parameters.ts";
import { isInTreeName } from "../../../engine/matching/csi-migration.ts";
import { nearestName } from "../../nearest-name.ts";
import { fieldsAt, textAt } from "../../workspace/manifest-fields.ts";
import { objectRule } from "../object-rule.ts";
import type { DocumentRule } from "../rule.ts";

const kinds = ["StorageClass"] as const;

interface KnownParameters {
  readonly names: readonly string[];
  readonly prefixes: readonly string[] | undefined;
  /** Of drivers that do not, newer versions than the catalogue's may read more. */
  readonly refusesOthers: boolean;
}

export const classUnknownParameter: DocumentRule = objectRule(
  "class-unknown-parameter",
  "warning",
  { kinds: [...kinds, "VolumeSnapshotClass"], explainsOutcome: "of-field" },
  function* ({ kind, value }) {
    const isOfSnapshots = kind === "VolumeSnapshotClass";
    const name = textAt(value, isOfSnapshots ? "driver" : "provisioner") ?? "";
    const driver = knownDriver(name);
    if (driver === undefined) return;
    const known = isOfSnapshots ? knownOfSnapshots(driver) : knownOfVolumes(driver);
    if (known === undefined) return;
    for (const key of Object.keys(fieldsAt(value, "parameters"))) {
      if (isKnownParameter(known, key)) continue;
      const near = nearestName(key, known.names);
      if (near === undefined && !known.refusesOthers) continue;
      const hint = near === undefined ? "" : `; did you mean “${near}”?`;
      yield {
        path: ["parameters", key],
        message: `Driver “${name}” does not know parameter “${key}”${hint}`,
        atKey: true,
      };
    }
  },
);

function knownOfVolumes(driver: CatalogueEntry): KnownParameters | undefined {
  const { parameters, parameterPrefixes: prefixes, traits } = driver;
  if (parameters === undefined) return undefined;
  const refusals = traits.creationRefusals ?? [];
  const refusesOthers = refusals.some(({ keyOtherThan }) => keyOtherThan !== undefined);
  return { names: parameters, prefixes, refusesOthers };
}

function knownOfSnapshots({ traits }: CatalogueEntry): KnownParameters | undefined {
  if (traits.snapshotRefusal === undefined) return undefined;
  const { keyOtherThan: names, keyPrefixes: prefixes } = traits.snapshotRefusal;
  return { names, prefixes, refusesOthers: true };
}

/** Several drivers fold case, so a difference in case alone is no mistake. */
function isKnownParameter({ names, prefixes = [] }: KnownParameters, key: string): boolean {
  const folded = key.toLowerCase();
  return (
    key.startsWith(sidecarPrefix) ||
    folded === "fstype" ||
    names.some((name) => name.toLowerCase() === folded) ||
    prefixes.some((prefix) => folded.startsWith(prefix.toLowerCase()))
  );
}

export const classParameterValue: DocumentRule = objectRule(
  "class-parameter-value",
  "warning",
  { kinds, explainsOutcome: "of-field" },
  function* ({ value }) {
    const driver = knownDriver(textAt(value, "provisioner") ?? "");
    for (const [name, allowed] of Object.entries(driver?.parameterValues ?? {})) {
      if (driver?.closedParameters?.includes(name) !== true) continue;
      // Drivers compare some of these without regard to case.
      for (const [key, given] of Object.entries(fieldsAt(value, "parameters"))) {
        if (key.toLowerCase() !== name.toLowerCase() || typeof given !== "string") continue;
        if (allowed.some((text) => text.toLowerCase() === given.toLowerCase())) continue;
        const near = nearestName(given, allowed);
        const hint = near === undefined ? "" : `; did you mean “${near}”?`;
        yield {
          path: ["parameters", key],
          message: `“${given}” is not one of ${allowed.join(", ")} for “${key}”${hint}`,
        };
      }
    }
  },
);

export const classFstypeLegacyKey: DocumentRule = objectRule(
  "class-fstype-legacy-key",
  "information",
  { kinds },
  function* ({ value }) {
    const provisioner = textAt(value, "provisioner") ?? "";
    const parameters = fieldsAt(value, "parameters");
    if (isInTreeName(provisioner) || textAt(parameters, "fstype") === undefined) return;
    const path = ["parameters", "fstype"];
    yield { path, message: `Deprecated key; use \`${prefixedFsType}\``, atKey: true };
  },
);

/** What mkfs or a driver of the catalogue can make or mount. */
const fileSystems: ReadonlySet<string> = new Set([
  "ext2",
  "ext3",
  "ext4",
  "xfs",
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

export const classFstypeUnknown: DocumentRule = objectRule(
  "class-fstype-unknown",
  "warning",
  { kinds },
  function* ({ value }) {
    const parameters = fieldsAt(value, "parameters");
    for (const key of [prefixedFsType, "fstype", "fsType"]) {
      const type = textAt(parameters, key);
      if (type === undefined || type === "" || fileSystems.has(type.toLowerCase())) continue;
      const near = nearestName(type, [...fileSystems]);
      const hint = near === undefined ? "" : `; did you mean “${near}”?`;
      const message = `File system “${type}” is unknown to the driver and mkfs${hint}`;
      yield { path: ["parameters", key], message };
    }
  },
);
