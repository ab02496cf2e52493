/** More than one class is marked as the default. */
import { defaultClassAnnotations } from "../../../engine/api/storage-class-name.ts";
import { fieldsAt } from "../../workspace/manifest-fields.ts";
import { isMarkedDefault } from "../../workspace/objects/default-class.ts";
import type { WorkspaceObject } from "../../workspace/workspace-object.ts";
import type { Path } from "../../yaml/place.ts";
import { classNameOf, defaultsBefore } from "../facts/default-class.ts";
import { listNames } from "../missing-reference.ts";
import type { EnvironmentRule } from "../rule.ts";
import { someOthers } from "../some-others.ts";

export const classMultipleDefaults: EnvironmentRule = {
  id: "class-multiple-defaults",
  severity: "warning",
  scope: "environment",
  *check(context) {
    const defaults = context.environment.objects.filter(
      ({ object }) => object.served && isMarkedDefault(object.value),
    );
    // A merely assumed cluster says nothing about the real one.
    const isImported = context.environment.imported?.kinds.has("StorageClass") === true;
    const before = isImported ? defaultsBefore(context).map(classNameOf) : [];
    const count = new Set([...defaults.map(({ object }) => object.name), ...before]).size;
    if (count < 2) return;
    // The default class if all are created at once; removing the mark from all the others keeps it the default.
    const [winner] = defaults.map(({ object }) => object.name).sort();
    for (const entry of defaults) {
      const { name } = entry.object;
      const path = markOf(entry);
      const others = someOthers(defaults, ({ object }) => object.name !== name);
      yield {
        entry,
        path,
        isOfKey: true,
        fix: {
          title: `Unmark “${name}” as a default class`,
          path,
          value: null,
          isChoice: name === winner || before.length > 0,
        },
        message: `${count} default classes; the newest wins (same second: first in alphabetical order)${ofCluster(before)}`,
        related: others.map((other) => ({
          entry: other,
          path: markOf(other),
          message: `“${other.object.name}” is a default too`,
        })),
      };
    }
  },
};

/** Path of the annotation that marks the class as default. */
function markOf({ object: { value } }: WorkspaceObject): Path {
  const path = ["metadata", "annotations"];
  const annotations = fieldsAt(value, ...path);
  return [...path, defaultClassAnnotations.find((one) => annotations[one] === "true") ?? ""];
}

function ofCluster(names: readonly string[]): string {
  return names.length === 0 ? "" : `. The cluster's is ${listNames(names)}`;
}
