/** A class or a volume names a Secret for its driver that is in no file; told once, for however many calls it is. */
import { podSpecOf } from "../../workspace/manifest-fields.ts";
import { missingReferences, nearName, oncePerObject, report } from "../missing-reference.ts";
import type { EnvironmentRule } from "../rule.ts";

export const classSecretMissing: EnvironmentRule = {
  id: "class-secret-missing",
  severity: "information",
  scope: "environment",
  explainsOutcome: true,
  misses: "Secret",
  *check(context) {
    const ofDrivers = missingReferences(context, "Secret").filter(
      ({ from, namespace }) => namespace !== "" && podSpecOf(from.object) === undefined,
    );
    for (const reference of oncePerObject(ofDrivers)) {
      const { name, namespace } = reference;
      yield report(
        reference,
        `Secret “${name}” of namespace ${namespace}, which the driver is given, is in no file`,
        nearName(context, reference),
      );
    }
  },
};
