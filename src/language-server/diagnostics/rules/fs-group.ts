/** Who owns a volume's files: whether the kubelet hands them to the pod's fsGroup, and how long that takes. */
import { compareQuantities, parseQuantity } from "../../../engine/api/quantity.ts";
import {
  type Fields,
  fieldsAt,
  podSpecOf,
  podVolumesOf,
  textAt,
} from "../../workspace/manifest-fields.ts";
import {
  boundFacts,
  boundTemplates,
  type ClaimFacts,
  type ClaimIndex,
  type ClaimUse,
  claimIndex,
} from "../facts/claim-facts.ts";
import { claimMounts } from "../facts/claim-mounts.ts";
import { isWindows } from "../facts/container-user.ts";
import { octal, writtenModes } from "../facts/file-modes.ts";
import { groupRefusal, isMountedForGroup } from "../facts/volume-owner.ts";
import { objectRule } from "../object-rule.ts";
import type { DocumentRule, EnvironmentContext, EnvironmentRule } from "../rule.ts";

export const fsgroupNotApplied: EnvironmentRule = {
  id: "fsgroup-not-applied",
  severity: "information",
  scope: "environment",
  *check(context) {
    const index = claimIndex(context);
    for (const use of usesWithFsGroup(context)) {
      const [reason, ...others] = refusalsOf(context, index, use.claim);
      if (reason === undefined || others.length > 0) continue;
      yield {
        entry: use.workload,
        path: use.path,
        message: `fsGroup will not be applied to “${use.volumeName}”: ${reason}. ${adviceFor(use.claim)}`,
        related: [fsGroupOf(use)],
      };
    }
  },
};

/** Through an access point nobody may give files away. */
function adviceFor({ driver, storageClass }: ClaimFacts): string {
  const mode = textAt(storageClass ?? {}, "parameters", "provisioningMode");
  return driver === "efs.csi.aws.com" && mode === "efs-ap"
    ? "Set uid and gid in the class, which own all of an access point"
    : "Set the owner on the server or in an initContainer";
}

/** All that are different, of the volumes that the claim may get; undefined for one that takes the group. */
function refusalsOf(
  { environment }: EnvironmentContext,
  index: ClaimIndex,
  claim: ClaimFacts,
): ReadonlySet<string | undefined> {
  const [...bound] = boundTemplates(index, claim);
  const facts = bound.length > 0 ? bound : [boundFacts(index, claim)];
  return new Set(facts.map((one) => groupRefusal(environment, one)));
}

export const fsgroupSlow: EnvironmentRule = {
  id: "fsgroup-slow",
  severity: "hint",
  scope: "environment",
  *check(context) {
    for (const use of usesWithFsGroup(context)) {
      const { environment } = context;
      if (securityContextOf(use).fields["fsGroupChangePolicy"] !== undefined) continue;
      if (!isLarge(use.claim) || isMountedForGroup(environment, use.claim)) continue;
      if (groupRefusal(environment, use.claim) !== undefined) continue;
      const { entry, path } = fsGroupOf(use);
      yield {
        entry,
        path,
        message: `The owner of all files of “${use.volumeName}” is changed at every mount, which takes long on a large volume; fsGroupChangePolicy: OnRootMismatch spares that`,
        fix: {
          title: "Set fsGroupChangePolicy to OnRootMismatch",
          path: [...path.slice(0, -1), "fsGroupChangePolicy"],
          value: "OnRootMismatch",
        },
      };
    }
  },
};

/** Upstream: pkg/volume/volume_linux.go changeFilePermission; what is read only gets 0440 on top of its own mode. */
export const fsgroupWidensMode: DocumentRule = objectRule(
  "fsgroup-widens-mode",
  "hint",
  {},
  function* (object) {
    const group = fieldsAt(podSpecOf(object)?.fields ?? {}, "securityContext")["fsGroup"];
    if (group === undefined || isWindows(object)) return;
    for (const { path, mode } of podVolumesOf(object).flatMap(writtenModes)) {
      if (typeof mode !== "number" || (mode & 0o440) === 0o440) continue;
      const made = octal(mode | 0o440);
      yield {
        path,
        message: `The pod has an fsGroup, which may read all files: the mode ${octal(mode)} becomes ${made}. ssh and PostgreSQL refuse keys that a group may read`,
      };
    }
  },
);

/** Of claims that are mounted, each volume once. */
function usesWithFsGroup(context: EnvironmentContext): readonly ClaimUse[] {
  const uses = new Set(claimMounts(context, "volumeMounts").map(({ use }) => use));
  return claimIndex(context).uses.filter(
    (use) =>
      uses.has(use) &&
      !use.readOnly &&
      use.claim.volumeMode === "Filesystem" &&
      securityContextOf(use).fields["fsGroup"] !== undefined,
  );
}

function securityContextOf({ workload }: ClaimUse): {
  readonly fields: Fields;
  readonly path: readonly string[];
} {
  const pod = podSpecOf(workload.object);
  const path = [...(pod?.path ?? []).map(String), "securityContext"];
  return { fields: fieldsAt(workload.object.value, ...path), path };
}

function fsGroupOf(use: ClaimUse): {
  readonly entry: ClaimUse["workload"];
  readonly path: readonly string[];
  readonly message: string;
} {
  return {
    entry: use.workload,
    path: [...securityContextOf(use).path, "fsGroup"],
    message: "The fsGroup",
  };
}

const large = parseQuantity("100Gi");

function isLarge({ spec }: ClaimFacts): boolean {
  const size = parseQuantity(textAt(spec, "resources", "requests", "storage") ?? "");
  return size !== undefined && large !== undefined && compareQuantities(size, large) >= 0;
}
