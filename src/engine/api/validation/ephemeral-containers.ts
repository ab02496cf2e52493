/**
 * Containers that were added to a running pod for debugging. Upstream: pkg/apis/core/validation validateEphemeralContainers,
 * validateFieldAllowList, v1.36.
 */
import type { FieldErrors } from "../field-error.ts";
import type { FieldPath } from "../field-path.ts";
import { containersAtCreation } from "../pod-containers.ts";
import type { EphemeralContainer, PodSpec } from "../types.ts";
import { validateCommon, validateImage } from "./containers.ts";
import type { UsableVolumes } from "./pod-volumes.ts";

const forbidden = "cannot be set for an Ephemeral Container";

/** Fields that only regular containers need. In Go's order. */
const forbiddenFields = [
  "ports",
  "resources",
  "resizePolicy",
  "restartPolicy",
  "restartPolicyRules",
  "livenessProbe",
  "readinessProbe",
  "startupProbe",
  "lifecycle",
] as const;

export function validateEphemeralContainers(
  spec: PodSpec,
  volumes: UsableVolumes,
  path: FieldPath,
  errors: FieldErrors,
): void {
  if (spec.ephemeralContainers === undefined) return;
  const others = new Set(containersAtCreation(spec).map(({ name }) => name));
  const names = new Set(others);
  spec.ephemeralContainers.forEach((container, index) => {
    const at = path.index(index);
    validateCommon(container, spec, volumes, at, errors);
    validateImage(container, at, errors);
    if (names.has(container.name)) errors.duplicate(at.child("name"), container.name);
    names.add(container.name);
    const { targetContainerName: target = "" } = container;
    if (target !== "" && !others.has(target))
      errors.notFound(at.child("targetContainerName"), target);
    for (const field of forbiddenFields)
      if (isSet(container, field)) errors.forbidden(at.child(field), forbidden);
    container.volumeMounts?.forEach((mount, position) => {
      for (const field of ["subPath", "subPathExpr"] as const) {
        if ((mount[field] ?? "") === "") continue;
        errors.forbidden(at.child("volumeMounts").index(position).child(field), forbidden);
      }
    });
  });
}

/** An empty list counts as set, empty resources do not. */
function isSet(container: EphemeralContainer, field: (typeof forbiddenFields)[number]): boolean {
  if (field === "resources") return Object.keys(container.resources ?? {}).length > 0;
  return container[field] !== undefined;
}
