/**
 * When a job's pods count as failed and the job as succeeded. Upstream: pkg/apis/batch/validation validatePodFailurePolicy,
 * validateSuccessPolicy, validatePodReplacementPolicy, v1.36.
 */
import { asJson, type FieldErrors } from "../field-error.ts";
import type { FieldPath } from "../field-path.ts";
import { goStruct } from "../go/struct.ts";
import { byteLength, goQuote } from "../go/text.ts";
import { checkLabelKey } from "../names/names.ts";
import { containersAtCreation } from "../pod-containers.ts";
import type {
  JobSpec,
  PodFailurePolicyOnExitCodesRequirement,
  PodFailurePolicyRule,
  SuccessPolicyRule,
} from "../types.ts";
import { validateNonNegative } from "./workload.ts";

const ruleCountMax = 20;
const exitCodeCountMax = 255;
const indexesBytesMax = 65_536;
const int64Max = 2n ** 63n - 1n;
const actions: readonly string[] = ["Count", "FailIndex", "FailJob", "Ignore"];
const operators: readonly string[] = ["In", "NotIn"];
const statuses: readonly string[] = ["False", "True", "Unknown"];
const replacementPolicies: readonly string[] = ["Failed", "TerminatingOrFailed"];

export function validatePolicies(spec: JobSpec, path: FieldPath, errors: FieldErrors): void {
  validateFailurePolicy(spec, path.child("podFailurePolicy").child("rules"), errors);
  validateSuccessPolicy(spec, path.child("successPolicy"), errors);
  const { podReplacementPolicy: replacement } = spec;
  const supported = spec.podFailurePolicy === undefined ? replacementPolicies : ["Failed"];
  if (replacement === undefined || supported.includes(replacement)) return;
  errors.notSupported(path.child("podReplacementPolicy"), asJson(replacement), supported);
}

function validateChoice(
  value: string,
  supported: readonly string[],
  path: FieldPath,
  errors: FieldErrors,
): void {
  const list = supported.map((choice) => `"${choice}"`).join(" ");
  if (value === "") errors.required(path, `valid values: [${list}]`);
  else if (!supported.includes(value)) errors.notSupported(path, asJson(value), supported);
}

function validateFailurePolicy(spec: JobSpec, path: FieldPath, errors: FieldErrors): void {
  const rules = spec.podFailurePolicy?.rules ?? [];
  if (rules.length > ruleCountMax) errors.tooMany(path, rules.length, ruleCountMax);
  const names = new Set(containersAtCreation(spec.template.spec).map(({ name }) => name));
  rules.forEach((rule, index) => {
    const at = path.index(index);
    if (rule.action === "FailIndex" && spec.backoffLimitPerIndex === undefined) {
      const detail = "requires the backoffLimitPerIndex to be set";
      errors.invalid(at.child("action"), asJson(rule.action), detail);
    } else validateChoice(rule.action, actions, at.child("action"), errors);
    validateFailureRule(rule, names, at, errors);
  });
}

function validateFailureRule(
  { onExitCodes, onPodConditions = [] }: PodFailurePolicyRule,
  names: ReadonlySet<string>,
  path: FieldPath,
  errors: FieldErrors,
): void {
  if (onExitCodes !== undefined)
    validateExitCodes(onExitCodes, names, path.child("onExitCodes"), errors);
  const conditionsPath = path.child("onPodConditions");
  if (onPodConditions.length > ruleCountMax)
    errors.tooMany(conditionsPath, onPodConditions.length, ruleCountMax);
  onPodConditions.forEach(({ type, status = "" }, index) => {
    const at = conditionsPath.index(index);
    errors.invalidEach(at.child("type"), type, checkLabelKey(type));
    validateChoice(status, statuses, at.child("status"), errors);
  });
  const [hasCodes, hasConditions] = [onExitCodes !== undefined, onPodConditions.length > 0];
  if (hasCodes && hasConditions)
    errors.wrong(path, "specifying both OnExitCodes and OnPodConditions is not supported");
  if (!hasCodes && !hasConditions)
    errors.wrong(path, "specifying one of OnExitCodes and OnPodConditions is required");
}

function validateExitCodes(
  { operator, containerName, values: given }: PodFailurePolicyOnExitCodesRequirement,
  names: ReadonlySet<string>,
  path: FieldPath,
  errors: FieldErrors,
): void {
  validateChoice(operator, operators, path.child("operator"), errors);
  if (containerName !== undefined && !names.has(containerName)) {
    errors.invalid(
      path.child("containerName"),
      containerName,
      "must be one of the container or initContainer names in the pod template",
    );
  }
  const valuesPath = path.child("values");
  const values = given ?? [];
  if (values.length === 0)
    errors.invalid(valuesPath, asJson(given ?? null), "at least one value is required");
  else if (values.length > exitCodeCountMax)
    errors.tooMany(valuesPath, values.length, exitCodeCountMax);
  const seen = new Set<number>();
  values.forEach((value, index) => {
    const at = valuesPath.index(index);
    if (operator === "In" && value === 0)
      errors.invalid(at, value, "must not be 0 for the In operator");
    if (seen.has(value)) errors.duplicate(at, value);
    seen.add(value);
  });
  if (values.some((value, index) => index > 0 && (values[index - 1] ?? 0) > value))
    errors.invalid(valuesPath, asJson(values), "must be ordered");
}

function validateSuccessPolicy(spec: JobSpec, path: FieldPath, errors: FieldErrors): void {
  const { successPolicy: policy } = spec;
  if (policy === undefined) return;
  if (spec.completionMode !== "Indexed") {
    const shown = asJson(goStruct("SuccessPolicy", policy));
    errors.invalid(path, shown, "requires indexed completion mode");
    return;
  }
  const rules = policy.rules ?? [];
  const rulesPath = path.child("rules");
  if (rules.length === 0) {
    errors.required(
      rulesPath,
      "at least one rules must be specified when the successPolicy is specified",
    );
  }
  if (rules.length > ruleCountMax) errors.tooMany(rulesPath, rules.length, ruleCountMax);
  rules.forEach((rule, index) => {
    validateSuccessRule(rule, spec.completions, rulesPath.index(index), errors);
  });
}

/** Without `completions`, which is an error of its own, the server crashes if there are numbers here. */
function validateSuccessRule(
  { succeededCount: count, succeededIndexes: indexes }: SuccessPolicyRule,
  completions = Number.POSITIVE_INFINITY,
  path: FieldPath,
  errors: FieldErrors,
): void {
  if (count === undefined && indexes === undefined)
    errors.required(path, "at least one of succeededCount or succeededIndexes must be specified");
  let total = 0;
  if (indexes !== undefined) {
    const at = path.child("succeededIndexes");
    if (byteLength(indexes) > indexesBytesMax) errors.tooLong(at, indexesBytesMax);
    const counted = countIndexes(indexes, completions);
    if (typeof counted === "number") total = counted;
    else errors.invalid(at, indexes, `error parsing succeededIndexes: ${counted}`);
  }
  if (count === undefined) return;
  const at = path.child("succeededCount");
  validateNonNegative(count, at, errors);
  const atMost = (limit: number, what: string): void => {
    if (count > limit)
      errors.invalid(at, count, `must be less than or equal to ${limit} (the number of ${what})`);
  };
  atMost(completions, "specified completions");
  if (indexes !== undefined) atMost(total, "indexes in the specified succeededIndexes field");
}

/** The number of indexes that `1,3-5` names, or an error message. Upstream: validateIndexesFormat. */
export function countIndexes(text: string, completions: number): number | string {
  if (text === "") return 0;
  let [total, last] = [0, -1];
  for (const part of text.split(",")) {
    const interval = intervalOf(part, completions);
    if (typeof interval === "string") return interval;
    const [from, to] = interval;
    if (last >= from) return `non-increasing order, previous: ${last}, current: ${from}`;
    total += to - from + 1;
    last = to;
  }
  return total;
}

/** The first and the last index of `3-5`, or an error message. Upstream: parseIndexInterval. */
export function intervalOf(text: string, completions: number): readonly [number, number] | string {
  const limits = text.split("-");
  if (limits.length > 2)
    return `the fragment ${goQuote(text)} violates the requirement that an index interval can have at most two parts separated by '-'`;
  for (const limit of limits) {
    if (!/^[+-]?\d+$/.test(limit) || BigInt(limit) > int64Max)
      return `cannot convert string to integer for index: ${goQuote(limit)}`;
    if (Number(limit) >= completions) return `too large index: ${goQuote(limit)}`;
  }
  const [from = 0, to = from] = limits.map(Number);
  if (limits.length > 1 && from >= to)
    return `non-increasing order, previous: ${from}, current: ${to}`;
  return [from, to];
}
