/**
 * A pod names a RuntimeClass or PriorityClass that does not exist, so admission refuses it. Operators and distributions may
 * install such classes.
 */
import type { Kind } from "../../../engine/api/meta.ts";
import { knownClasses } from "../../names/known-classes.ts";
import {
  listNames,
  type MissingReference,
  missingReferences,
  report,
} from "../missing-reference.ts";
import type { EnvironmentRule } from "../rule.ts";

export const runtimeClassMissing: EnvironmentRule = classRule(
  "runtime-class-missing",
  "RuntimeClass",
);
export const priorityClassMissing: EnvironmentRule = classRule(
  "priority-class-missing",
  "PriorityClass",
);

function classRule(id: string, kind: Kind): EnvironmentRule {
  return {
    id,
    severity: "information",
    scope: "environment",
    explainsOutcome: true,
    misses: kind,
    *check(context) {
      for (const reference of missingReferences(context, kind)) {
        const known = knownClasses(context, kind);
        const choice = known.length === 0 ? "" : `; known are ${listNames(known)}`;
        const message = `${kind} “${reference.name}” does not exist; ${consequence(reference)}${choice}`;
        yield report(reference, message);
      }
    },
  };
}

function consequence({ from }: MissingReference): string {
  return from.object.kind === "Pod" ? "the pod is refused" : "its pods are refused";
}
