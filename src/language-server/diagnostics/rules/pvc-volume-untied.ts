/** A claim and a volume have the same name, but the claim gets, or may get, another volume. */

import { type KubeObject, makeRef, type Ref, refOf } from "../../../engine/api/meta.ts";
import { quantityBytes } from "../../../engine/api/quantity.ts";
import type { Candidate } from "../../../engine/trace/decision.ts";
import type { Prediction } from "../../prediction/prediction.ts";
import { fieldsAt } from "../../workspace/manifest-fields.ts";
import type { WorkspaceObject } from "../../workspace/workspace-object.ts";
import { nameFor } from "../facts/telling-name.ts";
import { isOpen, untiedPlacements } from "../facts/untied-placement.ts";
import type { PredictionRule } from "../rule.ts";

export const pvcVolumeUntied: PredictionRule = {
  id: "pvc-volume-untied",
  severity: "warning",
  scope: "prediction",
  *check(prediction) {
    const told = new Set<WorkspaceObject>();
    for (const claim of prediction.facts.list("PersistentVolumeClaim")) {
      const untied = untiedVolume(prediction, claim);
      if (untied === undefined) continue;
      const { entry, own, other, isTaken } = untied;
      told.add(entry);
      const path = ["spec", "volumeName"];
      const [name, others] = [own.object.name, other.object.name];
      yield {
        entry,
        path,
        message: isTaken
          ? `The claim gets volume “${others}”, because nothing ties it to “${name}”`
          : `Nothing ties the claim to volume “${name}”; it may get “${others}” as well`,
        related: [
          { entry: own, path: [], message: "The volume of the claim's name" },
          { entry: other, path: [], message: "The other one" },
        ],
        fix: { title: `Set volumeName to ${name}`, path, value: name },
      };
    }
    for (const { entry, volume, isMissed } of untiedPlacements(prediction)) {
      if (told.has(entry)) continue;
      const path = ["spec", "volumeName"];
      const { name } = volume.object;
      yield {
        entry,
        path,
        message: isMissed
          ? `The claim gets a new volume, because its pod runs on a node that cannot reach volume “${name}”, and nothing ties the claim to that one`
          : `Nothing ties the claim to volume “${name}”: it gets another one if its pod is scheduled to a node that cannot reach that one`,
        related: [{ entry: volume, path: ["spec", "nodeAffinity"], message: "What reaches it" }],
        fix: { title: `Set volumeName to ${name}`, path, value: name },
      };
    }
  },
};

interface UntiedVolume {
  readonly entry: WorkspaceObject;
  readonly own: WorkspaceObject;
  readonly other: WorkspaceObject;
  /** The claim gets the other volume. */
  readonly isTaken: boolean;
}

/** Undefined for claims of templates: there are many of these, and any volume will do. */
export function untiedVolume(
  prediction: Prediction,
  claim: KubeObject<"PersistentVolumeClaim">,
): UntiedVolume | undefined {
  const { byRef } = prediction.environment;
  const entry = byRef.get(refOf(claim))?.at(-1);
  const kept = prediction.facts.lastComparison(refOf(claim));
  if (entry === undefined || kept?.chosen === undefined || !isOpen(entry)) return undefined;
  const volumes = [kept.chosen, ...(kept.candidates ?? []).filter(fits).map(({ ref }) => ref)];
  const [chosen, ...others] = volumes.flatMap((ref) => freeVolume(prediction, ref) ?? []);
  if (chosen === undefined || refOf(chosen.volume) !== kept.chosen) return undefined;
  const name = nameFor(entry.object.name);
  const isOwn = ({ volume }: FreeVolume): boolean => nameFor(volume.metadata.name) === name;
  if (name === "") return undefined;
  if (isOwn(chosen)) {
    const other = others.find((one) => !isOwn(one) && sizeOf(one) <= sizeOf(chosen));
    return other && { entry, own: chosen.entry, other: other.entry, isTaken: false };
  }
  const own = others.find(isOwn);
  return own && { entry, own: own.entry, other: chosen.entry, isTaken: true };
}

/** True if the volume would have been chosen, were it not for another volume or claim that came first. */
function fits({ failed }: Candidate): boolean {
  return failed.every(
    ({ rule }) =>
      rule === "equal-volume-first" || rule === "smaller-volume-first" || rule === "claim-ref",
  );
}

interface FreeVolume {
  readonly entry: WorkspaceObject;
  readonly volume: KubeObject<"PersistentVolume">;
}

/** The volume, if neither itself nor the claim that has it now was tied by its manifest. */
function freeVolume(
  { environment: { byRef }, facts }: Prediction,
  ref: Ref,
): FreeVolume | undefined {
  const entry = byRef.get(ref)?.at(-1);
  const volume = facts.objects.get(ref);
  if (entry === undefined || volume?.kind !== "PersistentVolume") return undefined;
  if (fieldsAt(entry.object.value, "spec")["claimRef"] !== undefined) return undefined;
  const { namespace, name = "" } = volume.spec.claimRef ?? {};
  const holder = byRef.get(makeRef("PersistentVolumeClaim", namespace, name))?.at(-1);
  return holder !== undefined && !isOpen(holder) ? undefined : { entry, volume };
}

function sizeOf({ volume }: FreeVolume): bigint {
  return quantityBytes(volume.spec.capacity?.["storage"]);
}
