/** Claims that are only read: empty ones, ones that containers mean to write to, and ones that ask for more than reading. */
import { listAt, textAt } from "../../workspace/manifest-fields.ts";
import type { WorkspaceObject } from "../../workspace/workspace-object.ts";
import { calledOf } from "../../yaml/manifest.ts";
import {
  type ClaimFacts,
  type ClaimUse,
  claimIndex,
  isProvisioned,
  modesOf,
} from "../facts/claim-facts.ts";
import { claimMounts } from "../facts/claim-mounts.ts";
import { driverTrait } from "../facts/driver-facts.ts";
import type { EnvironmentContext, EnvironmentRule } from "../rule.ts";

export const roxEmpty: EnvironmentRule = {
  id: "rox-empty",
  severity: "warning",
  scope: "environment",
  yieldsTo: ["claim-stays-pending", "access-mode-unsupported"],
  *check(context) {
    const index = claimIndex(context);
    for (const claim of index.claims) {
      const { entry, path } = claim;
      if (!isReadOnly(claim) || !isNewDisk(context, index, claim)) continue;
      const message =
        "The new volume is empty, and ReadOnlyMany is only for reading; add a data source, or ReadWriteOnce";
      yield { entry, path: [...path, "accessModes"], message };
    }
  },
};

export const roxWritableMount: EnvironmentRule = {
  id: "rox-writable-mount",
  severity: "warning",
  scope: "environment",
  *check(context) {
    for (const { use, fields, path } of claimMounts(context, "volumeMounts")) {
      if (!isReadOnly(use.claim) || use.readOnly || fields["readOnly"] === true) continue;
      const field = [...path, "readOnly"];
      yield {
        entry: use.workload,
        path: fields["readOnly"] === undefined ? [...path, "mountPath"] : field,
        message: "ReadOnlyMany does not make the mount read-only; say readOnly: true",
        related: [modesOf(use.claim)],
        unless: [`cause of ${calledOf(use.claim.entry.object)}`],
        fix: { title: "Set readOnly to true", path: field, value: true },
      };
    }
  },
};

export const rwxWritableReadonlyClaim: EnvironmentRule = {
  id: "rwx-writable-readonly-claim",
  severity: "information",
  scope: "environment",
  *check(context) {
    const writers = new Set<ClaimUse>();
    const readers = new Set<ClaimUse>();
    for (const { use, fields } of claimMounts(context, "volumeMounts"))
      (use.readOnly || fields["readOnly"] === true ? readers : writers).add(use);
    const index = claimIndex(context);
    for (const { use } of claimMounts(context, "volumeDevices")) writers.add(use);
    for (const [claim, uses] of index.usesOf) {
      if (!claim.modes.some((mode) => mode === "ReadWriteOnce" || mode === "ReadWriteMany"))
        continue;
      // If the named volume is in no file, its access modes are unknown.
      if (claim.volume === undefined && textAt(claim.spec, "volumeName") !== undefined) continue;
      // Nobody could ever write data to it.
      if (isNewDisk(context, index, claim) || noneIsForReaders(index, claim)) continue;
      if (claim.path.length !== 1 || uses.some((use) => writers.has(use) || !readers.has(use)))
        continue;
      yield {
        entry: claim.entry,
        path: [...claim.path, "accessModes"],
        message: "The claim is only read; ReadOnlyMany would express that",
        related: uses.map(({ workload, path }) => ({
          entry: workload,
          path,
          message: "Read here",
        })),
      };
    }
  },
};

export const pvcReadonlyOverrides: EnvironmentRule = {
  id: "pvc-readonly-overrides",
  severity: "information",
  scope: "environment",
  *check(context) {
    for (const { use, fields, path } of claimMounts(context, "volumeMounts")) {
      if (!use.readOnly || fields["readOnly"] !== false) continue;
      yield {
        entry: use.workload,
        path: [...path, "readOnly"],
        message: "The mount is read-only anyway: the volume says readOnly: true",
        related: [
          {
            entry: use.workload,
            path: [...use.path.slice(0, -1), "readOnly"],
            message: "The volume is read-only",
          },
        ],
      };
    }
  },
};

/** True for a new and empty disk. A class of network shares may refer to a share that has data. */
function isNewDisk(
  context: EnvironmentContext,
  index: ReturnType<typeof claimIndex>,
  claim: ClaimFacts,
): boolean {
  const { spec, driver } = claim;
  if (driver === undefined || !isProvisioned(index, claim)) return false;
  if (spec["dataSource"] !== undefined || spec["dataSourceRef"] !== undefined) return false;
  return driverTrait(context.environment, driver, "attachRequired") !== false;
}

/** True if no volume that the claim may get offers ReadOnlyMany, so that asking for that would leave it without one. */
function noneIsForReaders(
  index: ReturnType<typeof claimIndex>,
  { volume, className }: ClaimFacts,
): boolean {
  const volumes = volume === undefined ? (index.volumes.get(className ?? "") ?? []) : [volume];
  const isForReaders = ({ object }: WorkspaceObject): boolean =>
    listAt(object.value, "spec", "accessModes").includes("ReadOnlyMany");
  return volumes.length > 0 && !volumes.some(isForReaders);
}

function isReadOnly({ modes }: ClaimFacts): boolean {
  return modes.length > 0 && modes.every((mode) => mode === "ReadOnlyMany");
}
