/** A claim for which the binder finds no volume, or that names a volume of another claim. */
import { type KubeObject, keyOf, nameOfRef, refOf } from "../../api/meta.ts";
import { claimHasClass, classNameField } from "../../api/storage-class-name.ts";
import { annotation, hasAnnotation } from "../../matching/annotations.ts";
import { claimKeyOf, hasClaimUid, isVolumeBoundToClaim } from "../../matching/claim-reference.ts";
import type { EventEntry } from "../../trace/entry.ts";
import { makeVerdict } from "../make-verdict.ts";
import { ruleWords } from "../rule-words.ts";
import type { RunFacts } from "../run-facts.ts";
import type { Fix, Link, Verdict } from "../verdict.ts";
import { claimOf, volumeOf } from "../volumes/bound-pair.ts";
import { claimFixes, otherVolumeFix } from "./claim-fixes.ts";
import { keptVerdict, ownerOf } from "./kept-volume.ts";

type Claim = KubeObject<"PersistentVolumeClaim">;
type Volume = KubeObject<"PersistentVolume">;

export function takenVolume(facts: RunFacts, claim: Claim, event: EventEntry): Verdict {
  const volume = volumeOf(facts, claim);
  const owner = volume?.spec.claimRef;
  if (volume !== undefined && owner === undefined) {
    const headline = `is Pending until the binder looks again: volume "${volume.metadata.name}" is free now`;
    return makeVerdict(claim, "will-happen", headline, { event });
  }
  const holder = volume && claimOf(facts, volume);
  if (volume !== undefined && isVolumeBoundToClaim(volume, claim)) {
    const headline = `is being bound to volume "${claim.spec.volumeName}"`;
    return makeVerdict(claim, "will-happen", headline, { event });
  }
  if (volume !== undefined && holder !== undefined && holder.metadata.uid === owner?.uid)
    return volumeOfAnother(facts, claim, event, volume, holder);
  const root = { ref: refOf(claim), field: "spec.volumeName" };
  const chain = volume && [belongsTo(volume)];
  const stays = `stays Pending: volume "${claim.spec.volumeName}"`;
  const headline = `${stays} still refers to an earlier claim`;
  // A reservation by name only was visible when the claim was written: the claim is to blame.
  if (volume === undefined || !hasClaimUid(volume)) {
    const why = volume === undefined ? headline : `${stays} is reserved for ${ownerOf(volume)}`;
    const fixes = [otherVolumeFix(facts, claim, "name another volume")];
    return makeVerdict(claim, "stuck", why, { event, root, chain, fixes });
  }
  const ref = refOf(volume);
  const field = claimKeyOf(volume) === keyOf(claim) ? "spec.claimRef.uid" : "spec.claimRef";
  const fix = {
    text: `remove ${field} from the volume, if its data may be reused`,
    at: { ref, field },
    value: null,
  };
  const ofVolume = { ref, field: "spec.claimRef" };
  return makeVerdict(claim, "stuck", headline, { event, root: ofVolume, chain, fixes: [fix] });
}

function belongsTo(volume: Volume): Link {
  return { ref: refOf(volume), text: `belongs to ${ownerOf(volume)}` };
}

/** The verdict on a claim that names a volume which `holder` has. */
function volumeOfAnother(
  facts: RunFacts,
  claim: Claim,
  event: EventEntry,
  volume: Volume,
  holder: Claim,
): Verdict {
  const decision = facts.lastDecision(refOf(claim), "persistentvolume-binder");
  const failed =
    decision?.reason === "VolumeTaken" ? (decision.candidates ?? []).flatMap((c) => c.failed) : [];
  const told = {
    event,
    root: { ref: refOf(claim), field: "spec.volumeName" },
    chain: [belongsTo(volume)],
  };
  const other = otherVolumeFix(facts, claim, "name another volume");
  const [title, name] = [ownerOf(volume), volume.metadata.name];
  if (failed.length > 0) {
    const rules = failed.map(({ rule }) => ruleWords(rule)).join(" and ");
    const headline = `stays Pending: ${title} has volume "${name}", which would not fit either: it fails on ${rules}`;
    return makeVerdict(claim, "stuck", headline, { ...told, decision, fixes: [other] });
  }
  const headline = `stays Pending: ${title} got volume "${name}" first`;
  const fixes = [...reservation(claim, holder, volume), other];
  return makeVerdict(claim, "depends-on-order", headline, { ...told, fixes });
}

/** Advice to reserve the volume, which naming it does not. Empty if the holder named it too: only one of them can get it. */
function reservation(claim: Claim, holder: Claim, volume: Volume): readonly Fix[] {
  const isByChance = [holder, volume].every((one) =>
    hasAnnotation(one, annotation.boundByController),
  );
  const text = `let spec.claimRef of volume "${volume.metadata.name}" name claim ${keyOf(claim)} before any claim is made: naming a volume reserves nothing`;
  return isByChance ? [{ text, at: { ref: refOf(volume), field: "spec.claimRef" } }] : [];
}

export function noVolume(facts: RunFacts, claim: Claim, event: EventEntry): Verdict {
  const decision = facts.lastDecision(refOf(claim), "persistentvolume-binder");
  if (decision?.chosen !== undefined) {
    const headline = `is being bound to volume "${nameOfRef(decision.chosen)}"`;
    return makeVerdict(claim, "will-happen", headline, { decision });
  }
  const named = claimHasClass(claim);
  const count = decision?.candidateCount ?? 0;
  const volumes =
    count === 0
      ? "there is no volume"
      : count === 1
        ? "the one volume does not fit"
        : `none of ${count} volumes fits`;
  const why = named ? 'class "" is never provisioned' : "the cluster has no default class";
  const taken =
    rivalVerdict(facts, claim, event, `and ${why}`) ??
    keptVerdict(facts, claim, event, `and ${why}`);
  if (taken !== undefined) return taken;
  return makeVerdict(claim, "stuck", `stays Pending: ${volumes} and ${why}`, {
    event,
    decision,
    root: { ref: refOf(claim), field: named ? classNameField(claim) : "spec" },
    fixes: claimFixes(facts, claim, decision),
  });
}

/** The verdict on a claim that fits a volume which another claim got first, unreserved; undefined if there is none. */
export function rivalVerdict(
  facts: RunFacts,
  claim: Claim,
  event: EventEntry,
  why: string,
): Verdict | undefined {
  const decision = facts.lastDecision(refOf(claim), "persistentvolume-binder");
  const taken = decision?.candidates?.find(
    ({ failed }) =>
      failed.some(({ rule }) => rule === "claim-ref") &&
      failed.every(({ rule }) => rule === "claim-ref" || rule === "phase"),
  );
  const volume = facts.get("PersistentVolume", undefined, nameOfRef(taken?.ref ?? ""));
  if (volume === undefined) return undefined;
  const owner = claimOf(facts, volume);
  const isFirstCome =
    owner?.metadata.uid === volume.spec.claimRef?.uid &&
    hasAnnotation(volume, annotation.boundByController);
  if (owner === undefined || !isFirstCome || !hasAnnotation(owner, annotation.boundByController))
    return undefined;
  const named = claimHasClass(claim);
  return makeVerdict(
    claim,
    "depends-on-order",
    `stays Pending: claim ${keyOf(owner)} got volume "${volume.metadata.name}" first, ${why}`,
    {
      event,
      decision,
      root: { ref: refOf(claim), field: named ? classNameField(claim) : "spec" },
      chain: [{ ref: refOf(volume), text: `belongs to claim ${keyOf(owner)}` }],
      fixes: [
        { text: `create one more volume like "${volume.metadata.name}"` },
        ...claimFixes(facts, claim, decision),
      ],
    },
  );
}
