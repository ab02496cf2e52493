/** Conditions of the type that most kinds share. Upstream: apimachinery v0.36 pkg/apis/meta/v1/validation ValidateConditions. */
import type { FieldErrors } from "../field-error.ts";
import type { FieldPath } from "../field-path.ts";
import { byteLength } from "../go/text.ts";
import { checkLabelKey } from "../names/names.ts";
import type { Condition } from "../types.ts";

const statuses: readonly string[] = ["False", "True", "Unknown"];
const reasonBytesMax = 1024;
const messageBytesMax = 32_768;
const reasonText =
  "a condition reason must start with alphabetic character, optionally followed by a string of alphanumeric characters or '_,:', and must end with an alphanumeric character or '_' (e.g. 'my_name',  or 'MY_NAME',  or 'MyName',  or 'ReasonA,ReasonB',  or 'ReasonA:ReasonB', regex used for validation is '[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?')";

export function validateConditions(
  conditions: readonly Condition[],
  path: FieldPath,
  errors: FieldErrors,
): void {
  const types = new Set<string>();
  conditions.forEach((condition, index) => {
    const { type } = condition;
    if (types.has(type)) errors.duplicate(path.index(index).child("type"), type);
    types.add(type);
    validateCondition(condition, path.index(index), errors);
  });
}

function validateCondition(condition: Condition, path: FieldPath, errors: FieldErrors): void {
  const { type, status, observedGeneration = 0, reason } = condition;
  const { lastTransitionTime }: Partial<Condition> = condition;
  errors.invalidEach(path.child("type"), type, checkLabelKey(type));
  if (!statuses.includes(status)) errors.notSupported(path.child("status"), status, statuses);
  if (observedGeneration < 0) {
    const detail = "must be greater than or equal to zero";
    errors.invalid(path.child("observedGeneration"), observedGeneration, detail);
  }
  if (lastTransitionTime === undefined)
    errors.required(path.child("lastTransitionTime"), "must be set");
  if (reason === "") errors.required(path.child("reason"), "must be set");
  else {
    if (!/^[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?$/.test(reason))
      errors.invalid(path.child("reason"), reason, reasonText);
    if (byteLength(reason) > reasonBytesMax) errors.tooLong(path.child("reason"), reasonBytesMax);
  }
  if (byteLength(condition.message) > messageBytesMax)
    errors.tooLong(path.child("message"), messageBytesMax);
}
