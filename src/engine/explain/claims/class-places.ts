/** A class whose allowedTopologies name places without nodes: which of them, and what to write instead. */
import { compareText } from "../../api/go/text-order.ts";
import { type KubeObject, refOf } from "../../api/meta.ts";
import type { RunFacts } from "../run-facts.ts";
import type { Fix, Place } from "../verdict.ts";

interface NamedPlace {
  readonly key: string;
  readonly value: string;
  readonly field: string;
}

const fixCountMax = 3;

/** The values that no node has. The root is the value if there is one such, else all of allowedTopologies. */
export function wrongPlaces(
  facts: RunFacts,
  storageClass: KubeObject<"StorageClass">,
): { readonly root: Place; readonly values: readonly string[]; readonly fixes: readonly Fix[] } {
  const ref = refOf(storageClass);
  const named = namedPlaces(storageClass);
  const absent = named.filter(({ key, value }) => !valuesOfNodes(facts, key).has(value));
  const [only, ...others] = absent;
  const isOne = only !== undefined && others.length === 0;
  const root = { ref, field: isOne ? only.field : "allowedTopologies" };
  const name = storageClass.metadata.name;
  const text = `let allowedTopologies of class "${name}" name a place that nodes have (recreate the class)`;
  const instead = isOne ? [...valuesOfNodes(facts, only.key)].sort(compareText) : [];
  return {
    root,
    values: absent.map(({ value }) => value),
    fixes: [
      { text, at: root },
      ...instead.slice(0, fixCountMax).map((value) => ({
        text: `let class "${name}" make volumes where ${only?.key} is ${value}`,
        at: root,
        value,
      })),
    ],
  };
}

function namedPlaces({
  allowedTopologies = [],
}: KubeObject<"StorageClass">): readonly NamedPlace[] {
  return allowedTopologies.flatMap(({ matchLabelExpressions = [] }, term) =>
    matchLabelExpressions.flatMap(({ key, values }, expression) =>
      values.map((value, index) => ({
        key,
        value,
        field: `allowedTopologies[${term}].matchLabelExpressions[${expression}].values[${index}]`,
      })),
    ),
  );
}

function valuesOfNodes(facts: RunFacts, key: string): ReadonlySet<string> {
  return new Set(facts.list("Node").flatMap(({ metadata }) => metadata.labels?.[key] ?? []));
}
