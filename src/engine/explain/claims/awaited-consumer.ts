/** Who would make the pod that a claim waits for, with no counterpart upstream: the binder knows of pods only. */
import { controllerOf, type KubeObject, keyOf, type Ref, refOf } from "../../api/meta.ts";
import type { EventEntry } from "../../trace/entry.ts";
import { exceededQuota } from "../exceeded-quota.ts";
import { makeVerdict } from "../make-verdict.ts";
import { failedCreate } from "../pods/failed-create.ts";
import { refusedFix, refusedText, titleOf } from "../refused-object.ts";
import { onceOf, type RunFacts } from "../run-facts.ts";
import type { Fix, Link, Verdict } from "../verdict.ts";
import { type Maker, makersUsing } from "../workloads-using.ts";

type Claim = KubeObject<"PersistentVolumeClaim">;

/** Of a claim of a class with WaitForFirstConsumer that no pod uses; `event` is the binder's. */
export function unusedClaim(facts: RunFacts, claim: Claim, event: EventEntry): Verdict {
  const makers = makersUsing(facts, keyOf(claim));
  const chainTo = (maker: Maker): readonly Link[] => [
    { ref: refOf(maker), text: "has pods that use the claim" },
  ];
  for (const maker of makers) {
    const failed = failedCreate(facts, refOf(maker));
    if (failed === undefined) continue;
    const headline = `waits for a pod of ${titleOf(refOf(maker))}, which cannot make it`;
    return makeVerdict(claim, "waits-for-you", headline, {
      event,
      chain: chainTo(maker),
      root: { ref: refOf(maker) },
      ...exceededQuota(claim.metadata.namespace, failed.message),
    });
  }
  const maker = makers.find((candidate) => controllerOf(candidate) === undefined);
  const refused = refusedUsersOf(facts).get(refOf(claim));
  if (maker === undefined && refused !== undefined) return waitsForRefused(claim, event, refused);
  if (maker === undefined)
    return makeVerdict(claim, "waits-for-you", "waits for a pod that uses it; none does", {
      event,
      fixes: [{ text: "make a pod that mounts the claim" }],
    });
  const held = heldBack(maker);
  const chain = chainTo(maker);
  if (held === undefined)
    return makeVerdict(
      claim,
      "will-happen",
      `is Pending until ${titleOf(refOf(maker))} makes its next pod`,
      { event, chain },
    );
  const headline = `waits for a pod of ${titleOf(refOf(maker))}, ${held.why}`;
  return makeVerdict(claim, "waits-for-you", headline, { event, chain, fixes: held.fixes });
}

function waitsForRefused(claim: Claim, event: EventEntry, ref: Ref): Verdict {
  const headline = `waits for ${titleOf(ref)}, which the API server refuses`;
  return makeVerdict(claim, "waits-for-you", headline, {
    event,
    chain: [{ ref, text: refusedText }],
    root: { ref },
    fixes: [refusedFix(ref)],
  });
}

/** By claim: what would have pods with it, and was refused. */
const refusedUsersOf = onceOf((facts): ReadonlyMap<Ref, Ref> => {
  const users = new Map<Ref, Ref>();
  for (const { ref, claims = [] } of facts.refused.values())
    for (const claim of claims) users.set(claim, ref);
  return users;
});

interface HeldBack {
  readonly why: string;
  readonly fixes: readonly Fix[];
}

/** What keeps a workload from making pods; undefined where nothing does. */
function heldBack(maker: Maker): HeldBack | undefined {
  const fix = (text: string, field: string, value: string | null): readonly Fix[] => [
    { text, at: { ref: refOf(maker), field }, value },
  ];
  switch (maker.kind) {
    case "CronJob":
    case "Job":
      if (maker.spec.suspend !== true) return undefined;
      return {
        why: "which is suspended",
        fixes: fix("set spec.suspend to false, or leave it out", "spec.suspend", null),
      };
    case "DaemonSet":
      return (maker.status?.desiredNumberScheduled ?? 0) > 0
        ? undefined
        : { why: "for which there is no node", fixes: [] };
    default: {
      if ((maker.spec.replicas ?? 1) > 0) return undefined;
      return {
        why: "which has no replicas",
        fixes: fix(`scale ${titleOf(refOf(maker))} to one`, "spec.replicas", "1"),
      };
    }
  }
}
