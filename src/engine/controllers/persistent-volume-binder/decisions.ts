/** Records in the trace why a claim got its volume, or none. `explain/` reads it there. */
import { makeRef, type Ref, refOf } from "../../api/meta.ts";
import type { PersistentVolume, PersistentVolumeClaim } from "../../api/types.ts";
import type { MatchRequest } from "../../matching/match-request.ts";
import { nearMisses } from "../../matching/near-misses.ts";
import type { Unsuitable } from "../../matching/requested-volume.ts";
import type { Candidate, Decision } from "../../trace/decision.ts";
import type { Binder } from "./binder.ts";

/** Records that a volume matched. */
export function decideMatched(
  binder: Binder,
  request: MatchRequest,
  chosen: PersistentVolume,
): void {
  const { inventory } = binder.volumes;
  binder.context.decide(refOf(request.claim), {
    reason: "Matched",
    chosen: refOf(chosen),
    candidates: nearMisses(inventory, request, chosen),
    candidateCount: inventory.count,
    ...because(request.className),
  });
}

/** Records that no volume matched; `reason` says what happens instead. */
export function decideUnmatched(
  binder: Binder,
  request: MatchRequest,
  candidates: readonly Candidate[],
  reason: string,
  text?: string,
): void {
  binder.context.decide(refOf(request.claim), {
    reason,
    candidates,
    candidateCount: binder.volumes.inventory.count,
    ...because(request.className),
    ...(text !== undefined && { text }),
  });
}

/** Records what was decided about a claim that names its volume. */
export function decideRequested(
  binder: Binder,
  claim: PersistentVolumeClaim,
  decision: {
    readonly reason: string;
    readonly text?: string;
    readonly unsuitable?: Unsuitable | undefined;
  },
): void {
  const volume = makeRef("PersistentVolume", undefined, claim.spec.volumeName ?? "");
  const { reason, text, unsuitable } = decision;
  const kept: Decision =
    unsuitable === undefined
      ? { reason, because: [volume], ...(text !== undefined && { text }) }
      : {
          reason,
          candidates: [{ ref: volume, failed: unsuitable.failed }],
          candidateCount: 1,
          text: text ?? unsuitable.why,
        };
  binder.context.decide(refOf(claim), kept);
}

/** Records what happens to a volume that its claim has left. */
export function decideVolume(
  binder: Binder,
  volume: PersistentVolume,
  reason: string,
  text?: string,
): void {
  binder.context.decide(refOf(volume), { reason, ...(text !== undefined && { text }) });
}

function because(className: string): { readonly because?: readonly Ref[] } {
  return className === "" ? {} : { because: [makeRef("StorageClass", undefined, className)] };
}
