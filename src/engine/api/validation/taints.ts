/** Taints of a node, in its spec or in an annotation. Upstream: pkg/apis/core/validation validateNodeTaints, v1.36. */
import { asJson, type FieldErrors } from "../field-error.ts";
import type { FieldPath } from "../field-path.ts";
import { checkLabelKey, checkLabelValue } from "../names/names.ts";
import type { Taint } from "../types.ts";

const taintEffects: readonly string[] = ["NoSchedule", "PreferNoSchedule", "NoExecute"];

export function validateTaints(
  taints: readonly Taint[],
  path: FieldPath,
  errors: FieldErrors,
): void {
  const seen = new Set<string>();
  taints.forEach(({ key, value = "", effect, timeAdded = null }, index) => {
    const at = path.index(index);
    errors.invalidEach(at.child("key"), key, checkLabelKey(key));
    const complaints = checkLabelValue(value);
    if (complaints.length > 0) errors.invalid(at.child("value"), value, complaints.join(";"));
    if (effect === "") errors.required(at.child("effect"));
    else if (!taintEffects.includes(effect))
      errors.notSupported(at.child("effect"), asJson(effect), taintEffects);
    if (seen.has(`${effect}/${key}`)) {
      errors.duplicate(
        at,
        asJson({ Key: key, Value: value, Effect: effect, TimeAdded: timeAdded }),
        "taints must be unique by key and effect pair",
      );
    }
    seen.add(`${effect}/${key}`);
  });
}
