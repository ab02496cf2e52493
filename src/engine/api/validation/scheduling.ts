/**
 * Affinity, tolerations and topology spread. Upstream: pkg/apis/core/validation validateAffinity, ValidateTolerations,
 * validateTopologySpreadConstraints, v1.36.
 */
import { checksAffinityValues, mergesSpreadSelectors } from "../../version-differences.ts";
import { asJson, type FieldErrors } from "../field-error.ts";
import type { FieldPath } from "../field-path.ts";
import { checkLabel, checkLabelKey, checkLabelValue } from "../names/names.ts";
import type {
  Affinity,
  LabelSelector,
  NodeAffinity,
  PodAffinity,
  PodAffinityTerm,
  Toleration,
  TopologySpreadConstraint,
} from "../types.ts";
import {
  validateLabelSelector,
  validateNodeSelector,
  validateNodeSelectorTerm,
  validateRatchetedSelector,
} from "./selectors.ts";

const taintEffects: readonly string[] = ["NoSchedule", "PreferNoSchedule", "NoExecute"];
const unsatisfiableActions: readonly string[] = ["DoNotSchedule", "ScheduleAnyway"];
const inclusionPolicies: readonly string[] = ["Honor", "Ignore"];
const required = "requiredDuringSchedulingIgnoredDuringExecution";
const preferred = "preferredDuringSchedulingIgnoredDuringExecution";

export function validateAffinity(
  affinity: Affinity | undefined,
  path: FieldPath,
  errors: FieldErrors,
): void {
  if (affinity?.nodeAffinity !== undefined)
    validateNodeAffinity(affinity.nodeAffinity, path.child("nodeAffinity"), errors);
  if (affinity?.podAffinity !== undefined)
    validatePodAffinity(affinity.podAffinity, path.child("podAffinity"), errors);
  if (affinity?.podAntiAffinity !== undefined) {
    validatePodAffinity(affinity.podAntiAffinity, path.child("podAntiAffinity"), errors);
  }
}

function validateNodeAffinity(affinity: NodeAffinity, path: FieldPath, errors: FieldErrors): void {
  const selector = affinity[required];
  if (selector !== undefined)
    validateNodeSelector(selector, path.child(required), errors, {
      valuesAreLabels: checksAffinityValues(errors.version),
    });
  affinity[preferred]?.forEach(({ weight, preference }, index) => {
    const at = path.child(preferred).index(index);
    validateWeight(weight, at, errors);
    validateNodeSelectorTerm(preference, at.child("preference"), errors, {
      valuesAreLabels: false,
    });
  });
}

function validateWeight(weight: number, path: FieldPath, errors: FieldErrors): void {
  if (weight <= 0 || weight > 100)
    errors.invalid(path.child("weight"), weight, "must be in the range 1-100");
}

function validatePodAffinity(affinity: PodAffinity, path: FieldPath, errors: FieldErrors): void {
  affinity[required]?.forEach((term, index) => {
    validatePodAffinityTerm(term, path.child(required).index(index), errors);
  });
  affinity[preferred]?.forEach(({ weight, podAffinityTerm }, index) => {
    const at = path.child(preferred).index(index);
    validateWeight(weight, at, errors);
    validatePodAffinityTerm(podAffinityTerm, at.child("podAffinityTerm"), errors);
  });
}

function validatePodAffinityTerm(
  term: PodAffinityTerm,
  path: FieldPath,
  errors: FieldErrors,
): void {
  validateRatchetedSelector(term.labelSelector, path.child("labelSelector"), errors);
  validateRatchetedSelector(term.namespaceSelector, path.child("namespaceSelector"), errors);
  for (const namespace of term.namespaces ?? [])
    errors.invalidEach(path.child("namespace"), namespace, checkLabel(namespace));
  validateMatchLabelKeys(term, path, errors);
  if (term.topologyKey === "") errors.required(path.child("topologyKey"), "can not be empty");
  errors.invalidEach(path.child("topologyKey"), term.topologyKey, checkLabelKey(term.topologyKey));
}

type Keyed = Pick<PodAffinityTerm, "labelSelector" | "matchLabelKeys" | "mismatchLabelKeys">;

/**
 * The values of the keys are already merged into the selector of a new pod, so a key that the selector names itself occurs
 * twice. The path of that error lacks the field. Upstream: validateMatchLabelKeysAndMismatchLabelKeys.
 */
function validateMatchLabelKeys(keyed: Keyed, path: FieldPath, errors: FieldErrors): void {
  const { labelSelector, matchLabelKeys = [], mismatchLabelKeys = [] } = keyed;
  validateLabelKeys(matchLabelKeys, labelSelector, path.child("matchLabelKeys"), errors);
  validateLabelKeys(mismatchLabelKeys, labelSelector, path.child("mismatchLabelKeys"), errors);
  const seen = new Set(Object.keys(labelSelector?.matchLabels ?? {}));
  const lastOf = new Map(matchLabelKeys.map((key, index) => [key, index]));
  for (const { key } of labelSelector?.matchExpressions ?? []) {
    const index = lastOf.get(key);
    if (index !== undefined && seen.has(key))
      errors.invalid(path.index(index), key, "exists in both matchLabelKeys and labelSelector");
    seen.add(key);
  }
  const mismatched = new Set(mismatchLabelKeys);
  matchLabelKeys.forEach((key, index) => {
    if (!mismatched.has(key)) return;
    errors.invalid(
      path.child("matchLabelKeys").index(index),
      key,
      "exists in both matchLabelKeys and mismatchLabelKeys",
    );
  });
}

function validateLabelKeys(
  keys: readonly string[],
  selector: LabelSelector | undefined,
  path: FieldPath,
  errors: FieldErrors,
): void {
  if (keys.length > 0 && selector === undefined) {
    errors.forbidden(path, "must not be specified when labelSelector is not set");
    return;
  }
  keys.forEach((key, index) => {
    errors.invalidEach(path.index(index), key, checkLabelKey(key));
  });
}

export function validateTolerations(
  tolerations: readonly Toleration[],
  path: FieldPath,
  errors: FieldErrors,
): void {
  tolerations.forEach((toleration, index) => {
    const at = path.index(index);
    const { key = "", operator = "", effect = "", tolerationSeconds } = toleration;
    if (key !== "") errors.invalidEach(at.child("key"), key, checkLabelKey(key));
    if (key === "" && operator !== "Exists") {
      const detail =
        'operator must be Exists when `key` is empty, which means "match all values and all keys"';
      errors.invalid(at.child("operator"), asJson(operator), detail);
    }
    if (tolerationSeconds !== undefined && effect !== "NoExecute") {
      errors.invalid(
        at.child("effect"),
        asJson(effect),
        "effect must be 'NoExecute' when `tolerationSeconds` is set",
      );
    }
    validateOperator(toleration, at.child("operator"), errors);
    if (effect !== "" && !taintEffects.includes(effect))
      errors.notSupported(at.child("effect"), asJson(effect), taintEffects);
  });
}

function validateOperator(toleration: Toleration, path: FieldPath, errors: FieldErrors): void {
  const { operator = "", value = "" } = toleration;
  switch (operator) {
    case "":
    case "Equal": {
      const complaints = checkLabelValue(value);
      if (complaints.length > 0) errors.invalid(path, value, complaints.join(";"));
      break;
    }
    case "Exists":
      if (value !== "")
        errors.invalid(path, value, "value must be empty when `operator` is 'Exists'");
      break;
    case "Lt":
    case "Gt":
      // The gate TaintTolerationComparisonOperators is off, but the message lists these operators.
      errors.notSupported(path, asJson(operator), ["Equal", "Exists", "Lt", "Gt"]);
      break;
    default:
      errors.notSupported(path, asJson(operator), ["Equal", "Exists"]);
  }
}

export function validateTopologySpread(
  constraints: readonly TopologySpreadConstraint[],
  path: FieldPath,
  errors: FieldErrors,
): void {
  const pairs = constraints.map((c) => `{${c.topologyKey}, ${c.whenUnsatisfiable}}`);
  const lastOf = new Map(pairs.map((pair, index) => [pair, index]));
  constraints.forEach((constraint, index) => {
    const at = path.index(index);
    const { maxSkew, topologyKey, whenUnsatisfiable, nodeAffinityPolicy, nodeTaintsPolicy } =
      constraint;
    if (maxSkew <= 0) errors.invalid(at.child("maxSkew"), maxSkew, "must be greater than zero");
    if (topologyKey === "") errors.required(at.child("topologyKey"), "can not be empty");
    if (!unsatisfiableActions.includes(whenUnsatisfiable)) {
      errors.notSupported(
        at.child("whenUnsatisfiable"),
        asJson(whenUnsatisfiable),
        unsatisfiableActions,
      );
    }
    const pair = pairs[index] ?? "";
    if (lastOf.get(pair) !== index)
      errors.duplicate(at.child("{topologyKey, whenUnsatisfiable}"), pair);
    validateMinDomains(constraint, at.child("minDomains"), errors);
    validatePolicy(nodeAffinityPolicy, at.child("nodeAffinityPolicy"), errors);
    validatePolicy(nodeTaintsPolicy, at.child("nodeTaintsPolicy"), errors);
    if (mergesSpreadSelectors(errors.version)) validateMatchLabelKeys(constraint, at, errors);
    else validateUnmergedKeys(constraint, at.child("matchLabelKeys"), errors);
    if (!errors.flaws.has("spreadSelectors"))
      validateLabelSelector(constraint.labelSelector, at.child("labelSelector"), errors);
  });
}

/** Before 1.34. Upstream: validateMatchLabelKeysInTopologySpread. */
function validateUnmergedKeys(
  { labelSelector, matchLabelKeys = [] }: TopologySpreadConstraint,
  path: FieldPath,
  errors: FieldErrors,
): void {
  if (matchLabelKeys.length > 0 && labelSelector === undefined)
    errors.forbidden(path, "must not be specified when labelSelector is not set");
  const selected = new Set(Object.keys(labelSelector?.matchLabels ?? {}));
  for (const { key } of labelSelector?.matchExpressions ?? []) selected.add(key);
  matchLabelKeys.forEach((key, index) => {
    errors.invalidEach(path.index(index), key, checkLabelKey(key));
    if (selected.has(key))
      errors.invalid(path.index(index), key, "exists in both matchLabelKeys and labelSelector");
  });
}

function validateMinDomains(
  { minDomains, whenUnsatisfiable }: TopologySpreadConstraint,
  path: FieldPath,
  errors: FieldErrors,
): void {
  if (minDomains === undefined) return;
  if (minDomains <= 0) errors.invalid(path, minDomains, "must be greater than zero");
  if (whenUnsatisfiable !== "DoNotSchedule") {
    errors.invalid(
      path,
      minDomains,
      `can only use minDomains if whenUnsatisfiable=DoNotSchedule, not ${whenUnsatisfiable}`,
    );
  }
}

function validatePolicy(policy: string | undefined, path: FieldPath, errors: FieldErrors): void {
  if (policy !== undefined && !inclusionPolicies.includes(policy))
    errors.notSupported(path, asJson(policy), inclusionPolicies);
}
