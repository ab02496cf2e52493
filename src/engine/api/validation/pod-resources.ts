/**
 * Resources, overhead and resource claims of a whole pod. Upstream: pkg/apis/core/validation validatePodResources,
 * validateOverhead, validatePodResourceClaims, component-helpers resource.AggregateContainerRequests, v1.36.
 */
import { asJson, type FieldErrors } from "../field-error.ts";
import { FieldPath } from "../field-path.ts";
import { goStruct } from "../go/struct.ts";
import { compareText, sortedKeys } from "../go/text-order.ts";
import { checkLabel, checkSubdomain } from "../names/names.ts";
import { isHugePages } from "../names/resource-names.ts";
import { compareQuantities, quantityOrZero } from "../quantity.ts";
import { containerTotal } from "../resource-totals.ts";
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
  if (spec.os?.name === "windows") {
    errors.forbidden(path, "may not be set for a windows pod");
    return;
  }
  if (resources.claims !== undefined)
    errors.forbidden(path.child("claims"), "claims may not be set for Resources at pod-level");
  // Claims are validated although they may not be set.
  validateRequirements(resources, validatePodResourceName, spec.resourceClaims, path, errors);
  validateCovered(spec, "requests", path, errors);
  validateCovered(spec, "limits", path, errors);
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

/** The pod's requests must cover its containers'; so must its limits of huge pages, which are reserved like requests. */
function validateCovered(
  spec: PodSpec,
  list: "requests" | "limits",
  path: FieldPath,
  errors: FieldErrors,
): void {
  const amounts = spec.resources?.[list];
  const total = containerTotal(spec, list);
  for (const name of [...total.keys()].sort(compareText)) {
    if (list === "limits" && !isHugePages(name)) continue;
    const asked = total.get(name);
    const text = amounts?.[name];
    if (asked === undefined || text === undefined) continue;
    const given = quantityOrZero(text);
    if (compareQuantities(asked, given) <= 0) continue;
    const detail = `must be greater than or equal to aggregate container ${list} of ${asked.text}`;
    errors.invalid(path.child(list).key(name), given.text, detail);
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

/** A mirror pod has no resource claims: each gives the same error, without a field, and is not validated. */
export function refuseClaims({ resourceClaims = [] }: PodSpec, errors: FieldErrors): void {
  for (const _ of resourceClaims)
    errors.forbidden(new FieldPath(""), "static pods do not support resource claims");
}

export function validatePodClaims(spec: PodSpec, path: FieldPath, errors: FieldErrors): void {
  if (spec.resourceClaims === undefined) return;
  const seen = new TextSet();
  spec.resourceClaims.forEach((claim, index) => {
    const at = path.index(index);
    const { name, resourceClaimName, resourceClaimTemplateName } = claim;
    if (name === "") errors.required(at.child("name"));
    else if (seen.has(name)) errors.duplicate(at.child("name"), name);
    else {
      errors.invalidEach(at.child("name"), name, checkLabel(name));
      seen.add(name);
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
