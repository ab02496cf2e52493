/** Terms of node selectors that match no node, whatever the cluster. */
import { parseInt64 } from "../../../engine/api/go/parse-int.ts";
import { checkLabelValue } from "../../../engine/api/names/names.ts";
import {
  type Fields,
  fieldsAt,
  itemsOf,
  type Located,
  oncePerObject,
  podSpecOf,
} from "../../workspace/manifest-fields.ts";
import { type ManifestObject, plainText } from "../../yaml/manifest.ts";
import type { Path } from "../../yaml/place.ts";
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
        // Nodes match one of the terms; a list needs one.
        const fix = { title: "Remove the term", path, value: null };
        const message = "An empty term matches no node";
        yield { entry, path, message, ...(terms.length > 1 && { fix }) };
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
      for (const term of termsOf(entry.object)) {
        for (const { fields, path } of contradictions(term)) {
          const message = `Matches no node: together with the term's other expressions on ${plainText(fields["key"])} this can never hold`;
          yield { entry, path: [...path, "key"], message };
        }
        for (const { path, why } of unusableValues(term))
          yield { entry, path, message: `Matches no node: ${why}` };
      }
    }
  },
};

/** The expressions that leave nothing of what those before them allow. */
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

/** The values with which nothing can be compared, for which the whole term matches nothing. */
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

/** Whether no labels, whatever they are, satisfy all of the expressions. */
export function isUnsatisfiable(expressions: readonly Fields[]): boolean {
  const byKey = new Map<unknown, Requirement>();
  for (const expression of expressions) {
    const { key } = expression;
    byKey.set(key, narrowed(byKey.get(key) ?? everything, expression));
  }
  return [...byKey.values()].some(isImpossible);
}

/** What the expressions on one label leave open. */
interface Requirement {
  /** Undefined: any value. */
  readonly values: readonly unknown[] | undefined;
  readonly excluded: readonly unknown[];
  readonly isPresent: boolean;
  readonly isAbsent: boolean;
  readonly above: number;
  readonly below: number;
}

const everything: Requirement = {
  values: undefined,
  excluded: [],
  isPresent: false,
  isAbsent: false,
  above: Number.NEGATIVE_INFINITY,
  below: Number.POSITIVE_INFINITY,
};

function narrowed(known: Requirement, { operator, values }: Fields): Requirement {
  const list: readonly unknown[] = Array.isArray(values) ? values : [];
  const limit = Number(list[0]);
  switch (operator) {
    case "In":
      // The API server refuses a list without values.
      if (list.length === 0) return known;
      return {
        ...known,
        isPresent: true,
        values: known.values === undefined ? list : list.filter((v) => known.values?.includes(v)),
      };
    case "NotIn":
      return { ...known, excluded: [...known.excluded, ...list] };
    case "Exists":
      return { ...known, isPresent: true };
    case "DoesNotExist":
      return { ...known, isAbsent: true };
    case "Gt":
      return { ...known, isPresent: true, above: Math.max(known.above, limit) };
    case "Lt":
      return { ...known, isPresent: true, below: Math.min(known.below, limit) };
    default:
      return known;
  }
}

function isImpossible(requirement: Requirement): boolean {
  const { values, excluded, isPresent, isAbsent, above, below } = requirement;
  // Labels hold whole numbers where they are compared: none lies between 1 and 2.
  if ((isPresent && isAbsent) || below - above <= 1) return true;
  return values?.every((value) => excluded.includes(value)) === true;
}

const required = ["affinity", "nodeAffinity", "requiredDuringSchedulingIgnoredDuringExecution"];

/** Of a volume's and a pod's required node affinity. */
export const termsOf: (object: ManifestObject) => readonly Located[] = oncePerObject((object) => {
  if (object.kind === "PersistentVolume" && object.served)
    return termsAt(object.value, ["spec", "nodeAffinity", "required"]);
  const pod = podSpecOf(object);
  return pod === undefined ? [] : termsAt(object.value, [...pod.path.map(String), ...required]);
});

function termsAt(value: Fields, path: readonly string[]): readonly Located[] {
  return itemsOf(fieldsAt(value, ...path)["nodeSelectorTerms"], [...path, "nodeSelectorTerms"]);
}

export function expressionsOf({ fields, path }: Located): readonly Located[] {
  return ["matchExpressions", "matchFields"].flatMap((field) => {
    const place: Path = [...path, field];
    return itemsOf(fields[field], place);
  });
}
