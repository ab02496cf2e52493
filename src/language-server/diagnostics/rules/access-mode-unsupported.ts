/** A claim asks its driver for an access mode that the driver does not have. */
import { customaryDriver } from "../../../engine/csi/catalogue/customary-classes.ts";
import type { Environment } from "../../workspace/environment.ts";
import { calledOf } from "../../yaml/manifest.ts";
import {
  type ClaimFacts,
  claimIndex,
  driverBasis,
  isProvisioned,
  missesClasslessVolume,
} from "../facts/claim-facts.ts";
import { driverTrait } from "../facts/driver-facts.ts";
import { listNames } from "../missing-reference.ts";
import type { EnvironmentContext, EnvironmentRule, ObjectReport } from "../rule.ts";

export const rwxBlockDisk: EnvironmentRule = {
  id: "rwx-block-disk",
  severity: "error",
  scope: "environment",
  explainsOutcome: true,
  *check(context) {
    for (const refused of refusedModes(context)) {
      if (!isShareOnDisk(context.environment, refused)) continue;
      const { driver, mode } = refused;
      const { drivers } = context.environment.project;
      const asDevice = drivers.accessModes(driver, "Block")?.includes(mode)
        ? `. Raw devices, without a file system, it shares: volumeMode: Block`
        : "";
      yield reportAt(
        refused,
        `${subjectOf(refused, `“${driver}”`)} provides single-node disks; ReadWriteMany needs a shared file system, for example ${listNames(sharedDriversOf(context))}${asDevice}`,
      );
    }
  },
};

export const accessModeUnsupported: EnvironmentRule = {
  id: "access-mode-unsupported",
  severity: "error",
  scope: "environment",
  explainsOutcome: true,
  *check(context) {
    for (const refused of refusedModes(context)) {
      if (isShareOnDisk(context.environment, refused)) continue;
      yield reportAt(refused, refusalText(refused));
    }
  },
};

/** The subject of the message; says so if the class's driver is only known from the class's name. */
function subjectOf({ claim, driver, isByName }: RefusedMode, usual: string): string {
  return isByName ? `By its name, class “${claim.className}” is one of “${driver}”, which` : usual;
}

function refusalText(refused: RefusedMode): string {
  const { driver, mode, claim, supported } = refused;
  const { volumeMode } = claim;
  const subject = subjectOf(refused, `Driver “${driver}”`);
  if (supported.length === 0)
    return `${subject} does not provision ${volumeMode} volumes; provisioning fails with any access mode`;
  const choice = supported.join(", ");
  return `${subject} does not support ${mode} for ${volumeMode} volumes; provisioning fails. Supported: ${choice}`;
}

const sharedDrivers: readonly string[] = [
  "nfs.csi.k8s.io",
  "efs.csi.aws.com",
  "file.csi.azure.com",
  "filestore.csi.storage.gke.io",
  "cephfs.csi.ceph.com",
];

/** Drivers for shared volumes, those that the cluster has first. */
function sharedDriversOf({ names }: EnvironmentContext): readonly string[] {
  const there = sharedDrivers.filter((name) => names.has("CSIDriver", "", name));
  return [...new Set([...there, ...sharedDrivers])];
}

interface RefusedMode {
  readonly claim: ClaimFacts;
  readonly driver: string;
  readonly mode: string;
  readonly supported: readonly string[];
  /** No file and no assumed cluster has the class, but its name is customary for classes of this driver. */
  readonly isByName: boolean;
}

/** The first unsupported mode of each claim, which is enough to make provisioning fail. */
function refusedModes(context: EnvironmentContext): readonly RefusedMode[] {
  const known = recent.get(context);
  if (known !== undefined) return known;
  const index = claimIndex(context);
  const found = index.claims.flatMap((facts): RefusedMode[] => {
    const customary = driverByName(context, facts);
    const claim = customary === undefined ? facts : { ...facts, driver: customary };
    const { driver } = claim;
    if (driver === undefined || !isProvisioned(index, claim)) return [];
    // With the volume's class the claim needs no driver: pvc-default-class-over-volume reports that.
    if (missesClasslessVolume(index, claim)) return [];
    const supported = context.environment.project.drivers.accessModes(driver, claim.volumeMode);
    const mode = claim.modes.find((wanted) => supported?.includes(wanted) === false);
    if (mode === undefined || supported === undefined) return [];
    return [{ claim, driver, mode, supported, isByName: customary !== undefined }];
  });
  recent.set(context, found);
  return found;
}

/** Undefined for an imported cluster: a class that it lacks does not exist. */
function driverByName({ profileFrom }: EnvironmentContext, claim: ClaimFacts): string | undefined {
  const { driver, volume, storageClass, className } = claim;
  const isKnown = driver !== undefined || volume !== undefined || storageClass !== undefined;
  return isKnown || profileFrom === "imported" ? undefined : customaryDriver(className);
}

// Cached because two rules need it.
const recent = new WeakMap<EnvironmentContext, readonly RefusedMode[]>();

function isShareOnDisk(environment: Environment, { claim, driver, mode }: RefusedMode): boolean {
  return (
    mode === "ReadWriteMany" &&
    claim.volumeMode === "Filesystem" &&
    driverTrait(environment, driver, "attachRequired") === true
  );
}

function reportAt({ claim, mode }: RefusedMode, message: string): ObjectReport {
  const { entry, path, modes } = claim;
  const place = [...path, "accessModes", modes.indexOf(mode)];
  const explains = claim.name === "" ? [] : [calledOf(entry.object)];
  return { entry, path: place, message, explains, ...driverBasis(claim) };
}
