/** Rules that workload controllers share. Upstream: pkg/apis/{core,apps,batch}/validation, v1.36. */
import { asJson, type FieldErrors } from "../field-error.ts";
import type { FieldPath } from "../field-path.ts";
import { sortedMap } from "../go/text.ts";
import { labelSelectorMatches } from "../selection/label-selector.ts";
import type { LabelSelector, PodTemplateSpec } from "../types.ts";
import { validatePodTemplate } from "./pod-spec.ts";

const percentPattern = /^[0-9]+%$/;
const percentText =
  "a valid percent string must be a numeric string followed by an ending '%' (e.g. '1%',  or '93%', regex used for validation is '[0-9]+%')";

export function validateNonNegative(
  value: number | undefined,
  path: FieldPath,
  errors: FieldErrors,
): void {
  if (value !== undefined && value < 0)
    errors.invalid(path, value, "must be greater than or equal to 0");
}

/** Upstream: ValidatePositiveIntOrPercent. */
export function validateIntOrPercent(
  value: number | string | undefined,
  path: FieldPath,
  errors: FieldErrors,
): void {
  if (typeof value === "number") validateNonNegative(value, path, errors);
  else if (value !== undefined && !percentPattern.test(value))
    errors.invalid(path, asJson(value), percentText);
}

/** Upstream: IsNotMoreThan100Percent. */
export function validateAtMostAll(
  value: number | string | undefined,
  path: FieldPath,
  errors: FieldErrors,
): void {
  if (typeof value === "string" && percentPattern.test(value) && intOrPercentValue(value) > 100) {
    errors.invalid(path, asJson(value), "must not be greater than 100%");
  }
}

/** A number without % counts, too, although it is refused. Upstream: getIntOrPercentValue. */
export function intOrPercentValue(value: number | string | undefined): number {
  if (typeof value === "number") return value;
  return value !== undefined && /^([+-]?\d+|\d+%)$/.test(value) ? Number.parseInt(value, 10) : 0;
}

/** The selector must match the template's labels. An empty selector is reported elsewhere. */
export function validateSelectorMatches(
  selector: LabelSelector | undefined,
  template: PodTemplateSpec | undefined,
  path: FieldPath,
  errors: FieldErrors,
): void {
  const labels = template?.metadata?.labels;
  if (labelSelectorMatches(selector, labels)) return;
  errors.invalid(
    path.child("metadata").child("labels"),
    asJson(sortedMap(labels)),
    "`selector` does not match template `labels`",
  );
}

/** The template of a controller that keeps its pods running. Upstream: ValidatePodTemplateSpecForReplicaSet. */
export function validateRunningTemplate(
  template: PodTemplateSpec | undefined,
  owner: string,
  path: FieldPath,
  errors: FieldErrors,
): void {
  validatePodTemplate(template, path, errors);
  validateKeepsRunning(template, owner, path, errors);
}

export function validateKeepsRunning(
  template: PodTemplateSpec | undefined,
  owner: string,
  path: FieldPath,
  errors: FieldErrors,
): void {
  const policy = template?.spec?.restartPolicy ?? "";
  if (policy !== "Always")
    errors.notSupported(path.child("spec").child("restartPolicy"), asJson(policy), ["Always"]);
  if (template?.spec?.activeDeadlineSeconds !== undefined) {
    errors.forbidden(
      path.child("spec").child("activeDeadlineSeconds"),
      `activeDeadlineSeconds in ${owner} is not Supported`,
    );
  }
}
