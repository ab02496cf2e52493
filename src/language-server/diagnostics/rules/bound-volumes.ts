/** Claims and volumes that are valid by themselves, but fit badly or have no partner. */

import { requestedStorage } from "../../../engine/api/claim-size.ts";
import { type KubeObject, makeRef, refOf } from "../../../engine/api/meta.ts";
import { quantityBytes } from "../../../engine/api/quantity.ts";
import { effectiveClassName } from "../../../engine/api/storage-class-name.ts";
import { podsUsing } from "../../../engine/explain/pods-using.ts";
import { isGood } from "../../../engine/explain/verdict.ts";
import type { Prediction } from "../../prediction/prediction.ts";
import { sourceOf } from "../../prediction/source-of.ts";
import { type Environment, lastWritten } from "../../workspace/environment.ts";
import { isOfOperators } from "../../workspace/objects/operator-claims.ts";
import { referencesOf } from "../../workspace/references.ts";
import { untiedPlacements } from "../facts/untied-placement.ts";
import type { PredictionRule } from "../rule.ts";
import { missedForDefaultClass } from "./pvc-default-class-over-volume.ts";
import { untiedVolume } from "./pvc-volume-untied.ts";

export const pvWastefulMatch: PredictionRule = {
  id: "pv-wasteful-match",
  severity: "information",
  scope: "prediction",
  *check(prediction) {
    for (const claim of prediction.facts.list("PersistentVolumeClaim")) {
      const name = claim.spec.volumeName ?? "";
      const own = lastWritten(prediction.environment, "PersistentVolume", undefined, name);
      const volume = prediction.facts.get("PersistentVolume", undefined, name);
      if (own === undefined || claim.status?.phase !== "Bound") continue;
      const has = volume?.spec.capacity?.["storage"];
      const wanted = requestedStorage(claim);
      if (quantityBytes(has) < 2n * quantityBytes(wanted)) continue;
      const source = sourceOf(prediction, refOf(claim), "spec.resources.requests.storage");
      if (source === undefined) continue;
      yield {
        ...source,
        message: `The claim takes the whole volume “${name}” (${has} for ${wanted})`,
        related: [{ entry: own, path: ["spec", "capacity", "storage"], message: "Its capacity" }],
      };
    }
  },
};

export const pvUnclaimed: PredictionRule = {
  id: "pv-unclaimed",
  severity: "hint",
  scope: "prediction",
  *check(prediction) {
    const looked = lookedAt(prediction);
    const classes = classesOfOperators(prediction.environment);
    for (const volume of prediction.facts.list("PersistentVolume")) {
      if (volume.status?.phase !== "Available" || volume.spec.claimRef !== undefined) continue;
      const source = sourceOf(prediction, refOf(volume));
      const unused = refOf(volume);
      if (source === undefined || looked.has(unused)) continue;
      const { storageClassName = "" } = volume.spec;
      if (classes.has(storageClassName)) continue;
      const message = `No claim in these files gets volume “${volume.metadata.name}”`;
      const unless = [`claim of class ${storageClassName}`] as const;
      yield { ...source, message, unused, unless };
    }
  },
};

/** Classes that operators' objects name: the operators make the claims. */
function classesOfOperators({ objects }: Environment): ReadonlySet<string> {
  const own = objects.filter(({ object }) => isOfOperators(object.apiVersion));
  const named = own.flatMap(({ object }) => referencesOf(object));
  return new Set(named.flatMap(({ kind, name }) => (kind === "StorageClass" ? [name] : [])));
}

/**
 * Volumes that claims have considered, missed or named, and those of the class of a claim that waits for a pod: the finding
 * about the claim explains why it has none.
 */
function lookedAt(prediction: Prediction): ReadonlySet<string> {
  const { verdicts, facts } = prediction;
  const looked = new Set<string>();
  const waitedFor = new Set<string>();
  for (const verdict of verdicts) {
    const claim = facts.objects.get(verdict.ref);
    if (claim?.kind !== "PersistentVolumeClaim") continue;
    const missed = missedForDefaultClass(prediction, claim);
    if (missed !== undefined) looked.add(missed.ref);
    if (isGood(verdict)) {
      const untied = untiedVolume(prediction, claim);
      if (untied !== undefined) looked.add(makeRef("PersistentVolume", "", untied.own.object.name));
      continue;
    }
    for (const { ref } of verdict.candidates) looked.add(ref);
    looked.add(makeRef("PersistentVolume", "", claim.spec.volumeName ?? ""));
    if (claim.spec.volumeName === undefined) waitedFor.add(effectiveClassName(claim));
  }
  for (const { volumeRef } of untiedPlacements(prediction)) looked.add(volumeRef);
  for (const volume of facts.list("PersistentVolume"))
    if (waitedFor.has(volume.spec.storageClassName ?? "")) looked.add(refOf(volume));
  return looked;
}

export const pvcUnused: PredictionRule = {
  id: "pvc-unused",
  severity: "hint",
  scope: "prediction",
  *check(prediction) {
    const named = namedClaims(prediction);
    for (const claim of prediction.facts.list("PersistentVolumeClaim")) {
      const ref = refOf(claim);
      const verdict = prediction.verdictOf.get(ref);
      const entry = prediction.environment.byRef.get(ref)?.at(-1);
      if (entry === undefined || named.has(ref) || podsUsing(prediction.facts, claim).length > 0)
        continue;
      // A problem of the claim itself is already reported.
      if (verdict === undefined || !isGood(verdict)) continue;
      const message = `Claim is not used by these files${meantFor(prediction, claim)}`;
      yield { entry, path: [], message, unused: ref };
    }
  },
};

/** Says if a StatefulSet has a template of the claim's name: its claims are named after template and pod. */
function meantFor(
  { facts }: Prediction,
  { metadata: { namespace, name } }: KubeObject<"PersistentVolumeClaim">,
): string {
  const set = facts
    .list("StatefulSet")
    .find(
      ({ metadata, spec }) =>
        metadata.namespace === namespace &&
        spec.volumeClaimTemplates?.some((template) => template.metadata.name === name),
    );
  if (set === undefined) return "";
  const pods = set.metadata.name;
  const first = `${pods}-${set.spec.ordinals?.start ?? 0}`;
  return `; StatefulSet ${pods} creates its own claims from template “${name}”, and would adopt a claim named “${name}-${first}” for its first pod`;
}

/** Claims that pods, snapshots and other claims name, even if these do not run. */
function namedClaims({ environment }: Prediction): ReadonlySet<string> {
  return new Set(
    environment.objects
      .filter(({ object }) => object.kind !== "PersistentVolume")
      .flatMap(({ object }) => referencesOf(object))
      .filter(({ kind }) => kind === "PersistentVolumeClaim")
      .map(({ namespace, name }) => makeRef("PersistentVolumeClaim", namespace, name)),
  );
}
