/** A pod names a ConfigMap or a Secret that is in no file; told once, however often it is named. */
import { writableNames } from "../../names/names-in-cluster.ts";
import { nearestObjectName } from "../../nearest-name.ts";
import { podSpecOf } from "../../workspace/manifest-fields.ts";
import type { WorkspaceObject } from "../../workspace/workspace-object.ts";
import {
  listNames,
  type MissingReference,
  missingReferences,
  oncePerObject,
  report,
} from "../missing-reference.ts";
import type { EnvironmentContext, EnvironmentRule } from "../rule.ts";

export const podConfigMissing: EnvironmentRule = {
  id: "pod-config-missing",
  severity: "information",
  scope: "environment",
  explainsOutcome: "of-field",
  *check(context) {
    for (const kind of ["ConfigMap", "Secret"] as const) {
      const ofPods = missingReferences(context, kind).filter(
        ({ from }) => podSpecOf(from.object) !== undefined,
      );
      for (const reference of oncePerObject(ofPods)) {
        const { name, namespace } = reference;
        const maker = kind === "Secret" ? context.names.makerOf(namespace, name) : undefined;
        yield {
          ...report(
            reference,
            `${kind} “${name}” is in no file of namespace ${namespace}; ${maker === undefined ? hint(context, reference) : madeText(maker)}`,
          ),
          ...(maker !== undefined && { severity: "hint" }),
        };
      }
    }
  },
};

function madeText({ object: { kind, name } }: WorkspaceObject): string {
  return `${kind} “${name}” has it made, where its controller runs`;
}

/** What the files have in its place. */
function hint(context: EnvironmentContext, { kind, name, namespace }: MissingReference): string {
  const others = context.names.namespacesWith(kind, name);
  if (others.length > 0)
    return `it exists in namespace ${listNames(others)}, and a Pod can only use those of its own`;
  const near = nearestObjectName(name, writableNames(context, kind, namespace));
  return near === undefined ? "the containers wait for it" : `did you mean “${near}”?`;
}
