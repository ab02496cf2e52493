/** SMB mount options on volumes that are mounted with NFS: the kernel does not know the option, and the mount fails. */

import { type Fields, fieldsAt, listAt, textAt } from "../../workspace/manifest-fields.ts";
import { optionsIn } from "../facts/options-in.ts";
import { objectRule } from "../object-rule.ts";
import type { DocumentRule } from "../rule.ts";

/** Upstream: Linux fs/smb/client/fs_context.c smb3_fs_parameters, those that fs/nfs/fs_context.c nfs_fs_parameters lacks. */
const ofSmb: ReadonlySet<string> = new Set([
  "cache",
  "cifsacl",
  "dir_mode",
  "file_mode",
  "forcegid",
  "forceuid",
  "gid",
  "mfsymlinks",
  "nobrl",
  "noperm",
  "noserverino",
  "nosharesock",
  "serverino",
  "uid",
]);

export const nfsSmbOptions: DocumentRule = objectRule(
  "nfs-smb-options",
  "warning",
  { kinds: ["PersistentVolume", "StorageClass"] },
  function* ({ kind, value }) {
    const place = kind === "StorageClass" ? [] : ["spec"];
    const fields = fieldsAt(value, ...place);
    const options = listAt(fields, "mountOptions").map((option) => optionsIn(String(option)));
    // `sloppy` makes the mount command ignore unknown options.
    if (!isMountedByNfs(fields) || options.flat().includes("sloppy")) return;
    for (const [index, names] of options.entries()) {
      const wrong = names.filter((name) => ofSmb.has(name.replace(/=.*$/, "")));
      if (wrong.length === 0) continue;
      const path = [...place, "mountOptions", index];
      const verb = wrong.length === 1 ? "is an option" : "are options";
      yield {
        path,
        message: `${wrong.join(", ")} ${verb} of SMB, but the volume is mounted with NFS: the mount fails (an incorrect mount option was specified)`,
        ...(wrong.length === names.length && {
          fix: { title: `Remove ${wrong.join(", ")}`, path, value: null },
        }),
      };
    }
  },
);

/**
 * Decided by the class's provisioner, or the volume's source. Upstream: azurefile-csi-driver pkg/azurefile/nodeserver.go
 * NodeStageVolume.
 */
function isMountedByNfs(fields: Fields): boolean {
  if (fields["nfs"] !== undefined) return true;
  const driver = textAt(fields, "provisioner") ?? textAt(fields, "csi", "driver");
  if (driver === "nfs.csi.k8s.io") return true;
  const settings = {
    ...fieldsAt(fields, "parameters"),
    ...fieldsAt(fields, "csi", "volumeAttributes"),
  };
  const isNfs = Object.entries(settings).some(
    ([key, text]) => key.toLowerCase() === "protocol" && String(text).toLowerCase() === "nfs",
  );
  return driver === "file.csi.azure.com" && isNfs;
}
