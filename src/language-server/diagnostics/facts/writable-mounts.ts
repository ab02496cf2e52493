/** Mounts of claims to which containers mean to write, and who may have set the owner of the files there. */
import { push } from "../../../engine/api/go/multi-map.ts";
import { podSpecOf } from "../../workspace/manifest-fields.ts";
import { valueAt } from "../../yaml/manifest.ts";
import type { EnvironmentContext, RelatedReport } from "../rule.ts";
import type { ClaimFacts } from "./claim-facts.ts";
import { type ClaimMount, claimMounts, containerOf } from "./claim-mounts.ts";
import { type ContainerUser, isWindows, userOf } from "./container-user.ts";

/** Mounts that are not read-only, on volumes where file modes matter. */
export function writableMounts(context: EnvironmentContext): readonly ClaimMount[] {
  return claimMounts(context, "volumeMounts").filter(
    ({ use: { claim, readOnly, workload }, fields }) =>
      !readOnly &&
      fields["readOnly"] !== true &&
      claim.volumeMode === "Filesystem" &&
      // rox-writable-mount
      !claim.modes.every((mode) => mode === "ReadOnlyMany") &&
      !isWindows(workload.object),
  );
}

/** Returns a test whether a container that may be root also writes to a mount's claim: it may have set the owner. */
export function ownerSetter(context: EnvironmentContext): (mount: ClaimMount) => boolean {
  const byClaim = new Map<ClaimFacts, ClaimMount[]>();
  for (const mount of writableMounts(context)) {
    push(byClaim, mount.use.claim, mount);
  }
  return ({ use: { claim } }) =>
    (byClaim.get(claim) ?? []).some(
      (other) => userOf(other.use.workload.object, containerOf(other)).is !== "other",
    );
}

/** Where the container gets its user from. */
export function userPlace(mount: ClaimMount, { image, uid }: ContainerUser): RelatedReport {
  const { workload } = mount.use;
  if (image !== undefined) {
    const path = [...mount.path.slice(0, -2), "image"];
    return { entry: workload, path, message: `Its user is ${uid}` };
  }
  const message = "The container does not run as root";
  const places = [mount.path.slice(0, -2), podSpecOf(workload.object)?.path ?? []];
  for (const field of ["runAsUser", "runAsNonRoot"]) {
    for (const place of places) {
      const path = [...place, "securityContext", field];
      if (valueAt(workload.object.value, path) !== undefined)
        return { entry: workload, path, message };
    }
  }
  return { entry: workload, path: mount.path, message };
}
