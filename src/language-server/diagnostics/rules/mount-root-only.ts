/**
 * Volumes that a driver mounts with FUSE for root alone, in containers with another user. Upstream: Linux fs/fuse/dir.c
 * fuse_allow_current_process; the option that each driver needs is in its entry of the catalog.
 */

import { fieldsAt, podSpecOf } from "../../workspace/manifest-fields.ts";
import type { WorkspaceObject } from "../../workspace/workspace-object.ts";
import { boundFacts, claimIndex } from "../facts/claim-facts.ts";
import { claimMounts, containerOf } from "../facts/claim-mounts.ts";
import { isWindows, nameOfUser, userOf } from "../facts/container-user.ts";
import { fuseOptionsOf, isShut } from "../facts/fuse-mount.ts";
import { userPlace } from "../facts/writable-mounts.ts";
import type { EnvironmentRule } from "../rule.ts";

export const mountRootOnly: EnvironmentRule = {
  id: "mount-root-only",
  severity: "warning",
  scope: "environment",
  *check(context) {
    const index = claimIndex(context);
    const told = new Set<WorkspaceObject>();
    for (const mount of claimMounts(context, "volumeMounts")) {
      const { workload, claim, volumeName } = mount.use;
      const bound = boundFacts(index, claim);
      const options = fuseOptionsOf(bound);
      if (options === undefined || !isShut(options) || told.has(options.entry)) continue;
      const { entry, path, count } = options;
      const { letsOthersIn = "", ownUser, takesGroup } = options.fuse;
      const user = userOf(workload.object, containerOf(mount));
      const pod = fieldsAt(podSpecOf(workload.object)?.fields ?? {}, "securityContext");
      if (takesGroup === true && pod["fsGroup"] !== undefined) continue;
      if (user.is !== "other" || user.uid === ownUser || isWindows(workload.object)) continue;
      told.add(entry);
      yield {
        entry,
        path: count > 0 ? path : bound.volume === undefined ? ["provisioner"] : ["spec", "csi"],
        isOfKey: true,
        message: `Without mount option “${letsOthersIn}”, “${bound.driver}” lets only root access its mounts; ${nameOfUser(user)} of ${workload.object.kind} ${workload.object.name} gets “Permission denied” in “${volumeName}”`,
        ...(user.image !== undefined && { severity: "information" }),
        related: [userPlace(mount, user)],
        fix: {
          title: `Add mount option ${letsOthersIn}`,
          path: [...path, count],
          value: letsOthersIn,
        },
      };
    }
  },
};
