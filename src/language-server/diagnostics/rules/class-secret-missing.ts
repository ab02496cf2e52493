/** A class or volume names a Secret for its driver that is in no file: reported once, for however many calls it is. */
import { podSpecOf } from "../../workspace/manifest-fields.ts";
import type { Path } from "../../yaml/place.ts";
import {
  listNames,
  missingReferences,
  nearName,
  oncePerObject,
  report,
} from "../missing-reference.ts";
import type { EnvironmentRule, FieldFix } from "../rule.ts";

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
      const missing = `Secret “${name}” in namespace ${namespace}, which is passed to the driver, is in no file`;
      const others = context.names.namespacesWith("Secret", name);
      const [other] = others;
      if (other === undefined) yield report(reference, missing, nearName(context, reference));
      else {
        const found = report(reference, `${missing}; it exists in namespace ${listNames(others)}`);
        yield others.length > 1 ? found : { ...found, fix: namespaceFix(reference.path, other) };
      }
    }
  },
};

/** Sets the namespace beside the Secret's name. A choice, because the Secret could be moved instead. */
function namespaceFix(path: Path, namespace: string): FieldFix {
  const field = String(path.at(-1)).replace(/name$/i, (name) =>
    name === "name" ? "namespace" : "Namespace",
  );
  return {
    title: `Set ${field} to ${namespace}`,
    path: [...path.slice(0, -1), field],
    value: namespace,
    isChoice: true,
  };
}
