/** Nodes. Upstream: pkg/apis/core/validation ValidateNode, ValidateNodeUpdate, v1.36. */
import { asJson, type FieldErrors } from "../field-error.ts";
import { metadataPath, specPath, statusPath } from "../field-path.ts";
import { byteLength, goQuote } from "../go/text.ts";
import { compareText, sortedKeys } from "../go/text-order.ts";
import { checkSubdomain } from "../names/names.ts";
import { quantityOrZero } from "../quantity.ts";
import type { Node } from "../types.ts";
import { isCidr, validateCidr } from "./addresses.ts";
import { validateNodeAnnotations } from "./node-annotations.ts";
import { validateMetaUpdate, validateObjectMeta } from "./object-meta.ts";
import { validateResourceAmount } from "./resources.ts";
import { validateTaints } from "./taints.ts";

/** Errors of taints are reported under metadata. */
export function validateNode(node: Node, errors: FieldErrors): void {
  validateObjectMeta(node.metadata, checkSubdomain, errors);
  validateNodeAnnotations(node, errors);
  validateTaints(node.spec?.taints ?? [], metadataPath.child("taints"), errors);
  validateNodeResources(node, errors);
  validateSwap(node.status?.nodeInfo?.swap?.capacity, errors);
  validateDeclaredFeatures(node.status?.declaredFeatures ?? [], errors);
  validatePodRanges(node.spec?.podCIDRs ?? [], errors);
}

export function validateNodeUpdate(next: Node, old: Node, errors: FieldErrors): void {
  validateNode(next, errors);
  validateMetaUpdate(next.metadata, old.metadata, errors);
  validateNodeStatus(next, errors);
  const [ranges, before] = [next.spec?.podCIDRs ?? [], old.spec?.podCIDRs ?? []];
  const kept = (text: string): string =>
    `node updates may not change ${text} except from "" to valid`;
  if (before.length > 0 && ranges.length !== before.length)
    errors.forbidden(rangesPath, kept("podCIDR"));
  else
    for (const [index, range] of before.entries())
      if (range !== ranges[index]) errors.forbidden(rangesPath, kept("podCIDR"));
  const provider = old.spec?.providerID ?? "";
  if (provider !== "" && provider !== next.spec?.providerID)
    errors.forbidden(specPath.child("providerID"), kept("providerID"));
  validateTaints(next.spec?.taints ?? [], metadataPath.child("taints"), errors);
  if ((next.spec?.externalID ?? "") !== (old.spec?.externalID ?? ""))
    errors.forbidden(specPath.child("externalID"), "may not be updated");
}

function validateNodeResources({ status }: Node, errors: FieldErrors): void {
  for (const list of ["capacity", "allocatable"] as const) {
    for (const name of sortedKeys(status?.[list])) {
      const path = statusPath.child(list).child(name);
      validateResourceAmount(name, quantityOrZero(status?.[list]?.[name]), path, errors);
    }
  }
}

/** What a kubelet reports, including annotations that it may have changed. */
export function validateNodeStatus(node: Node, errors: FieldErrors): void {
  validateNodeAnnotations(node, errors);
  validateNodeResources(node, errors);
  validateDeclaredFeatures(node.status?.declaredFeatures ?? [], errors);
  const seen = new Set<string>();
  node.status?.addresses?.forEach(({ type, address }, index) => {
    const path = statusPath.child("addresses").index(index);
    const shown = asJson({ Type: type, Address: address });
    if (seen.has(shown.json)) errors.duplicate(path, shown);
    seen.add(shown.json);
  });
}

/** Upstream: validateNodeSwapStatus. Reported under metadata, too. */
function validateSwap(capacity: number | undefined, errors: FieldErrors): void {
  if (capacity === undefined || capacity > 0) return;
  const path = metadataPath.child("nodeSwapStatus").child("capacity");
  errors.invalid(path, capacity, "must be greater than zero");
}

const featureBytesMax = 253;
const featureName = /^[A-Z][A-Za-z0-9]*(\/[A-Za-z][A-Za-z0-9]*)*$/;
const featureNameRule =
  "must start with an UpperCamelCase segment, with subsequent segments separated by '/' (e.g., MyFeature or MyFeature/mySubFeature), and contain only alphanumeric characters and slashes";

/** Upstream: validateNodeDeclaredFeatures. The list must be sorted, so that duplicates are adjacent. */
function validateDeclaredFeatures(features: readonly string[], errors: FieldErrors): void {
  const path = statusPath.child("declaredFeatures");
  features.forEach((feature, index) => {
    const wrong = (rule: string): void =>
      errors.invalid(
        path.index(index),
        feature,
        `invalid feature name ${goQuote(feature)}: ${rule}`,
      );
    if (byteLength(feature) > featureBytesMax)
      wrong(`must be no more than ${featureBytesMax} characters`);
    else if (!featureName.test(feature)) wrong(featureNameRule);
    const following = features[index + 1];
    if (following === undefined) return;
    const at = path.index(index + 1);
    if (following === feature) errors.duplicate(at, following);
    else if (compareText(feature, following) > 0)
      errors.invalid(at, following, "list must be sorted alphabetically");
  });
}

const rangesPath = specPath.child("podCIDRs");

function validatePodRanges(ranges: readonly string[], errors: FieldErrors): void {
  ranges.forEach((range, index) => {
    validateCidr(range, rangesPath.index(index), errors);
  });
  if (ranges.length < 2) return;
  const bad = ranges.findIndex((range) => !isCidr(range));
  if (bad >= 0)
    errors.raw(
      "InternalError",
      rangesPath.toString(),
      `Internal error: invalid PodCIDRs. failed to check with dual stack with error:invalid CIDR[${bad}]: <nil> (invalid CIDR address: ${ranges[bad]})`,
    );
  const sixes = ranges.filter((range) => range.includes(":")).length;
  if (bad >= 0 || ranges.length > 2 || sixes !== 1) {
    const detail = "may specify no more than one CIDR for each IP family";
    errors.invalid(rangesPath, asJson(ranges), detail);
  }
}
