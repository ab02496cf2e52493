/** A driver that neither the files nor the assumed cluster installs. */
import type { Kind, Ref } from "../../../engine/api/meta.ts";
import { makesBuckets } from "../../../engine/csi/catalogue/bucket-provisioners.ts";
import { meantDriver } from "../../../engine/csi/catalogue/mistyped-driver.ts";
import {
  isNfsByName,
  mayBeCsi,
  pathProvisionerType,
} from "../../../engine/csi/catalogue/path-provisioners.ts";
import { isInTreeName } from "../../../engine/matching/csi-migration.ts";
import { referencesOf } from "../../workspace/references.ts";
import type { WorkspaceObject } from "../../workspace/workspace-object.ts";
import { calledOf, type ManifestObject } from "../../yaml/manifest.ts";
import { claimIndex } from "../facts/claim-facts.ts";
import { missingReferences, report } from "../missing-reference.ts";
import type { EnvironmentContext, EnvironmentRule, ObjectReport } from "../rule.ts";

export const csidriverMissing: EnvironmentRule = {
  id: "csidriver-missing",
  severity: "hint",
  scope: "environment",
  yieldsTo: ["csi-driver-case", "csi-reserved-driver-prefix"],
  misses: "CSIDriver",
  *check(context) {
    for (const reference of missingReferences(context, "CSIDriver")) {
      const { name, path, from } = reference;
      if (path.at(-1) === "provisioner") continue;
      const message = `Driver “${name}” is not installed by these files or by the assumed cluster`;
      const meant = meantDriver(name);
      const found = report(reference, message, meant);
      yield meant === undefined
        ? found
        : { ...found, severity: "warning", explains: usersOfClass(context, from) };
    }
  },
};

/**
 * What fails if the driver of the class does not exist: claims or snapshots of the class, and claims made from these snapshots.
 */
function usersOfClass({ environment }: EnvironmentContext, { object }: WorkspaceObject): Ref[] {
  const naming = (kind: Kind, namespace: string, name: string): readonly ManifestObject[] =>
    environment.objects
      .map((entry) => entry.object)
      .filter((other) =>
        referencesOf(other).some(
          (one) => one.kind === kind && one.namespace === namespace && one.name === name,
        ),
      );
  const { kind, name } = object;
  if (kind !== "VolumeSnapshotClass" && kind !== "VolumeAttributesClass") return [];
  const users = naming(kind, "", name);
  const copies = users
    .filter((user) => user.kind === "VolumeSnapshot")
    .flatMap((user) => naming("VolumeSnapshot", user.namespace, user.name));
  return [...users, ...copies].map(calledOf);
}

export const provisionerUnknown: EnvironmentRule = {
  id: "provisioner-unknown",
  severity: "hint",
  scope: "environment",
  // A claim already fails because of it, or it is of no use even if it is installed.
  yieldsTo: ["claim-stays-pending", "provisioner-in-tree", "provisioner-other-name"],
  yieldsAtPlace: true,
  misses: "CSIDriver",
  *check(context) {
    for (const reference of missingReferences(context, "CSIDriver")) {
      const { name } = reference;
      if (reference.path.at(-1) !== "provisioner" || isInTreeName(name)) continue;
      if (meantDriver(name) !== undefined || makesBuckets(name)) continue;
      yield report(
        reference,
        context.environment.project.drivers.trait(name, "hasController") === false
          ? `Driver “${name}” does not provision volumes, even if it is installed`
          : `Nothing provisions volumes for “${name}” unless it is installed in the cluster${volumesText(name)}`,
      );
    }
  },
};

/** What is unusual about the volumes of a provisioner that is no CSI driver; "" for those of CSI drivers, directories and shares. */
function volumesText(name: string): string {
  const type = pathProvisionerType(name);
  if (type === "flex-volume")
    return "; its volumes are FlexVolumes, which are deprecated and need their driver's program on each node";
  const isKnown = type !== undefined || mayBeCsi(name) || isNfsByName(name);
  return isKnown ? "" : "; what volumes it makes is not known";
}

export const provisionerTypo: EnvironmentRule = {
  id: "provisioner-typo",
  severity: "warning",
  scope: "environment",
  explainsOutcome: true,
  misses: "CSIDriver",
  *check(context) {
    for (const reference of missingReferences(context, "CSIDriver")) {
      const { name } = reference;
      if (reference.path.at(-1) !== "provisioner" || isInTreeName(name)) continue;
      const meant = meantDriver(name);
      if (meant === undefined) continue;
      const found = report(reference, `Unknown provisioner “${name}”`, meant);
      yield withWaitingClaims(context, found);
    }
  },
};

const relatedCountMax = 10;

/** Adds the claims that get no volume from the class, if any. */
function withWaitingClaims(context: EnvironmentContext, report: ObjectReport): ObjectReport {
  const waiting = claimIndex(context).claims.filter(
    ({ classEntry, volume }) => classEntry === report.entry && volume === undefined,
  );
  if (waiting.length === 0) return report;
  const related = waiting.slice(0, relatedCountMax).map(({ entry, path }) => ({
    entry,
    path: [...path, "storageClassName"],
    message:
      entry.object.kind === "PersistentVolumeClaim"
        ? `Claim ${entry.object.name} stays Pending with it`
        : `Claims of ${entry.object.kind} ${entry.object.name} stay Pending with it`,
  }));
  // They do not make the finding less certain.
  return { restsOn: [], ...report, related };
}
