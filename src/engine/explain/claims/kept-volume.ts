/** A claim that would get a volume if that were not kept for another claim: reserved for it, or left behind by it. */
import { type KubeObject, keyOf, nameOfRef, refOf } from "../../api/meta.ts";
import type { EventEntry } from "../../trace/entry.ts";
import { makeVerdict } from "../make-verdict.ts";
import type { RunFacts } from "../run-facts.ts";
import type { Fix, Verdict } from "../verdict.ts";
import { claimOf } from "../volumes/bound-pair.ts";

type Claim = KubeObject<"PersistentVolumeClaim">;
type Volume = KubeObject<"PersistentVolume">;

/** `why` says what else keeps the claim from a volume. Undefined if no volume fails for this reason alone. */
export function keptVerdict(
  facts: RunFacts,
  claim: Claim,
  event: EventEntry,
  why: string,
): Verdict | undefined {
  const decision = facts.lastDecision(refOf(claim), "persistentvolume-binder");
  const volumes = (decision?.candidates ?? [])
    .filter(({ failed }) => failed.every(({ rule }) => rule === "claim-ref" || rule === "phase"))
    .flatMap(({ ref }) => facts.get("PersistentVolume", undefined, nameOfRef(ref)) ?? []);
  const left = volumes.find(isLeftBehind);
  const volume = left ?? volumes.find(({ spec }) => spec.claimRef !== undefined);
  if (volume === undefined) return undefined;
  const state = left === undefined ? reserved(facts, claim, volume) : kept(claim, volume);
  const headline = `stays Pending: volume "${volume.metadata.name}" fits, but is ${state.text}, ${why}`;
  return makeVerdict(claim, "stuck", headline, { event, decision, ...state });
}

interface State extends Pick<Verdict, "fixes" | "chain"> {
  readonly text: string;
  readonly root: NonNullable<Verdict["root"]>;
}

/** True if the volume's claim is gone; the phase is Failed if deleting or recycling the volume failed then. */
export function isLeftBehind({ status }: Volume): boolean {
  return status?.phase === "Released" || status?.phase === "Failed";
}

function kept(claim: Claim, volume: Volume): State {
  const { claimRef } = volume.spec;
  const phase = volume.status?.phase;
  const isSameName = `${claimRef?.namespace}/${claimRef?.name}` === keyOf(claim);
  const owner = isSameName ? "an earlier claim of this name" : `${ownerOf(volume)}, which is gone`;
  return {
    text: `${phase} and kept for ${owner}`,
    root: { ref: refOf(volume), field: "spec.claimRef" },
    chain: [{ ref: refOf(volume), text: `is ${phase}` }],
    fixes: releasedFixes(volume, isSameName),
  };
}

function reserved(facts: RunFacts, claim: Claim, volume: Volume): State {
  const owner = ownerOf(volume);
  const rival = claimOf(facts, volume);
  const whyNot = rival === undefined ? "does not exist" : otherVolumeOf(rival, volume);
  const { name } = volume.metadata;
  const at = { ref: refOf(volume), field: "spec.claimRef" };
  const fixes =
    whyNot === undefined
      ? [{ text: `create one more volume like "${name}"` }]
      : reservedAnew(claim, volume);
  const field = claim.spec.storageClassName === undefined ? "spec" : "spec.storageClassName";
  return {
    text: `reserved for ${owner}${whyNot === undefined ? "" : `, which ${whyNot}`}`,
    root: { ref: refOf(claim), field },
    chain: [{ ref: at.ref, text: `is reserved for ${owner}` }],
    fixes,
  };
}

/** Says which other volume the claim has or names; undefined if it may still get the one reserved for it. */
export function otherVolumeOf({ spec, status }: Claim, { metadata }: Volume): string | undefined {
  const { volumeName = "" } = spec;
  if (volumeName === "" || volumeName === metadata.name) return undefined;
  return `${status?.phase === "Bound" ? "has" : "names"} volume "${volumeName}"`;
}

/** Fixes that reserve the volume for this claim, or for none. */
function reservedAnew(claim: Claim, volume: Volume): readonly Fix[] {
  const ref = refOf(volume);
  const { name } = volume.metadata;
  const text = `let spec.claimRef of volume "${name}" name claim ${keyOf(claim)}`;
  const isNear = volume.spec.claimRef?.namespace === claim.metadata.namespace;
  return [
    isNear
      ? { text, at: { ref, field: "spec.claimRef.name" }, value: claim.metadata.name }
      : { text, at: { ref, field: "spec.claimRef" } },
    {
      text: `remove spec.claimRef of volume "${name}": any claim may have it then`,
      at: { ref, field: "spec.claimRef" },
      value: null,
    },
  ];
}

/** Names the claim of a volume's claimRef, which may be incomplete. */
export function ownerOf({ spec: { claimRef } }: Volume): string {
  const { namespace = "", name = "" } = claimRef ?? {};
  if (name === "") return "a claim without name";
  return namespace === "" ? "a claim without namespace" : `claim ${namespace}/${name}`;
}

/** The two ways to reuse a volume whose claim is gone; keeping it comes first if a claim of the same name exists. */
export function releasedFixes(volume: Volume, hasNamesake: boolean): readonly Fix[] {
  const ref = refOf(volume);
  const offer = {
    text: "remove spec.claimRef to offer it, with its data, to any claim",
    at: { ref, field: "spec.claimRef" },
    value: null,
  };
  const keep = {
    text: "remove spec.claimRef.uid to keep it for a claim of the same name",
    at: { ref, field: "spec.claimRef.uid" },
    value: null,
  };
  return hasNamesake ? [keep, offer] : [offer, keep];
}
