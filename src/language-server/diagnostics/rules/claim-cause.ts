/**
 * Why a claim stays Pending, by what the engine says. Causes with a rule of their own are reported under its id, the rest under
 * claim-stays-pending, so that each cause is reported once.
 */
import { type Kind, makeRef, nameOfRef } from "../../../engine/api/meta.ts";
import { parseQuantity } from "../../../engine/api/quantity.ts";
import { effectiveClassName } from "../../../engine/api/storage-class-name.ts";
import type { Verdict } from "../../../engine/explain/verdict.ts";
import { noProvisioner } from "../../../engine/matching/csi-migration.ts";
import type { Candidate, FailedRule } from "../../../engine/trace/decision.ts";
import type { Prediction } from "../../prediction/prediction.ts";
import { sourceOf } from "../../prediction/source-of.ts";
import type { Environment } from "../../workspace/environment.ts";
import { templatePlaceOf } from "../../workspace/field-place.ts";
import { textAt } from "../../workspace/manifest-fields.ts";
import { referencesOf } from "../../workspace/references.ts";
import type { WorkspaceObject } from "../../workspace/workspace-object.ts";
import { vainReservations } from "../facts/reserved-volume.ts";
import { namesClass } from "../outcome-basis.ts";
import { isKind, nearestText, outcomeRule } from "../predicted-outcome.ts";
import type { ObjectReport, PredictionRule, Severity } from "../rule.ts";

/** What the binder appends to `Cannot bind to requested volume "x": `. */
const mismatches: readonly (readonly [string, string])[] = [
  ["requested PV is too small", "pvc-volumename-size"],
  ["volumeAttributesClassName does not match", "pvc-volumename-vac"],
  ["storageClassName does not match", "pvc-volumename-class"],
  ["incompatible volumeMode", "pvc-volumename-mode"],
  ["incompatible accessMode", "pvc-volumename-access"],
];

/** The provisioner's messages about a data source. */
const sourceErrors: readonly (readonly [RegExp, string])[] = [
  [
    /must be greater than or equal in size|is less than the size \d+ for the source/,
    "datasource-size",
  ],
  [/same volume mode for cloning|modifies the mode of the source volume/, "datasource-volume-mode"],
];

const causes: readonly (readonly [string, Severity, misses?: Kind])[] = [
  ["pvc-volumename-class", "error"],
  ["pvc-volumename-size", "error"],
  ["pvc-volumename-mode", "error"],
  ["pvc-volumename-access", "error"],
  ["pvc-volumename-vac", "error"],
  ["pvc-volumename-claimed", "error"],
  ["pvc-volumename-duplicate", "error"],
  ["pvc-class-absent-no-default", "information", "StorageClass"],
  ["pvc-class-empty", "information"],
  ["pvc-no-candidate", "warning"],
  ["pv-claim-too-small", "warning"],
  ["pv-decimal-vs-binary", "warning"],
  ["pvc-selector-no-match", "information", "PersistentVolume"],
  ["pvc-selector-dynamic", "error"],
  ["provisioner-none-dynamic", "warning"],
  ["datasource-size", "error"],
  ["datasource-volume-mode", "error"],
];

export const claimCauseRules: readonly PredictionRule[] = causes.map(([id, severity, misses]) => {
  const rule = outcomeRule(
    id,
    severity,
    (verdict, prediction) => claimCause(verdict, prediction) === id,
    (verdict, prediction) => {
      // If somebody has named the cluster, it has only the classes of its profile.
      const { profileFrom } = prediction;
      const isNamed = profileFrom !== "guess" && profileFrom !== "default";
      if (id === "pvc-volumename-class" && !namesClass(verdict.ref, prediction) && !isNamed)
        return "information";
      return id === "pvc-class-absent-no-default" && isNamed ? "warning" : severity;
    },
    nearestText,
  );
  return {
    ...rule,
    misses,
    *check(prediction) {
      for (const report of rule.check(prediction))
        if (id === "pvc-class-empty") yield withTemplate(report);
        else if (id === "pv-decimal-vs-binary") yield withVolumes(report);
        else yield withOtherEnd(id, report, prediction);
    },
  };
});

/** A chart that writes an empty value to get the default class must leave the field out instead. */
function withTemplate(report: ObjectReport): ObjectReport {
  const { entry, path, message } = report;
  const place = templatePlaceOf(entry, path);
  const text = place?.file.manifest.text.slice(place.start, place.end) ?? "";
  if (!text.includes("{{")) return report;
  const advice =
    "The template writes the field even if its value is empty: `{{- with … }}` around its line leaves it out, for the default class";
  return { ...report, message: `${message}\n${advice}` };
}

/** The finding also covers what is odd about the volume's size. */
function withVolumes(report: ObjectReport): ObjectReport {
  const { related = [] } = report;
  return { ...report, explains: related.flatMap(({ entry }) => entry.object.ref ?? []) };
}

/** The field of the named volume that conflicts with the claim. */
const otherEnds: ReadonlyMap<string, string> = new Map([
  ["pvc-volumename-class", "spec.storageClassName"],
  ["pvc-volumename-size", "spec.capacity.storage"],
  ["pvc-volumename-mode", "spec.volumeMode"],
  ["pvc-volumename-access", "spec.accessModes"],
  ["pvc-volumename-claimed", "spec.claimRef"],
]);

/** Adds the conflicting field of the volume, if a file has it. */
function withOtherEnd(id: string, report: ObjectReport, prediction: Prediction): ObjectReport {
  const field = otherEnds.get(id);
  const name = textAt(report.entry.object.value, "spec", "volumeName");
  if (field === undefined || name === undefined) return report;
  const source = sourceOf(prediction, makeRef("PersistentVolume", undefined, name), field);
  if (source === undefined) return report;
  const message = `${field} of volume “${name}”`;
  return { ...report, related: [...(report.related ?? []), { ...source, message }] };
}

/** The id of the rule for the claim's cause; undefined if claim-stays-pending reports it. */
export function claimCause(verdict: Verdict, prediction: Prediction): string | undefined {
  if (!isKind(verdict, "PersistentVolumeClaim")) return undefined;
  const { ref, reason, message = "", root } = verdict;
  const isReserved = reason !== "VolumeMismatch" && vainReservations(prediction).claims.has(ref);
  if (isReserved) return "pv-claimref-incompatible";
  switch (reason) {
    case "VolumeMismatch":
      return mismatches.find(([text]) => message.endsWith(text))?.[1];
    case "FailedBinding":
      if (message.includes("already bound to a different claim"))
        return takenVolume(verdict, prediction);
      if (root?.field === "spec") return "pvc-class-absent-no-default";
      return verdict.candidateCount === 0
        ? "pvc-class-empty"
        : nearMiss(verdict.candidates[0], verdict);
    case "ProvisioningFailed":
      if (message.includes("claim Selector is not supported")) return "pvc-selector-dynamic";
      if (isOfNoClass(verdict, prediction)) return missOfSameClass(verdict);
      if (!isOfNoProvisioner(verdict, prediction))
        return sourceErrors.find(([pattern]) => pattern.test(message))?.[1];
      return verdict.candidateCount === 0
        ? "provisioner-none-dynamic"
        : nearMiss(verdict.candidates[0], verdict);
    default:
      return undefined;
  }
}

/** The rule for a volume that several claims name, or whose claimRef names another claim; undefined for other causes. */
function takenVolume({ ref, kind }: Verdict, prediction: Prediction): string | undefined {
  const entry = prediction.environment.byRef.get(ref)?.at(-1);
  const wanted = entry === undefined ? undefined : volumeNameOf(entry);
  if (kind !== "depends-on-order") {
    const { name, namespace } =
      prediction.facts.get("PersistentVolume", undefined, wanted ?? "")?.spec.claimRef ?? {};
    // The claimRef has the uid of an earlier claim with this name, which is the volume's problem.
    return makeRef("PersistentVolumeClaim", namespace, name ?? "") === ref
      ? undefined
      : "pvc-volumename-claimed";
  }
  const count = wanted === undefined ? 0 : (namedVolumes(prediction).get(wanted) ?? 0);
  return count > 1 ? "pvc-volumename-duplicate" : undefined;
}

function volumeNameOf({ object }: WorkspaceObject): string | undefined {
  return referencesOf(object).find(({ kind }) => kind === "PersistentVolume")?.name;
}

/** How many claims name each volume. */
function namedVolumes({ environment }: Prediction): ReadonlyMap<string, number> {
  const known = recent.get(environment);
  if (known !== undefined) return known;
  const counts = new Map<string, number>();
  for (const entry of environment.objects) {
    if (entry.object.kind !== "PersistentVolumeClaim") continue;
    const name = volumeNameOf(entry);
    if (name !== undefined) counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  recent.set(environment, counts);
  return counts;
}

const recent = new WeakMap<Environment, ReadonlyMap<string, number>>();

function isOfNoProvisioner({ chain }: Verdict, { facts }: Prediction): boolean {
  const ref = chain.find((link) => link.ref.startsWith("StorageClass/"))?.ref;
  const provisioner =
    ref === undefined
      ? undefined
      : facts.get("StorageClass", undefined, nameOfRef(ref))?.provisioner;
  return provisioner === noProvisioner;
}

/**
 * True if the claim's class has no StorageClass: volumes and claims may share a mere name. Upstream: pv_controller.go
 * provisionClaim, v1.36.
 */
export function isOfNoClass({ ref, reason }: Verdict, { facts }: Prediction): boolean {
  const claim = facts.objects.get(ref);
  if (reason !== "ProvisioningFailed" || claim?.kind !== "PersistentVolumeClaim") return false;
  return facts.get("StorageClass", undefined, effectiveClassName(claim)) === undefined;
}

function missOfSameClass(verdict: Verdict): string | undefined {
  const near = verdict.candidates.find(
    ({ failed }) => failed.length === 1 && failed[0]?.rule !== "storage-class",
  );
  return near === undefined ? undefined : nearMiss(near, verdict);
}

/** The rule for what is wrong with the nearest volume. */
function nearMiss(nearest: Candidate | undefined, { candidateCount }: Verdict): string {
  const failed = nearest?.failed ?? [];
  const [only] = failed;
  if (only === undefined || failed.length > 1) return "pvc-no-candidate";
  if (only.rule === "selector") return "pvc-selector-no-match";
  if (only.rule !== "capacity") return "pvc-no-candidate";
  if (mixesUnits(only)) return "pv-decimal-vs-binary";
  return candidateCount === 1 ? "pv-claim-too-small" : "pvc-no-candidate";
}

/** True for 10G where 10Gi is wanted: with the same suffix the volume would fit. */
function mixesUnits({ wanted, found }: FailedRule): boolean {
  if (!wanted.endsWith("i") || found.endsWith("i")) return false;
  const [ask, offer] = [parseQuantity(wanted), parseQuantity(`${found}i`)];
  return ask !== undefined && offer !== undefined && offer.nanos >= ask.nanos;
}
