/** Parameters of a StorageClass against what its driver is known to read. Unknown drivers are left alone. */
import { knownDriver } from "../../../engine/csi/catalogue/catalogue.ts";
import type { CatalogueEntry } from "../../../engine/csi/catalogue/entry.ts";
import { prefixedFsType, sidecarPrefix } from "../../../engine/csi/catalogue/sidecar-parameters.ts";
import { isInTreeName } from "../../../engine/matching/csi-migration.ts";
import { nearestName } from "../../nearest-name.ts";
import { fieldsAt, textAt } from "../../workspace/manifest-fields.ts";
import { objectRule } from "../object-rule.ts";
import type { DocumentRule } from "../rule.ts";

const kinds = ["StorageClass"] as const;

/** Whether the driver refuses a key that it does not know. Of others, newer versions than the catalogue's may read more. */
function refusesUnknown({ traits }: CatalogueEntry): boolean {
  return traits.creationRefusals?.some(({ keyOtherThan }) => keyOtherThan !== undefined) === true;
}

export const classUnknownParameter: DocumentRule = objectRule(
  "class-unknown-parameter",
  "warning",
  { kinds },
  function* ({ value }) {
    const provisioner = textAt(value, "provisioner") ?? "";
    const driver = knownDriver(provisioner);
    const known = driver?.parameters;
    if (driver === undefined || known === undefined) return;
    for (const key of Object.keys(fieldsAt(value, "parameters"))) {
      if (isKnownParameter(driver, known, key)) continue;
      const near = nearestName(key, known);
      if (near === undefined && !refusesUnknown(driver)) continue;
      const hint = near === undefined ? "" : `; did you mean “${near}”?`;
      yield {
        path: ["parameters", key],
        message: `Driver “${provisioner}” does not know parameter “${key}”${hint}`,
        atKey: true,
      };
    }
  },
);

/** Several drivers fold case, so a difference in case alone is no mistake. */
function isKnownParameter(
  { parameterPrefixes = [] }: CatalogueEntry,
  known: readonly string[],
  key: string,
): boolean {
  const folded = key.toLowerCase();
  return (
    key.startsWith(sidecarPrefix) ||
    folded === "fstype" ||
    known.some((name) => name.toLowerCase() === folded) ||
    parameterPrefixes.some((prefix) => folded.startsWith(prefix.toLowerCase()))
  );
}

export const classParameterValue: DocumentRule = objectRule(
  "class-parameter-value",
  "warning",
  { kinds },
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
