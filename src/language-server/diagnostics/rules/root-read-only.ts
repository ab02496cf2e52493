/** Containers whose root is read-only and whose image writes there as it starts. */
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

/** Of nginx, and of MySQL and MariaDB, whose images read one or the other. */
const configurations: readonly string[] = [
  "/etc/nginx",
  "/etc/mysql",
  "/etc/my.cnf",
  "/etc/my.cnf.d",
];

/** Where the image writes as it starts, and nothing is mounted. */
export function foldersToWrite(container: Fields): readonly string[] {
  // Whoever starts it otherwise, or brings another configuration, may have it write elsewhere.
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
