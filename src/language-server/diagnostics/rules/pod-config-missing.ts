/** A pod names a ConfigMap or Secret that is in no file: reported once, however often it is named. */
import { podSpecOf } from "../../workspace/manifest-fields.ts";
import type { WorkspaceObject } from "../../workspace/workspace-object.ts";
import {
  listNames,
  missingReferences,
  nearName,
  oncePerObject,
  report,
} from "../missing-reference.ts";
import type { EnvironmentRule } from "../rule.ts";

export const podConfigMissing: EnvironmentRule = {
  id: "pod-config-missing",
  severity: "information",
  scope: "environment",
  explainsOutcome: "of-field",
  yieldsTo: ["synced-secret-unmade"],
  yieldsAtPlace: true,
  *check(context) {
    for (const kind of ["ConfigMap", "Secret"] as const) {
      const ofPods = missingReferences(context, kind).filter(
        ({ from }) => podSpecOf(from.object) !== undefined,
      );
      for (const reference of oncePerObject(ofPods)) {
        const { name, namespace } = reference;
        const maker = kind === "Secret" ? context.names.makerOf(namespace, name) : undefined;
        const others = context.names.namespacesWith(kind, name);
        const near = others.length > 0 ? undefined : nearName(context, reference);
        const missing = `${kind} “${name}” is in no file of namespace ${namespace}`;
        if (maker !== undefined)
          yield { ...report(reference, `${missing}; ${madeText(maker)}`), severity: "hint" };
        else if (near !== undefined)
          yield { ...report(reference, missing, near), severity: "warning" };
        else yield report(reference, `${missing}; ${consequence(others)}`);
      }
    }
  },
};

function madeText({ object: { kind, name } }: WorkspaceObject): string {
  const condition =
    kind === "SecretProviderClass" ? "once a container mounts it" : "where its controller runs";
  return `${kind} “${name}” has it made, ${condition}`;
}

/** `others` are the namespaces that have an object of that name. */
function consequence(others: readonly string[]): string {
  return others.length === 0
    ? "the containers wait for it"
    : `it exists in namespace ${listNames(others)}, and a Pod can only use those of its own`;
}
