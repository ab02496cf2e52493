/**
 * Whether containers restart when their resources change. Upstream: pkg/apis/core/validation validateResizePolicy,
 * validateInitContainers, v1.36.
 */
import { refusesInitRestarts } from "../../version-differences.ts";
import { asJson, type FieldErrors } from "../field-error.ts";
import type { FieldPath } from "../field-path.ts";
import { TextSet } from "../text-set.ts";
import type { Container, ContainerResizePolicy } from "../types.ts";

const resources: readonly string[] = ["cpu", "memory"];
const policies: readonly string[] = ["NotRequired", "RestartContainer"];

export function validateResizePolicy(
  list: readonly ContainerResizePolicy[] | undefined,
  podRestartPolicy: string | undefined,
  path: FieldPath,
  errors: FieldErrors,
): void {
  const seen = new TextSet();
  list?.forEach(({ resourceName, restartPolicy }, index) => {
    if (seen.has(resourceName)) errors.duplicate(path.index(index), asJson(resourceName));
    seen.add(resourceName);
    if (resourceName === "") errors.required(path);
    else if (!resources.includes(resourceName))
      errors.notSupported(path, asJson(resourceName), resources);
    if (restartPolicy === "") errors.required(path);
    else if (!policies.includes(restartPolicy))
      errors.notSupported(path, asJson(restartPolicy), policies);
    if (podRestartPolicy === "Never" && restartPolicy !== "NotRequired") {
      errors.invalid(
        path,
        asJson(restartPolicy),
        "must be 'NotRequired' when pod `restartPolicy` is 'Never'",
      );
    }
  });
}

/** For an init container that is not a sidecar. */
export function validateInitResizePolicy(
  { resizePolicy }: Container,
  path: FieldPath,
  errors: FieldErrors,
): void {
  if (!refusesInitRestarts(errors.version) || errors.flaws.has("initResizePolicy")) return;
  resizePolicy?.forEach(({ restartPolicy }, index) => {
    if (restartPolicy !== "RestartContainer") return;
    const detail = "must not be set to 'RestartContainer' for non-sidecar initContainers";
    errors.invalid(path.index(index).child("restartPolicy"), asJson(restartPolicy), detail);
  });
}
