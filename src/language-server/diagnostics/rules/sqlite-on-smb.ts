/**
 * SQLite databases on SMB shares, whose locks also exclude the program that has taken them. Upstream: Linux
 * fs/smb/client/file.c cifs_setlk, the mount option nobrl; SQLite os_unix.c.
 */

import { fieldsAt, listAt } from "../../workspace/manifest-fields.ts";
import { type ClaimFacts, driverBasis } from "../facts/claim-facts.ts";
import { isSmb } from "../facts/fuse-mount.ts";
import { knownImageOf } from "../facts/known-images.ts";
import { optionsIn } from "../facts/options-in.ts";
import { sqliteMounts } from "../facts/sqlite-mounts.ts";
import type { EnvironmentRule } from "../rule.ts";

export const sqliteOnSmb: EnvironmentRule = {
  id: "sqlite-on-smb",
  severity: "warning",
  scope: "environment",
  *check(context) {
    for (const { use, path, container, directory } of sqliteMounts(context)) {
      const { claim, workload } = use;
      if (!isSmb(claim) || mountOptionsOf(claim).includes("nobrl")) continue;
      const holder = (claim.volume ?? claim.classEntry)?.object;
      const option =
        holder === undefined
          ? "a class with the mount option nobrl"
          : `the mount option nobrl in ${holder.kind} “${holder.name}”`;
      yield {
        entry: workload,
        path: [...path, "mountPath"],
        message: `The image ${knownImageOf(container)?.name} keeps an SQLite database in ${directory}, and on an SMB share its own locks lock it out (database is locked). Use a class of disks, or ${option} if no second pod writes to it`,
        ...driverBasis(claim),
      };
    }
  },
};

/** Mount options of the volume, or of the class that provisions it. */
function mountOptionsOf({ volume, storageClass = {} }: ClaimFacts): readonly string[] {
  const holder = volume === undefined ? storageClass : fieldsAt(volume.object.value, "spec");
  return listAt(holder, "mountOptions").flatMap((option) => optionsIn(String(option)));
}
