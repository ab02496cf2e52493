/** A claim that would have its volume, were it not Released: kept for a claim that is gone. */
import { type KubeObject, keyOf, nameOfRef, refOf } from "../api/meta.ts";
import type { EventEntry } from "../trace/trace.ts";
import { makeVerdict } from "./make-verdict.ts";
import type { RunFacts } from "./run-facts.ts";
import type { Fix, Verdict } from "./verdict.ts";

/** `why` says what else keeps the claim from a volume. Undefined where no volume fails for this alone. */
export function releasedVerdict(
  facts: RunFacts,
  claim: KubeObject<"PersistentVolumeClaim">,
  event: EventEntry,
  why: string,
): Verdict | undefined {
  const decision = facts.lastDecision(refOf(claim), "persistentvolume-binder");
  const volumes = (decision?.candidates ?? [])
    .filter(({ failed }) => failed.every(({ rule }) => rule === "claim-ref" || rule === "phase"))
    .map(({ ref }) => facts.get("PersistentVolume", undefined, nameOfRef(ref)));
  const volume = volumes.find((candidate) => candidate?.status?.phase === "Released");
  if (volume === undefined) return undefined;
  const { name } = volume.metadata;
  const { claimRef } = volume.spec;
  const isSameName = `${claimRef?.namespace}/${claimRef?.name}` === keyOf(claim);
  const owner = isSameName
    ? "an earlier claim of this name"
    : `claim ${claimRef?.namespace}/${claimRef?.name}, which is gone`;
  return makeVerdict(
    claim,
    "stuck",
    `stays Pending: volume "${name}" fits, but is Released and kept for ${owner}, ${why}`,
    {
      event,
      decision,
      root: { ref: refOf(volume), field: "spec.claimRef" },
      chain: [{ ref: refOf(volume), text: "is Released" }],
      fixes: releasedFixes(volume),
    },
  );
}

/** The two ways to use a Released volume again. */
export function releasedFixes(volume: KubeObject<"PersistentVolume">): readonly Fix[] {
  const ref = refOf(volume);
  return [
    {
      text: "remove spec.claimRef to offer it to any claim",
      at: { ref, field: "spec.claimRef" },
      value: null,
    },
    {
      text: "or remove spec.claimRef.uid to keep it for a claim of the same name",
      at: { ref, field: "spec.claimRef.uid" },
      value: null,
    },
  ];
}
