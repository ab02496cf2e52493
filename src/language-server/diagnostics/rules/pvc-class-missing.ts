/** A claim names a StorageClass that does not exist, and no volume carries the name, either. */

import { betaStorageClassAnnotation } from "../../../engine/api/storage-class-name.ts";
import { customaryClass } from "../../../engine/csi/catalogue/customary-classes.ts";
import { shipperOf } from "../../../engine/profiles/assume-cluster.ts";
import { knownClasses } from "../../names/known-classes.ts";
import { firstPodName } from "../../names/made-names.ts";
import { writableNames } from "../../names/names-in-cluster.ts";
import { nearestObjectName } from "../../nearest-name.ts";
import { predictedFor } from "../../prediction/cluster-title.ts";
import { isOfOperators } from "../../workspace/objects/operator-claims.ts";
import { referencesOf } from "../../workspace/references.ts";
import { valueAt } from "../../yaml/manifest.ts";
import { claimIndex } from "../facts/claim-facts.ts";
import { withWaitingPods } from "../facts/waiting-pods.ts";
import {
  isBoundInCluster,
  listNames,
  type MissingReference,
  missingReferences,
  report,
} from "../missing-reference.ts";
import type { EnvironmentContext, EnvironmentRule, ObjectReport } from "../rule.ts";

export const pvcClassMissing: EnvironmentRule = {
  id: "pvc-class-missing",
  severity: "information",
  scope: "environment",
  explainsOutcome: true,
  misses: "StorageClass",
  *check(context) {
    for (const { reference, near } of unknownClasses(context)) {
      if (near !== undefined || isTemplate(reference)) continue;
      yield withWaitingPods(context, missingClass(context, reference, waits(reference)));
    }
  },
};

export const stsTemplateClassMissing: EnvironmentRule = {
  id: "sts-template-class-missing",
  severity: "information",
  scope: "environment",
  explainsOutcome: "of-field",
  misses: "StorageClass",
  *check(context) {
    for (const { reference, near } of unknownClasses(context)) {
      if (near !== undefined || !isTemplate(reference)) continue;
      const first = firstPodName(reference.from.object);
      yield missingClass(context, reference, `the claims of Pods ${first}… stay Pending`);
    }
  },
};

export const pvcClassTypo: EnvironmentRule = {
  id: "pvc-class-typo",
  severity: "warning",
  scope: "environment",
  explainsOutcome: true,
  misses: "StorageClass",
  *check(context) {
    for (const { reference, near } of unknownClasses(context)) {
      if (near === undefined) continue;
      const message = `StorageClass “${reference.name}” does not exist`;
      yield withWaitingPods(context, report(reference, message, near));
    }
  },
};

function missingClass(
  context: EnvironmentContext,
  reference: MissingReference,
  consequence: string,
): ObjectReport {
  const known = knownClasses(context, "StorageClass");
  const choice = known.length === 0 ? "" : `; known are ${listNames(known)}`;
  const whose = shipperText(reference.name);
  const found = report(
    reference,
    `StorageClass “${reference.name}” does not exist; ${consequence}${choice}${whose}`,
  );
  const { cluster, profileFrom } = context;
  if (profileFrom !== "default") return found;
  return { ...found, message: `${found.message}\n${predictedFor(cluster, profileFrom)}` };
}

/** Who ships a class of this name, so that it exists there; "" if nobody is known for it. */
function shipperText(name: string): string {
  const ofProfile = shipperOf(name);
  if (ofProfile !== undefined) {
    const { title, profile, driver } = ofProfile;
    return `; ${title} (profile “${profile}”) has a class of this name, with driver “${driver}”`;
  }
  const { shipper, driver } = customaryClass(name) ?? {};
  if (driver === undefined) return "";
  return shipper === undefined
    ? `; classes of driver “${driver}” are often named so`
    : `; ${shipper} has a class of this name, with driver “${driver}”`;
}

function isTemplate({ from, path }: MissingReference): boolean {
  return from.object.kind === "StatefulSet" && path[1] === "volumeClaimTemplates";
}

function waits({ from }: MissingReference): string {
  if (isOfOperators(from.object.apiVersion)) return "claims of it stay Pending";
  return from.object.kind === "PersistentVolumeClaim"
    ? "the claim stays Pending"
    : "its claims stay Pending";
}

interface UnknownClass {
  readonly reference: MissingReference;
  /** A similar name of an existing class, or one that volumes carry. */
  readonly near: string | undefined;
}

function unknownClasses(context: EnvironmentContext): readonly UnknownClass[] {
  const known = recent.get(context) ?? findUnknown(context);
  recent.set(context, known);
  return known;
}

// Cached because three rules need it.
const recent = new WeakMap<EnvironmentContext, readonly UnknownClass[]>();

/** If volumes carry the class name, no StorageClass is needed: claims find the volumes by the name alone. */
function findUnknown(context: EnvironmentContext): readonly UnknownClass[] {
  // pvc-immutable-change reports a changed class of a bound claim.
  const missing = missingReferences(context, "StorageClass").filter(
    (reference) =>
      !namesVolume(reference) &&
      !isOverruled(reference) &&
      !isReserved(context, reference) &&
      !isBoundInCluster(context, reference.from) &&
      !context.names.isCarriedClass(reference.name),
  );
  if (missing.length === 0) return [];
  const there = [...writableNames(context, "StorageClass"), ...context.names.carriedClasses()];
  return missing.map((reference) => ({
    reference,
    near: nearestObjectName(reference.name, there),
  }));
}

/** True for the field beside the beta annotation, which takes precedence (pvc-beta-annotation-wins). */
function isOverruled({ path, from }: MissingReference): boolean {
  if (path.at(-1) !== "storageClassName") return false;
  const annotations = [...path.slice(0, -2), "metadata", "annotations"];
  return valueAt(from.object.value, [...annotations, betaStorageClassAnnotation]) !== undefined;
}

/**
 * True if a volume is reserved for the claim: the two are bound whatever their classes. Upstream: component-helpers
 * storage/volume/pv_helpers.go FindMatchingVolume v1.36.
 */
function isReserved(context: EnvironmentContext, { from: { object } }: MissingReference): boolean {
  if (object.kind !== "PersistentVolumeClaim") return false;
  return claimIndex(context).find(object.namespace, object.name)?.volume !== undefined;
}

/** True if the claim names its volume: it is then bound without looking up the class. */
function namesVolume({ from, path }: MissingReference): boolean {
  const spec = path.slice(0, -1);
  return referencesOf(from.object).some(
    (other) =>
      other.kind === "PersistentVolume" &&
      other.path.length === spec.length + 1 &&
      spec.every((segment, i) => segment === other.path[i]),
  );
}
