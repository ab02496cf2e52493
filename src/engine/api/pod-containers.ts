/**
 * All containers of a pod: init containers, its own, ephemeral ones. Upstream: pkg/apis/core/pods/helpers.go
 * VisitContainersWithPath v1.36.
 */
import type { FieldPath } from "./field-path.ts";
import type { Container, EphemeralContainer, PodSpec } from "./types.ts";

type AnyContainer = Container | EphemeralContainer;

const fields = ["initContainers", "containers", "ephemeralContainers"] as const;

/** An init container that goes on beside the others. Upstream: podutil.IsRestartableInitContainer. */
export function isSidecar({ restartPolicy }: Container): boolean {
  return restartPolicy === "Always";
}

interface CreatedWith<C> {
  readonly containers?: readonly C[];
  readonly initContainers?: readonly C[];
}

/** Those that a pod is created with: its own before the init containers, as upstream mostly goes through them. Ephemeral ones come later. */
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
