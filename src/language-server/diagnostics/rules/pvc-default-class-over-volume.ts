/** A claim without a class is given the default one, and with it a new volume instead of the one that was made for it. */
import { type KubeObject, type Ref, refOf } from "../../../engine/api/meta.ts";
import { betaStorageClassAnnotation } from "../../../engine/api/storage-class-name.ts";
import type { Candidate } from "../../../engine/trace/decision.ts";
import type { Prediction } from "../../prediction/prediction.ts";
import { type Source, sourceOf } from "../../prediction/source-of.ts";
import { fieldsAt } from "../../workspace/manifest-fields.ts";
import type { PredictionRule } from "../rule.ts";

export const pvcDefaultClassOverVolume: PredictionRule = {
  id: "pvc-default-class-over-volume",
  severity: "warning",
  scope: "prediction",
  *check(prediction) {
    for (const claim of prediction.facts.list("PersistentVolumeClaim")) {
      // That it does not get the volume that it names is told at the name.
      if (prediction.verdictOf.get(refOf(claim))?.reason === "VolumeMismatch") continue;
      const missed = missedForDefaultClass(prediction, claim);
      if (missed === undefined) continue;
      const { source, volume, className } = missed;
      const has = className === "" ? "has no class" : `has class “${className}”`;
      yield {
        ...source,
        message: `Class “${claim.spec.storageClassName}” will be filled in at creation, so the claim never gets volume “${volume.entry.object.name}”, which ${has}`,
        related: [{ ...volume, message: "The volume that nobody gets" }],
        fix: {
          title: `Set storageClassName to ${className === "" ? '""' : className}`,
          path: source.path,
          value: className,
        },
      };
    }
  },
};

interface MissedVolume {
  /** Where the claim's class is not written. */
  readonly source: Source;
  readonly ref: Ref;
  readonly volume: Source;
  readonly className: string;
}

/**
 * The volume of these files that nobody gets and that the claim would have got, had it named the volume's class. Undefined for
 * claims of templates: they come in numbers, and a volume by hand is seldom meant for them.
 */
export function missedForDefaultClass(
  prediction: Prediction,
  claim: KubeObject<"PersistentVolumeClaim">,
): MissedVolume | undefined {
  if ((claim.spec.storageClassName ?? "") === "") return undefined;
  const source = sourceOf(prediction, refOf(claim), "spec.storageClassName");
  if (source?.entry.object.kind !== claim.kind || namesClass(source)) return undefined;
  for (const candidate of prediction.facts.lastComparison(refOf(claim))?.candidates ?? []) {
    const { ref } = candidate;
    const className = classThatIsMissing(candidate);
    const object = prediction.facts.objects.get(ref);
    if (className === undefined || object?.kind !== "PersistentVolume") continue;
    if (object.status?.phase !== "Available" || object.spec.claimRef !== undefined) continue;
    const volume = sourceOf(prediction, ref);
    if (volume !== undefined) return { source, ref, volume, className };
  }
  return undefined;
}

function namesClass({ entry: { object } }: Source): boolean {
  return (
    fieldsAt(object.value, "spec")["storageClassName"] !== undefined ||
    fieldsAt(object.value, "metadata", "annotations")[betaStorageClassAnnotation] !== undefined
  );
}

/** That the class waits for a pod is the class's doing too. */
function classThatIsMissing({ failed }: Candidate): string | undefined {
  const [rule, ...others] = failed.filter((failure) => failure.rule !== "delayed-binding");
  return rule?.rule === "storage-class" && others.length === 0 ? rule.found : undefined;
}
