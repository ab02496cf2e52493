/**
 * Migratable Longhorn volumes with a file system, which cannot be shared. Upstream: longhorn-manager csi/node_server.go
 * NodeStageVolume, 5ddaa36: a migratable volume has no share manager, and is used by a second node only as a raw device.
 */

import { fieldsAt } from "../../workspace/manifest-fields.ts";
import { claimIndex } from "../facts/claim-facts.ts";
import type { EnvironmentRule } from "../rule.ts";

export const longhornMigratable: EnvironmentRule = {
  id: "longhorn-migratable",
  severity: "warning",
  scope: "environment",
  *check(context) {
    for (const claim of claimIndex(context).claims) {
      const { entry, path, modes, volumeMode, driver, volume, classEntry, storageClass } = claim;
      if (driver !== "driver.longhorn.io" || volume !== undefined || volumeMode === "Block")
        continue;
      const at = modes.indexOf("ReadWriteMany");
      if (at < 0 || fieldsAt(storageClass ?? {}, "parameters")["migratable"] !== "true") continue;
      yield {
        entry,
        path: [...path, "accessModes", at],
        message:
          "A migratable Longhorn volume is not shared: its file system is mounted on one node, and on a second one the mount fails (invalid controller count 2). Remove migratable from the class, or ask for volumeMode: Block, for which it is meant",
        related:
          classEntry === undefined
            ? []
            : [
                {
                  entry: classEntry,
                  path: ["parameters", "migratable"],
                  message: "The class says so",
                },
              ],
      };
    }
  },
};
