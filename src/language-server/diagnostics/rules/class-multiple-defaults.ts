/** More than one class is marked as the default. */
import { isMarkedDefault } from "../../workspace/default-class.ts";
import type { EnvironmentRule } from "../rule.ts";
import { someOthers } from "../some-others.ts";

export const classMultipleDefaults: EnvironmentRule = {
  id: "class-multiple-defaults",
  severity: "warning",
  scope: "environment",
  *check({ environment }) {
    const defaults = environment.objects.filter(
      ({ object }) => object.served && isMarkedDefault(object.value),
    );
    if (new Set(defaults.map(({ object }) => object.name)).size < 2) return;
    const path = ["metadata", "annotations"];
    for (const entry of defaults) {
      const others = someOthers(defaults, ({ object }) => object.name !== entry.object.name);
      yield {
        entry,
        path,
        message: `${defaults.length} default classes; the newest wins (same second: first in alphabetical order)`,
        related: others.map((other) => ({
          entry: other,
          path,
          message: `“${other.object.name}” is a default too`,
        })),
      };
    }
  },
};
