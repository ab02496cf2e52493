/** A pod names a ConfigMap or a Secret that is in no file; without it the pod's volume is not mounted. */
import { missingReferences, report } from "../missing-reference.ts";
import type { EnvironmentRule } from "../rule.ts";

export const podConfigMissing: EnvironmentRule = {
  id: "pod-config-missing",
  severity: "information",
  scope: "environment",
  explainsOutcome: true,
  *check(context) {
    for (const kind of ["ConfigMap", "Secret"] as const) {
      for (const reference of missingReferences(context, kind)) {
        if (!reference.path.includes("containers") && !reference.path.includes("volumes")) continue;
        const { name, namespace } = reference;
        yield report(
          reference,
          `${kind} “${name}” is in no file of namespace ${namespace}; the containers wait for it`,
        );
      }
    }
  },
};
