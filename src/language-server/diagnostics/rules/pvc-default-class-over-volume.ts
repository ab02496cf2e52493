/** A claim without a class gets the default class, and thus a new volume instead of the one that was made for it. */

import { type KubeObject, type Ref, refOf } from "../../../engine/api/meta.ts";
import type { Candidate } from "../../../engine/trace/decision.ts";
import type { Prediction } from "../../prediction/prediction.ts";
import { type Source, sourceOf } from "../../prediction/source-of.ts";
import { writtenClass } from "../../workspace/objects/written-class.ts";
import { nameFor } from "../facts/telling-name.ts";
import type { PredictionRule } from "../rule.ts";

export const pvcDefaultClassOverVolume: PredictionRule = {
  id: "pvc-default-class-over-volume",
  severity: "warning",
  scope: "prediction",
  *check(prediction) {
    for (const claim of prediction.facts.list("PersistentVolumeClaim")) {
      // A finding at spec.volumeName says that the claim does not get that volume.
      if (prediction.verdictOf.get(refOf(claim))?.reason === "VolumeMismatch") continue;
      const missed = missedForDefaultClass(prediction, claim);
      if (missed === undefined) continue;
      const { source, volume, className, others } = missed;
      const has = className === "" ? "has no class" : `has class “${className}”`;
      const fails = others.map(
        ({ rule, wanted, found }) => ` and fails on ${rule} too (wanted ${wanted}, has ${found})`,
      );
      yield {
        ...source,
        message: `Class “${claim.spec.storageClassName}” will be filled in at creation, so the claim never gets volume “${volume.entry.object.name}”, which ${has}${fails.join("")}`,
        related: [{ ...volume, message: "The volume that no claim gets" }],
        ...(others.length === 0 && {
          fix: {
            title: `Set storageClassName to ${className === "" ? '""' : className}`,
            path: source.path,
            value: className,
          },
        }),
      };
    }
  },
};

interface MissedVolume {
  /** Place of the missing storageClassName. */
  readonly source: Source;
  readonly ref: Ref;
  readonly volume: Source;
  readonly className: string;
  /** Other rules that keep the volume from the claim. */
  readonly others: Candidate["failed"];
}

/**
 * The unbound volume in files that the claim would have got if it had named the volume's class; else one with the claim's name
 * that does not fit for other reasons, too. Undefined for claims of templates: there are many of these, and a manually created
 * volume is rarely meant for them.
 */
export function missedForDefaultClass(
  prediction: Prediction,
  claim: KubeObject<"PersistentVolumeClaim">,
): MissedVolume | undefined {
  if ((claim.spec.storageClassName ?? "") === "") return undefined;
  const source = sourceOf(prediction, refOf(claim), "spec.storageClassName");
  if (source?.entry.object.kind !== claim.kind) return undefined;
  if (writtenClass(source.entry.object.value) !== undefined) return undefined;
  const candidates = prediction.facts.lastComparison(refOf(claim))?.candidates ?? [];
  const missed = candidates.flatMap((candidate): MissedVolume[] => {
    const { ref } = candidate;
    const { className, others } = classThatIsMissing(candidate);
    const object = prediction.facts.objects.get(ref);
    if (className === undefined || object?.kind !== "PersistentVolume") return [];
    if (object.status?.phase !== "Available" || object.spec.claimRef !== undefined) return [];
    const volume = sourceOf(prediction, ref);
    const isMeant = others.length === 0 || isCalledAlike(object, claim);
    return volume === undefined || !isMeant ? [] : [{ source, ref, volume, className, others }];
  });
  return missed.find(({ others }) => others.length === 0) ?? missed[0];
}

function isCalledAlike(volume: KubeObject, claim: KubeObject): boolean {
  const name = nameFor(claim.metadata.name);
  return name !== "" && nameFor(volume.metadata.name) === name;
}

/** Delayed binding is also due to the class. */
function classThatIsMissing({ failed }: Candidate): {
  readonly className: string | undefined;
  readonly others: Candidate["failed"];
} {
  const others = failed.filter(
    ({ rule }) => rule !== "delayed-binding" && rule !== "storage-class",
  );
  return { className: failed.find(({ rule }) => rule === "storage-class")?.found, others };
}
