/** The terms of required node affinities, and whether any labels can satisfy their expressions. */
import {
  type Fields,
  fieldsAt,
  itemsOf,
  type Located,
  oncePerObject,
  podSpecOf,
} from "../../workspace/manifest-fields.ts";
import type { ManifestObject } from "../../yaml/manifest.ts";
import type { Path } from "../../yaml/place.ts";

/** True if no labels can satisfy all of the expressions. */
export function isUnsatisfiable(expressions: readonly Fields[]): boolean {
  const byKey = new Map<unknown, Requirement>();
  for (const expression of expressions) {
    const { key } = expression;
    byKey.set(key, narrowed(byKey.get(key) ?? everything, expression));
  }
  return [...byKey.values()].some(isImpossible);
}

/** What the expressions on one label leave possible. */
export interface Requirement {
  /** Undefined means any value. */
  readonly values: readonly unknown[] | undefined;
  readonly excluded: readonly unknown[];
  readonly isPresent: boolean;
  readonly isAbsent: boolean;
  readonly above: number;
  readonly below: number;
}

export const everything: Requirement = {
  values: undefined,
  excluded: [],
  isPresent: false,
  isAbsent: false,
  above: Number.NEGATIVE_INFINITY,
  below: Number.POSITIVE_INFINITY,
};

export function narrowed(known: Requirement, { operator, values }: Fields): Requirement {
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

export function isImpossible(requirement: Requirement): boolean {
  const { values, excluded, isPresent, isAbsent, above, below } = requirement;
  // Gt and Lt compare integers: there is none between 1 and 2.
  if ((isPresent && isAbsent) || below - above <= 1) return true;
  return values?.every((value) => excluded.includes(value)) === true;
}

const required = ["affinity", "nodeAffinity", "requiredDuringSchedulingIgnoredDuringExecution"];

/** The terms of a volume's or pod's required node affinity. */
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
