/** Runtime classes. Upstream: pkg/apis/node/validation ValidateRuntimeClass, ValidateRuntimeClassUpdate, v1.36. */
import { asJson, type FieldErrors } from "../field-error.ts";
import { FieldPath } from "../field-path.ts";
import { goStruct } from "../go/struct.ts";
import { checkLabel, checkSubdomain } from "../names/names.ts";
import { TextSet } from "../text-set.ts";
import type { RuntimeClass, Toleration } from "../types.ts";
import { validateGenericMeta, validateGenericUpdate, validateLabels } from "./object-meta.ts";
import { validateOverhead } from "./pod-resources.ts";
import { validateTolerations } from "./scheduling.ts";

const handlerPath = new FieldPath("handler");
const overheadPath = new FieldPath("overhead");
const schedulingPath = new FieldPath("scheduling");

/** Any finalizer that is a label key is accepted. */
export function validateRuntimeClass(runtimeClass: RuntimeClass, errors: FieldErrors): void {
  const { metadata, handler, overhead, scheduling } = runtimeClass;
  validateGenericMeta(metadata, checkSubdomain, errors);
  errors.invalidEach(handlerPath, handler, checkLabel(handler));
  validateOverhead(overhead?.podFixed, overheadPath, errors);
  if (scheduling === undefined) return;
  validateLabels(scheduling.nodeSelector, schedulingPath.child("nodeSelector"), errors);
  const { tolerations = [] } = scheduling;
  validateTolerations(tolerations, schedulingPath.child("tolerations"), errors);
  validateDistinct(tolerations, schedulingPath.child("tolerations"), errors);
}

/** No toleration may occur twice, whatever its tolerationSeconds. */
function validateDistinct(
  tolerations: readonly Toleration[],
  path: FieldPath,
  errors: FieldErrors,
): void {
  const seen = new TextSet();
  tolerations.forEach((toleration, index) => {
    const { key = "", operator = "", value = "", effect = "" } = toleration;
    const listKey = JSON.stringify([key, operator, value, effect]);
    if (seen.has(listKey))
      errors.duplicate(path.index(index), asJson(goStruct("Toleration", toleration)));
    else seen.add(listKey);
  });
}

export function validateRuntimeClassUpdate(
  next: RuntimeClass,
  old: RuntimeClass,
  errors: FieldErrors,
): void {
  validateRuntimeClass(next, errors);
  validateGenericUpdate(next.metadata, old.metadata, errors);
  if (next.handler !== old.handler) errors.invalid(handlerPath, next.handler, "field is immutable");
}
