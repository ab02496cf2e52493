/** Updates of pods. Upstream: pkg/apis/core/validation ValidatePodUpdate, v1.36. */
import type { FieldErrors } from "../field-error.ts";
import { type FieldPath, metadataPath, specPath } from "../field-path.ts";
import { goStruct } from "../go/struct.ts";
import { goJson } from "../go/text.ts";
import type { Mutable } from "../mutable.ts";
import { semanticEqual } from "../semantic-equal.ts";
import type { Container, Pod, PodSpec, Toleration } from "../types.ts";
import { unifiedDiff } from "../unified-diff.ts";
import { validateImages } from "./containers.ts";
import { settleGatedChanges } from "./gated-pod.ts";
import { validateMetaUpdate } from "./object-meta.ts";
import { validateAnnotationsKept, validatePodAnnotations } from "./pod-annotations.ts";
import { validatePod } from "./pod-spec.ts";
import { validateTolerations } from "./scheduling.ts";

const secondsMax = 2_147_483_647;
const immutableText =
  "pod updates may not change fields other than `spec.containers[*].image`,`spec.initContainers[*].image`,`spec.activeDeadlineSeconds`,`spec.tolerations` (only additions to existing tolerations),`spec.terminationGracePeriodSeconds` (allow it to be set to 1 if it was previously negative)";

export function validatePodUpdate(next: Pod, old: Pod, errors: FieldErrors): void {
  validateMetaUpdate(next.metadata, old.metadata, errors);
  validatePod(next, errors);
  const annotations = next.metadata.annotations ?? {};
  const path = metadataPath.child("annotations");
  validateAnnotationsKept(annotations, old.metadata.annotations ?? {}, path, errors);
  validatePodAnnotations(annotations, next.spec, path, errors);
  if (
    !validateContainerCount(
      next.spec.containers,
      old.spec.containers,
      specPath.child("containers"),
      errors,
    )
  )
    return;
  if (
    !validateContainerCount(
      next.spec.initContainers,
      old.spec.initContainers,
      specPath.child("initContainers"),
      errors,
    )
  )
    return;
  if (!validateDeadline(next.spec.activeDeadlineSeconds, old.spec.activeDeadlineSeconds, errors))
    return;
  validateTolerationsKept(next.spec.tolerations ?? [], old.spec.tolerations ?? [], errors);
  validateGatesOnlyRemoved(next.spec, old.spec, errors);
  const masked = maskMutable(next.spec, old.spec);
  settleGatedChanges(masked, old.spec, errors);
  if (semanticEqual(masked, old.spec)) return;
  const text = (spec: PodSpec): string => goJson(goStruct("PodSpec", spec), 1);
  errors.forbidden(specPath, `${immutableText}\n${unifiedDiff(text(old.spec), text(masked))}`);
}

/** The number of containers stays, and each needs an image. False if the number changes: then nothing else is validated. */
function validateContainerCount(
  next: readonly Container[] | undefined,
  old: readonly Container[] | undefined,
  path: FieldPath,
  errors: FieldErrors,
): boolean {
  if ((next ?? []).length !== (old ?? []).length) {
    errors.forbidden(path, "pod updates may not add or remove containers");
    return false;
  }
  next?.forEach(({ image = "" }, index) => {
    if (image === "") errors.required(path.index(index).child("image"));
  });
  validateImages(next, path, errors);
  return true;
}

/** A deadline may be set or brought forward, not extended or removed. False if nothing else is to be validated. */
function validateDeadline(
  next: number | undefined,
  old: number | undefined,
  errors: FieldErrors,
): boolean {
  const path = specPath.child("activeDeadlineSeconds");
  if (next === undefined) {
    if (old !== undefined)
      errors.invalid(
        path,
        { json: "null" },
        "must not update from a positive integer to nil value",
      );
    return true;
  }
  if (next < 0 || next > secondsMax)
    errors.invalid(path, next, `must be between 0 and ${secondsMax}, inclusive`);
  else if (old !== undefined && old < next)
    errors.invalid(path, next, "must be less than or equal to previous value");
  else return true;
  return false;
}

/** Tolerations may be added, and their tolerationSeconds changed. */
function validateTolerationsKept(
  next: readonly Toleration[],
  old: readonly Toleration[],
  errors: FieldErrors,
): void {
  const isKept = (before: Toleration): boolean =>
    next.some((after) =>
      semanticEqual({ ...after, tolerationSeconds: 0 }, { ...before, tolerationSeconds: 0 }),
    );
  const path = specPath.child("tolerations");
  if (old.every(isKept)) validateTolerations(next, path, errors);
  else
    errors.forbidden(path, "existing toleration can not be modified except its tolerationSeconds");
}

/** Scheduling gates may be removed, not added. */
function validateGatesOnlyRemoved(next: PodSpec, old: PodSpec, errors: FieldErrors): void {
  const known = new Set(old.schedulingGates?.map(({ name }) => name));
  const lastOf = new Map(next.schedulingGates?.map(({ name }, index) => [name, index]));
  lastOf.forEach((index, name) => {
    if (known.has(name)) return;
    const at = specPath.child("schedulingGates").index(index).child("name");
    errors.forbidden(at, `only deletion is allowed, but found new scheduling gate '${name}'`);
  });
}

/** The new spec with its mutable fields reset to the old ones. */
function maskMutable(next: PodSpec, old: PodSpec): Mutable<PodSpec> {
  const masked = { ...next } as Mutable<PodSpec>;
  const withOldImages = (
    containers: readonly Container[] | undefined,
    before: readonly Container[] | undefined,
  ): Mutable<Container>[] =>
    (containers ?? []).map((container, index) => {
      const image = before?.[index]?.image;
      return { ...container, ...(image !== undefined && { image }) } as Mutable<Container>;
    });
  masked.containers = withOldImages(next.containers, old.containers);
  if (next.initContainers !== undefined)
    masked.initContainers = withOldImages(next.initContainers, old.initContainers);
  delete masked.activeDeadlineSeconds;
  if (old.activeDeadlineSeconds !== undefined)
    masked.activeDeadlineSeconds = old.activeDeadlineSeconds;
  delete masked.tolerations;
  if (old.tolerations !== undefined) masked.tolerations = old.tolerations as Mutable<Toleration>[];
  delete masked.schedulingGates;
  if (old.schedulingGates !== undefined)
    masked.schedulingGates = old.schedulingGates as Mutable<PodSpec>["schedulingGates"] & object;
  if ((old.terminationGracePeriodSeconds ?? 0) < 0 && next.terminationGracePeriodSeconds === 1) {
    masked.terminationGracePeriodSeconds = old.terminationGracePeriodSeconds ?? 0;
  }
  return masked;
}
