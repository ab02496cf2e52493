/** Containers whose root is read-only and whose image writes there as it starts. */
import { containersOf, fieldsAt, itemsOf } from "../../workspace/manifest-fields.ts";
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
      const { readOnlyRootFilesystem } = fieldsAt(fields, "securityContext");
      const { name, scratch = [] } = knownImageOf(fields) ?? {};
      if (readOnlyRootFilesystem !== true || name === undefined) continue;
      // Whoever starts it otherwise, or brings another configuration, may have it write elsewhere.
      if (fields["command"] !== undefined || fields["args"] !== undefined) continue;
      const mounts = itemsOf(fields["volumeMounts"], []).map((mount) =>
        mountPathOf(mount.fields).replace(/^\/var\/run(?=\/|$)/, "/run"),
      );
      if (mounts.some((at) => isIn(at, "/etc/nginx") || isIn("/etc/nginx", at))) continue;
      const left = scratch.filter((dir) => !mounts.some((at) => isIn(dir, at) || isIn(at, dir)));
      if (left.length === 0) continue;
      yield {
        path: [...path, "securityContext", "readOnlyRootFilesystem"],
        message: `The image ${name} writes to ${listNames(left)} as it starts, and ends where it may not (30: Read-only file system). Mount an emptyDir ${left.length > 1 ? "at each" : "there"}`,
      };
    }
  },
);
