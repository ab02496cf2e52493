/** Names of objects that StatefulSets will make: pods, and the claims of templates. */
import type { Environment } from "../workspace/environment.ts";
import { fieldsAt } from "../workspace/manifest-fields.ts";
import { podCountOf } from "../workspace/objects/pod-count.ts";
import type { ManifestObject } from "../yaml/manifest.ts";
import { templateNames } from "./derived-names.ts";

/** As many per StatefulSet as somebody would look through. */
const madeCountMax = 10;

export interface MadeName {
  readonly kind: "Pod" | "PersistentVolumeClaim";
  readonly namespace: string;
  readonly name: string;
}

/** For all StatefulSets in the files, in file order. */
export function madeNames({ objects }: Environment): readonly MadeName[] {
  return objects.flatMap((entry) => {
    const { kind, namespace } = entry.object;
    if (kind !== "StatefulSet") return [];
    const pods = setPodNames(entry.object, madeCountMax);
    const claims = templateNames(entry).flatMap((template) =>
      pods.map((pod) => `${template}-${pod}`),
    );
    return [
      ...pods.map((name) => ({ kind: "Pod", namespace, name }) as const),
      ...claims.map((name) => ({ kind: "PersistentVolumeClaim", namespace, name }) as const),
    ];
  });
}

/** The first pods of a StatefulSet; its claims are called `TEMPLATE-POD`. */
export function setPodNames(set: ManifestObject, countMax: number): readonly string[] {
  const first = firstOrdinal(set);
  return Array.from(
    { length: Math.min(podCountOf(set).count, countMax) },
    (_, index) => `${set.name}-${first + index}`,
  );
}

/** The name that its first pod has or would have. */
export function firstPodName(set: ManifestObject): string {
  return `${set.name}-${firstOrdinal(set)}`;
}

function firstOrdinal({ value }: ManifestObject): number {
  const { start = 0 } = fieldsAt(value, "spec", "ordinals");
  return Number(start);
}
