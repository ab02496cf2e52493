/** Node selector terms that cannot match any node. */

import { parseInt64 } from "../../../engine/api/go/parse-int.ts";
import { checkLabelValue } from "../../../engine/api/names/names.ts";
import { itemsOf, type Located } from "../../workspace/manifest-fields.ts";
import { plainText } from "../../yaml/manifest.ts";
import type { Path } from "../../yaml/place.ts";
import {
  everything,
  expressionsOf,
  isImpossible,
  isUnsatisfiable,
  narrowed,
  type Requirement,
  termsOf,
} from "../facts/node-terms.ts";
import type { EnvironmentRule } from "../rule.ts";

export const affinityEmptyTerm: EnvironmentRule = {
  id: "affinity-empty-term",
  severity: "warning",
  scope: "environment",
  explainsOutcome: true,
  *check({ environment }) {
    for (const entry of environment.objects) {
      const terms = termsOf(entry.object);
      for (const term of terms) {
        if (expressionsOf(term).length > 0) continue;
        const { path } = term;
        // A node has to match only one of the terms, but the list must not be empty.
        const fix = { title: "Remove the term", path, value: null };
        const message = "An empty term matches no node";
        yield {
          ...{ entry, path, message },
          ...(terms.length > 1 && { fix }),
          ...(terms.some(canHold) && { explainsOutcome: false }),
        };
      }
    }
  },
};

export const affinityContradiction: EnvironmentRule = {
  id: "affinity-contradiction",
  severity: "error",
  scope: "environment",
  explainsOutcome: true,
  *check({ environment }) {
    for (const entry of environment.objects) {
      const terms = termsOf(entry.object);
      // Nodes can match another term.
      const isAlternative = terms.some(canHold);
      const rest = isAlternative && ({ severity: "warning", explainsOutcome: false } as const);
      for (const term of terms) {
        for (const { fields, path } of contradictions(term)) {
          const message = `Matches no node: together with the term's other expressions on ${plainText(fields["key"])} this can never hold`;
          yield { entry, path: [...path, "key"], message, ...rest };
        }
        for (const { path, why } of unusableValues(term))
          yield { entry, path, message: `Matches no node: ${why}`, ...rest };
      }
    }
  },
};

/** True if there can be nodes that match the term. */
function canHold(term: Located): boolean {
  const expressions = expressionsOf(term).map(({ fields }) => fields);
  const [unusable] = unusableValues(term);
  return expressions.length > 0 && unusable === undefined && !isUnsatisfiable(expressions);
}

/** Expressions that contradict those before them. */
function* contradictions(term: Located): Iterable<Located> {
  const byKey = new Map<unknown, Requirement>();
  for (const expression of expressionsOf(term)) {
    const { key } = expression.fields;
    const known = byKey.get(key) ?? everything;
    const both = narrowed(known, expression.fields);
    byKey.set(key, both);
    if (isImpossible(both) && !isImpossible(known)) yield expression;
  }
}

/** Values that cannot be compared, which make the whole term match nothing. */
function* unusableValues({ fields, path }: Located): Iterable<{ path: Path; why: string }> {
  for (const expression of itemsOf(fields["matchExpressions"], [...path, "matchExpressions"])) {
    const { operator, values } = expression.fields;
    if (!Array.isArray(values)) continue;
    for (const [index, value] of values.entries()) {
      const why = typeof value === "string" ? whyUnusable(String(operator), value) : undefined;
      if (why !== undefined) yield { path: [...expression.path, "values", index], why };
    }
  }
}

function whyUnusable(operator: string, value: string): string | undefined {
  if ((operator === "Gt" || operator === "Lt") && parseInt64(value) === undefined)
    return `${operator} compares whole numbers of 64 bits, and “${value}” is none`;
  return checkLabelValue(value).length === 0 ? undefined : `no label has the value “${value}”`;
}
