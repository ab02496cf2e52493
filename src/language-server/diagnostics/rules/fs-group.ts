/** A pod's fsGroup: whether the kubelet applies it to the files of a volume, how long that takes, and what it breaks. */
import { compareQuantities, parseQuantity } from "../../../engine/api/quantity.ts";
import {
  containersOf,
  type Fields,
  fieldsAt,
  itemsOf,
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
import { knownImageOf } from "../facts/known-images.ts";
import { isIn, mountPathOf } from "../facts/mounted-volumes.ts";
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

/** Through an EFS access point, nobody can change the owner. */
function adviceFor({ driver, storageClass }: ClaimFacts): string {
  const mode = textAt(storageClass ?? {}, "parameters", "provisioningMode");
  return driver === "efs.csi.aws.com" && mode === "efs-ap"
    ? "Set uid and gid in the class, which own all of an access point"
    : "Set the owner on the server or in an initContainer";
}

/** The distinct reasons why the volumes that the claim may get do not take the group; undefined stands for one that does. */
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
        message: `The ownership of all files of “${use.volumeName}” is changed at every mount, which is slow on a large volume; fsGroupChangePolicy: OnRootMismatch avoids that`,
        fix: {
          title: "Set fsGroupChangePolicy to OnRootMismatch",
          path: [...path.slice(0, -1), "fsGroupChangePolicy"],
          value: "OnRootMismatch",
        },
      };
    }
  },
};

/** Upstream: pkg/volume/volume_linux.go changeFilePermission, which adds 0440 to the mode of files in read-only volumes. */
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
        message: `The pod's fsGroup may read all files: the mode ${octal(mode)} becomes ${made}. ssh and PostgreSQL refuse keys that a group may read`,
      };
    }
  },
);

/** Upstream: pkg/volume/volume_linux.go changeFilePermission, which adds 0660 to the mode of files in writable volumes. */
export const fsgroupOpensCookie: EnvironmentRule = {
  id: "fsgroup-opens-cookie",
  severity: "warning",
  scope: "environment",
  *check(context) {
    for (const use of usesWithFsGroup(context)) {
      if (securityContextOf(use).fields["fsGroupChangePolicy"] === "OnRootMismatch") continue;
      if (isMountedForGroup(context.environment, use.claim)) continue;
      if (groupRefusal(context.environment, use.claim) !== undefined) continue;
      const cookie = cookieIn(use);
      if (cookie === undefined) continue;
      const { entry, path } = fsGroupOf(use);
      const opened = cookie.isClosedAtStart
        ? "An init container removes that permission, but the kubelet adds it again when it remounts the volume for the same pod, for example after its own restart"
        : "With fsGroup it can from the second mount on, at which the kubelet lets the group read all files";
      yield {
        entry,
        path,
        ...(cookie.isClosedAtStart && { severity: "information" }),
        message: `The image ${cookie.image} keeps its cookie in “${use.volumeName}”, and exits if the group can read it. ${opened}; fsGroupChangePolicy: OnRootMismatch avoids that`,
        related: [{ entry: use.workload, path: use.path, message: "The volume" }],
        fix: {
          title: "Set fsGroupChangePolicy to OnRootMismatch",
          path: [...path.slice(0, -1), "fsGroupChangePolicy"],
          value: "OnRootMismatch",
        },
      };
    }
  },
};

/** Undefined if the cookie is not in the volume, or if its container sets it or closes it again. */
function cookieIn({
  workload,
  volumeName,
}: ClaimUse): { readonly image: string; readonly isClosedAtStart: boolean } | undefined {
  const containers = containersOf(workload.object);
  for (const { fields } of containers) {
    const { cookie, name } = knownImageOf(fields) ?? {};
    if (cookie === undefined || closesFiles(fields)) continue;
    const variables = itemsOf(fields["env"], []).map((variable) => variable.fields["name"]);
    if (variables.includes("RABBITMQ_ERLANG_COOKIE") || fields["envFrom"] !== undefined) continue;
    const [nearest] = itemsOf(fields["volumeMounts"], [])
      .map((mount) => mount.fields)
      .filter((mount) => isIn(cookie, mountPathOf(mount)))
      .sort((a, b) => mountPathOf(b).length - mountPathOf(a).length);
    if (nearest?.["name"] !== volumeName || name === undefined) continue;
    const isClosedAtStart = containers.some((other) => closesFiles(other.fields));
    return { image: name, isClosedAtStart };
  }
  return undefined;
}

function closesFiles({ command, args }: Fields): boolean {
  return /chmod/.test(`${command} ${args}`);
}

/** Uses of claims that are mounted, in pods with an fsGroup. */
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
