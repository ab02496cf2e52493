/**
 * Containers that mean to write to a claim's volume, but cannot: the volume is mounted read-only, or its directory belongs to
 * root. Silent if something may have set the owner: another container that may be root, a copy of other data, a driver that
 * opens its volumes.
 */

import { fieldsAt, listAt, podSpecOf } from "../../workspace/manifest-fields.ts";
import type { WorkspaceObject } from "../../workspace/workspace-object.ts";
import type { Path } from "../../yaml/place.ts";
import { boundFacts, type ClaimFacts, claimIndex, driverBasis } from "../facts/claim-facts.ts";
import { type ClaimMount, containerOf } from "../facts/claim-mounts.ts";
import { nameOfUser, userOf } from "../facts/container-user.ts";
import { isOwnersToWrite } from "../facts/fuse-mount.ts";
import { subPathField } from "../facts/sub-path-field.ts";
import { groupRefusal, isRootsOwn } from "../facts/volume-owner.ts";
import { ownerSetter, userPlace, writableMounts } from "../facts/writable-mounts.ts";
import type { EnvironmentRule, ObjectReport } from "../rule.ts";

export const volumeNotWritable: EnvironmentRule = {
  id: "volume-not-writable",
  severity: "warning",
  scope: "environment",
  *check(context) {
    const isOwnerSet = ownerSetter(context);
    const index = claimIndex(context);
    for (const mount of writableMounts(context)) {
      const { claim } = mount.use;
      const readOnly = readOnlyField(claim);
      if (readOnly !== undefined) yield readOnlyReport(mount, readOnly);
      else if (isRootsOwn(claim) && !isOwnerSet(mount))
        yield* ownerReport(
          mount,
          claim,
          `The directory of a new volume of “${claim.driver}” belongs to root, and`,
        );
      else {
        const bound = boundFacts(index, claim);
        if (isOwnersToWrite(bound))
          yield* ownerReport(
            mount,
            bound,
            `Mounts of “${bound.driver}” are read-only for users other than root:`,
          );
      }
    }
  },
};

export const subpathOwnedByRoot: EnvironmentRule = {
  id: "subpath-owned-by-root",
  severity: "information",
  scope: "environment",
  *check(context) {
    const isOwnerSet = ownerSetter(context);
    const index = claimIndex(context);
    for (const mount of writableMounts(context)) {
      const { use, fields, path } = mount;
      const field = subPathField(fields);
      const { workload } = use;
      const claim = boundFacts(index, use.claim);
      const isNfs = fieldsAt(claim.volume?.object.value ?? {}, "spec")["nfs"] !== undefined;
      if (field === undefined || isOwnerSet(mount)) continue;
      if (claim.driver === undefined && !isNfs) continue;
      // In such a volume not even the top directory is writable, which volume-not-writable reports.
      if (readOnlyField(claim) !== undefined || isRootsOwn(claim)) continue;
      const user = userOf(workload.object, containerOf(mount));
      const group = fieldsAt(podSpecOf(workload.object)?.fields ?? {}, "securityContext")[
        "fsGroup"
      ];
      const isApplied =
        group !== undefined && groupRefusal(context.environment, claim) === undefined;
      if (user.is !== "other" || isApplied) continue;
      yield {
        entry: workload,
        path: [...path, field],
        message: `The kubelet creates a missing subdirectory as root, with the mode of the volume's directory; ${nameOfUser(user)} can write to it only if that mode lets everybody write`,
      };
    }
  },
};

interface ReadOnlyField {
  readonly entry: WorkspaceObject;
  readonly path: Path;
}

/** The field of the volume, or of its class, that makes every mount read-only. */
function readOnlyField({ volume, classEntry }: ClaimFacts): ReadOnlyField | undefined {
  const entry = volume ?? classEntry;
  if (entry === undefined) return undefined;
  const place = volume === undefined ? [] : ["spec"];
  const fields = fieldsAt(entry.object.value, ...place);
  const option = listAt(fields, "mountOptions").indexOf("ro");
  if (option >= 0) return { entry, path: [...place, "mountOptions", option] };
  if (volume === undefined) return undefined;
  const source = Object.keys(fields).find((key) => fieldsAt(fields, key)["readOnly"] === true);
  return source === undefined ? undefined : { entry, path: ["spec", source, "readOnly"] };
}

function readOnlyReport({ use, fields, path }: ClaimMount, at: ReadOnlyField): ObjectReport {
  const field = [...path, "readOnly"];
  return {
    entry: use.workload,
    path: fields["readOnly"] === undefined ? [...path, "mountPath"] : field,
    message: `${at.entry.object.kind} “${at.entry.object.name}” is mounted read-only, so writes to “${use.volumeName}” fail; say readOnly: true`,
    related: [{ ...at, message: "It is read-only here" }],
    fix: { title: "Set readOnly to true", path: field, value: true },
  };
}

function* ownerReport(mount: ClaimMount, claim: ClaimFacts, why: string): Iterable<ObjectReport> {
  const { use, path } = mount;
  const { object } = use.workload;
  const pod = podSpecOf(object);
  const user = userOf(object, containerOf(mount));
  const { uid, image } = user;
  if (pod === undefined || user.is !== "other") return;
  // If it is set without effect, fsgroup-not-applied reports that.
  if (fieldsAt(pod.fields, "securityContext")["fsGroup"] !== undefined) return;
  const fix = uid !== undefined && {
    title: `Set fsGroup to ${uid}`,
    path: [...pod.path, "securityContext", "fsGroup"],
    value: uid,
  };
  yield {
    entry: use.workload,
    path: [...path, "mountPath"],
    message: `${why} without fsGroup ${nameOfUser(user)} cannot write to “${use.volumeName}”`,
    // If the pod sets no user, the image or the cluster chooses one, and some clusters then also set fsGroup.
    ...((uid === undefined || image !== undefined) && { severity: "information" }),
    related: [userPlace(mount, user)],
    ...driverBasis(claim),
    ...(fix && { fix }),
  };
}
