/**
 * A claim that waits for its pod, and a manually created volume that only some nodes can reach: if the scheduler chooses
 * another node, a new volume is provisioned, because it does not prefer nodes with existing volumes.
 */
import { push } from "../../../engine/api/go/multi-map.ts";
import { type KubeObject, type Ref, refOf } from "../../../engine/api/meta.ts";
import { mayMissVolume } from "../../../engine/explain/volumes/missable-volume.ts";
import type { Candidate } from "../../../engine/trace/decision.ts";
import type { Prediction } from "../../prediction/prediction.ts";
import { fieldsAt } from "../../workspace/manifest-fields.ts";
import type { WorkspaceObject } from "../../workspace/workspace-object.ts";

type Claim = KubeObject<"PersistentVolumeClaim">;

export interface UntiedPlacement {
  readonly entry: WorkspaceObject;
  readonly volume: WorkspaceObject;
  readonly volumeRef: Ref;
  /** The claim got another volume. */
  readonly isMissed: boolean;
}

/** Leaves out volumes that several claims may get. */
export function untiedPlacements(prediction: Prediction): readonly UntiedPlacement[] {
  const byVolume = new Map<Ref, UntiedPlacement[]>();
  for (const claim of prediction.facts.list("PersistentVolumeClaim"))
    for (const found of placementsOf(prediction, claim)) push(byVolume, found.volumeRef, found);
  return [...byVolume.values()].flatMap((found) => (found.length === 1 ? found : []));
}

function placementsOf(prediction: Prediction, claim: Claim): readonly UntiedPlacement[] {
  const { facts, environment } = prediction;
  const entry = environment.byRef.get(refOf(claim))?.at(-1);
  if (entry === undefined || !isOpen(entry) || claim.status?.phase !== "Bound") return [];
  const isMissed = !environment.byRef.has(`PersistentVolume//${claim.spec.volumeName ?? ""}`);
  const { chosen, candidates = [] } = facts.lastComparison(refOf(claim)) ?? {};
  const refs = isMissed
    ? candidates.filter(waitsOnly).map(({ ref }) => ref)
    : [chosen].flatMap((ref) => ref ?? []);
  return refs.flatMap((volumeRef) => {
    const volume = environment.byRef.get(volumeRef)?.at(-1);
    const object = facts.objects.get(volumeRef);
    if (volume === undefined || object?.kind !== "PersistentVolume") return [];
    if (fieldsAt(volume.object.value, "spec")["claimRef"] !== undefined) return [];
    const isFree = object.status?.phase === "Available";
    return (isMissed ? isFree : mayMissVolume(facts, claim, object))
      ? [{ entry, volume, volumeRef, isMissed }]
      : [];
  });
}

/** True if the claim does not say which volume it wants. */
export function isOpen({ object }: WorkspaceObject): boolean {
  const { volumeName, selector } = fieldsAt(object.value, "spec");
  return volumeName === undefined && selector === undefined;
}

/** True if the binder would have taken the volume, but has left the choice to the scheduler. */
function waitsOnly({ failed }: Candidate): boolean {
  return failed.length === 1 && failed[0]?.rule === "delayed-binding";
}
