/** A claim names a StorageClass that is nowhere, and no volume carries the name either. */
import { referencesOf } from "../workspace/references.ts";
import {
  listNames,
  type MissingReference,
  missingReferences,
  nearestName,
  report,
} from "./missing-reference.ts";
import type { EnvironmentContext, EnvironmentRule } from "./rule.ts";

export const pvcClassMissing: EnvironmentRule = {
  id: "pvc-class-missing",
  severity: "information",
  scope: "environment",
  *check(context) {
    const known = context.names.names("StorageClass");
    for (const reference of unknownClasses(context)) {
      if (nearestName(reference.name, known) !== undefined) continue;
      const choice = known.length === 0 ? "" : `; known are ${listNames(known)}`;
      yield report(
        reference,
        `StorageClass “${reference.name}” does not exist; ${waits(reference)}${choice}`,
      );
    }
  },
};

export const pvcClassTypo: EnvironmentRule = {
  id: "pvc-class-typo",
  severity: "warning",
  scope: "environment",
  *check(context) {
    const known = context.names.names("StorageClass");
    for (const reference of unknownClasses(context)) {
      const near = nearestName(reference.name, known);
      if (near === undefined) continue;
      yield report(
        reference,
        `StorageClass “${reference.name}” does not exist; did you mean “${near}”?`,
      );
    }
  },
};

function waits({ from }: MissingReference): string {
  return from.object.kind === "PersistentVolumeClaim"
    ? "the claim stays Pending"
    : "its claims stay Pending";
}

/** A class that volumes carry needs no object: claims find them by the name alone. */
function unknownClasses(context: EnvironmentContext): readonly MissingReference[] {
  if (missingReferences(context, "StorageClass").length === 0) return [];
  const ofVolumes = new Set(
    context.environment.objects
      .filter(({ object }) => object.kind === "PersistentVolume")
      .flatMap(({ object }) => referencesOf(object).filter(({ kind }) => kind === "StorageClass"))
      .map(({ name }) => name),
  );
  return missingReferences(context, "StorageClass").filter(
    (reference) => !ofVolumes.has(reference.name) && !namesVolume(reference),
  );
}

/** A claim that names its volume is bound without a look at the class. */
function namesVolume({ from, path }: MissingReference): boolean {
  const spec = path.slice(0, -1);
  return referencesOf(from.object).some(
    (other) =>
      other.kind === "PersistentVolume" &&
      other.path.length === spec.length + 1 &&
      spec.every((segment, i) => segment === other.path[i]),
  );
}
