/** Two documents define the same object of one cluster. Reported at both places. */
import type { EnvironmentRule } from "../rule.ts";
import { someOthers } from "../some-others.ts";

export const duplicateObject: EnvironmentRule = {
  id: "duplicate-object",
  severity: "warning",
  scope: "environment",
  *check({ environment }) {
    for (const places of environment.byRef.values()) {
      if (places.length < 2) continue;
      for (const entry of places) {
        const { kind, name } = entry.object;
        const others = someOthers(places, (other) => other !== entry);
        const path = ["metadata", "name"];
        yield {
          entry,
          path,
          message: `${kind} “${name}” is defined ${places.length} times; the later apply wins`,
          related: others.map((other) => ({ entry: other, path, message: "Also defined here" })),
        };
      }
    }
  },
};
