/**
 * All containers of a pod: init containers, its own, ephemeral ones. Upstream: pkg/apis/core/pods/helpers.go
 * VisitContainersWithPath v1.36.
 */
import type { FieldPath } from "./field-path.ts";
import type { Container, EphemeralContainer, PodSpec } from "./types.ts";

type AnyContainer = Container | EphemeralContainer;

const fields = ["initContainers", "containers", "ephemeralContainers"] as const;

/** True for an init container that keeps running beside the others. Upstream: podutil.IsRestartableInitContainer. */
export function isSidecar({ restartPolicy }: Container): boolean {
  return restartPolicy === "Always";
}

interface CreatedWith<C> {
  readonly containers?: readonly C[];
  readonly initContainers?: readonly C[];
}

/** Those that a pod is created with: regular ones, then init containers, as in most upstream loops. No ephemeral ones. */
export function containersAtCreation<C>(spec: CreatedWith<C> | undefined): readonly C[] {
  return [...(spec?.containers ?? []), ...(spec?.initContainers ?? [])];
}

export function containersOf(spec: PodSpec): readonly AnyContainer[] {
  return fields.flatMap((field): readonly AnyContainer[] => spec[field] ?? []);
}

/** `path` is that of the spec. */
export function visitContainers(
  spec: PodSpec,
  path: FieldPath,
  visit: (container: AnyContainer, path: FieldPath) => void,
): void {
  for (const field of fields) {
    spec[field]?.forEach((container, index) => {
      visit(container, path.child(field).index(index));
    });
  }
}
