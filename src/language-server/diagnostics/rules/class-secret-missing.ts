/** A class or a volume names a Secret for its driver that is in no file. */
import { missingReferences, report } from "../missing-reference.ts";
import type { EnvironmentRule } from "../rule.ts";

export const classSecretMissing: EnvironmentRule = {
  id: "class-secret-missing",
  severity: "information",
  scope: "environment",
  explainsOutcome: true,
  misses: "Secret",
  *check(context) {
    for (const reference of missingReferences(context, "Secret")) {
      if (reference.path.includes("containers") || reference.path.includes("volumes")) continue;
      const { name, namespace } = reference;
      if (namespace === "") continue;
      yield report(
        reference,
        `Secret “${name}” of namespace ${namespace}, which the driver is given, is in no file`,
      );
    }
  },
};
