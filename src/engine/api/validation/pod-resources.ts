/**
 * What a pod as a whole asks for. Upstream: pkg/apis/core/validation validatePodResources, validateOverhead,
 * validatePodResourceClaims, component-helpers resource.AggregateContainerRequests, v1.36.
 */
import { asJson, type FieldErrors } from "../field-error.ts";
import type { FieldPath } from "../field-path.ts";
import { goStruct } from "../go-struct.ts";
import { checkLabel, checkSubdomain } from "../names.ts";
import { compareQuantities, quantityOrZero } from "../quantity.ts";
import { containerTotal } from "../resource-totals.ts";
import { compareText, sortedKeys } from "../text-order.ts";
import { TextSet } from "../text-set.ts";
import type { PodSpec } from "../types.ts";
import {
  validateContainerResources,
  validatePodResourceName,
  validateRequirements,
} from "./resource-requirements.ts";

export function validatePodResources(spec: PodSpec, path: FieldPath, errors: FieldErrors): void {
  const { resources } = spec;
  if (resources === undefined) return;
  if (resources.claims !== undefined)
    errors.forbidden(path.child("claims"), "claims cannot be set for Resources at pod-level");
  validateRequirements(resources, validatePodResourceName, path, errors);
  validateRequestsCovered(spec, path.child("requests"), errors);
  spec.containers?.forEach((container, index) => {
    const limits = container.resources?.limits;
    for (const name of sortedKeys(limits)) {
      const bound = resources.limits?.[name];
      if (bound === undefined) continue;
      const [limit, most] = [quantityOrZero(limits?.[name]), quantityOrZero(bound)];
      if (compareQuantities(limit, most) <= 0) continue;
      errors.invalid(
        path.child("containers").index(index).key(name).child("limits"),
        limit.text,
        `must be less than or equal to pod limits of ${most.text}`,
      );
    }
  });
}

function validateRequestsCovered(spec: PodSpec, path: FieldPath, errors: FieldErrors): void {
  const total = containerTotal(spec, "requests");
  for (const name of [...total.keys()].sort(compareText)) {
    const asked = total.get(name);
    const given = quantityOrZero(spec.resources?.requests?.[name]);
    if (asked === undefined || compareQuantities(asked, given) <= 0) continue;
    const detail = `must be greater than or equal to aggregate container requests of ${asked.text}`;
    errors.invalid(path.key(name), given.text, detail);
  }
}

export function validateOverhead(
  overhead: PodSpec["overhead"],
  path: FieldPath,
  errors: FieldErrors,
): void {
  if (overhead !== undefined)
    validateContainerResources({ limits: overhead }, undefined, path, errors);
}

/** `podName` is undefined in templates. */
export function validatePodClaims(
  spec: PodSpec,
  podName: string | undefined,
  path: FieldPath,
  errors: FieldErrors,
): void {
  if (spec.resourceClaims === undefined) return;
  const seen = new TextSet();
  spec.resourceClaims.forEach((claim, index) => {
    const at = path.index(index);
    const { name, resourceClaimName, resourceClaimTemplateName } = claim;
    if (name === "") errors.required(at.child("name"));
    else if (seen.has(name)) errors.duplicate(at.child("name"), name);
    else {
      const complaints = checkLabel(name);
      errors.invalidEach(at.child("name"), name, complaints);
      seen.add(name);
      if (
        complaints.length === 0 &&
        podName !== undefined &&
        resourceClaimTemplateName !== undefined
      ) {
        const claimName = `${podName}-${name}`;
        errors.invalidEach(at.child("name"), claimName, checkSubdomain(claimName));
      }
    }
    const shown = asJson(goStruct("PodResourceClaim", claim));
    if (resourceClaimName !== undefined && resourceClaimTemplateName !== undefined) {
      errors.invalid(
        at,
        shown,
        "at most one of `resourceClaimName` or `resourceClaimTemplateName` may be specified",
      );
    }
    if (resourceClaimName === undefined && resourceClaimTemplateName === undefined) {
      errors.invalid(
        at,
        shown,
        "must specify one of: `resourceClaimName`, `resourceClaimTemplateName`",
      );
    }
    for (const field of ["resourceClaimName", "resourceClaimTemplateName"] as const) {
      const given = claim[field];
      if (given !== undefined) errors.invalidEach(at.child(field), given, checkSubdomain(given));
    }
  });
}
