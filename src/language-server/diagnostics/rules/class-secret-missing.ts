/** A class or a volume names a Secret for its driver that is in no file; told once, for however many calls it is. */
import type { WorkspaceObject } from "../../workspace/workspace-object.ts";
import { missingReferences, report } from "../missing-reference.ts";
import type { EnvironmentRule } from "../rule.ts";

export const classSecretMissing: EnvironmentRule = {
  id: "class-secret-missing",
  severity: "information",
  scope: "environment",
  explainsOutcome: true,
  misses: "Secret",
  *check(context) {
    const told = new Map<WorkspaceObject, Set<string>>();
    for (const reference of missingReferences(context, "Secret")) {
      if (reference.path.includes("containers") || reference.path.includes("volumes")) continue;
      const { from, name, namespace } = reference;
      if (namespace === "") continue;
      const ofObject = told.get(from) ?? new Set();
      told.set(from, ofObject);
      const secret = `${namespace}/${name}`;
      if (ofObject.has(secret)) continue;
      ofObject.add(secret);
      yield report(
        reference,
        `Secret “${name}” of namespace ${namespace}, which the driver is given, is in no file`,
      );
    }
  },
};
