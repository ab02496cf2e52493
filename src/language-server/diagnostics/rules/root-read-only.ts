/** Containers with a read-only root file system whose image writes to it on start. */
import { containersOf, type Fields, fieldsAt, itemsOf } from "../../workspace/manifest-fields.ts";
import { knownImageOf } from "../facts/known-images.ts";
import { isIn, mountPathOf } from "../facts/mounted-volumes.ts";
import { listNames } from "../missing-reference.ts";
import { objectRule } from "../object-rule.ts";
import type { DocumentRule } from "../rule.ts";

export const rootReadOnly: DocumentRule = objectRule(
  "root-read-only",
  "warning",
  {},
  function* (object) {
    for (const { fields, path } of containersOf(object)) {
      if (fieldsAt(fields, "securityContext")["readOnlyRootFilesystem"] !== true) continue;
      const left = foldersToWrite(fields);
      if (left.length === 0) continue;
      yield {
        path: [...path, "securityContext", "readOnlyRootFilesystem"],
        message: `The image ${knownImageOf(fields)?.name} writes to ${listNames(left)} as it starts, and ends where it may not (30: Read-only file system). Mount an emptyDir ${left.length > 1 ? "at each" : "there"}`,
      };
    }
  },
);

/** Configuration of nginx, MySQL and MariaDB. */
const configurations: readonly string[] = [
  "/etc/nginx",
  "/etc/mysql",
  "/etc/my.cnf",
  "/etc/my.cnf.d",
];

/** Directories without a mount that the image writes to on start. */
export function foldersToWrite(container: Fields): readonly string[] {
  // Another command or configuration may write elsewhere.
  if (container["command"] !== undefined || container["args"] !== undefined) return [];
  const mounts = itemsOf(container["volumeMounts"], []).map(({ fields }) =>
    mountPathOf(fields).replace(/^\/var\/run(?=\/|$)/, "/run"),
  );
  const isConfigured = configurations.some((dir) =>
    mounts.some((at) => isIn(at, dir) || isIn(dir, at)),
  );
  if (isConfigured) return [];
  const { scratch = [] } = knownImageOf(container) ?? {};
  return scratch.filter((dir) => !mounts.some((at) => isIn(dir, at) || isIn(at, dir)));
}
