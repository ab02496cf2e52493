/** Which workload would make the pod that a claim waits for. No counterpart upstream: the binder knows pods only. */
import { controllerOf, type KubeObject, keyOf, type Ref, refOf } from "../../api/meta.ts";
import { isFinished } from "../../matching/finished-job.ts";
import type { EventEntry } from "../../trace/entry.ts";
import { exceededQuota } from "../exceeded-quota.ts";
import { makeVerdict, type VerdictParts } from "../make-verdict.ts";
import { failedCreate } from "../pods/failed-create.ts";
import { heldBackJob } from "../pods/held-back.ts";
import { neverDue } from "../pods/never-due.ts";
import { refusedFix, refusedText, titleOf } from "../refused-object.ts";
import { onceOf, type RunFacts } from "../run-facts.ts";
import type { Fix, Link, Place, Verdict } from "../verdict.ts";
import { type Maker, makersUsing } from "../workloads-using.ts";

type Claim = KubeObject<"PersistentVolumeClaim">;

/** The next pod that uses a claim: which workload makes it, or why none does. */
export interface AwaitedConsumer {
  readonly kind: "will-happen" | "waits-for-you";
  /** The workload that makes it; for "waits-for-you" what is missing: `a pod of Deployment "web", which has no replicas`. */
  readonly text: string;
  readonly parts: VerdictParts;
}

/** The verdict on a claim that waits for its first consumer and that no pod uses; `event` is the binder's. */
export function unusedClaim(facts: RunFacts, claim: Claim, event: EventEntry): Verdict {
  const { kind, text, parts } = awaitedConsumer(facts, claim);
  const headline =
    kind === "will-happen" ? `is Pending until ${text} makes its next pod` : `waits for ${text}`;
  return makeVerdict(claim, kind, headline, { event, ...parts });
}

/** The workload whose next pod uses the claim, or what has to be done first; for claims that no pod uses. */
export function awaitedConsumer(facts: RunFacts, claim: Claim): AwaitedConsumer {
  const makers = makersUsing(facts, keyOf(claim));
  const chainTo = (maker: Maker): readonly Link[] => [
    { ref: refOf(maker), text: "has pods that use the claim" },
  ];
  for (const maker of makers) {
    const failed = failedCreate(facts, refOf(maker));
    if (failed === undefined) continue;
    return waitsFor(`a pod of ${titleOf(refOf(maker))}, which cannot make it`, {
      chain: chainTo(maker),
      root: { ref: refOf(maker) },
      ...exceededQuota(claim.metadata.namespace, failed.message),
    });
  }
  const free = makers.filter((candidate) => controllerOf(candidate) === undefined);
  const maker = free.find((candidate) => heldBack(facts, candidate) === undefined) ?? free[0];
  const refused = refusedUsersOf(facts).get(refOf(claim));
  if (maker === undefined && refused !== undefined)
    return waitsFor(`${titleOf(refused)}, which the API server refuses`, {
      chain: [{ ref: refused, text: refusedText }],
      root: { ref: refused },
      fixes: [refusedFix(refused)],
    });
  if (maker === undefined)
    return waitsFor("a pod that uses it; none does", {
      fixes: [{ text: "create a pod that mounts the claim" }],
    });
  const held = heldBack(facts, maker);
  const [text, chain] = [titleOf(refOf(maker)), chainTo(maker)];
  if (held === undefined) return { kind: "will-happen", text, parts: { chain } };
  const { root, fixes } = held;
  return waitsFor(`a pod of ${text}, ${held.why}`, { chain, root, fixes });
}

function waitsFor(text: string, parts: VerdictParts): AwaitedConsumer {
  return { kind: "waits-for-you", text, parts };
}

/** From each claim to a refused pod or workload that would use it. */
const refusedUsersOf = onceOf((facts): ReadonlyMap<Ref, Ref> => {
  const users = new Map<Ref, Ref>();
  for (const { ref, claims = [] } of facts.refused.values())
    for (const claim of claims) users.set(claim, ref);
  return users;
});

interface HeldBack {
  readonly why: string;
  readonly root?: Place;
  readonly fixes: readonly Fix[];
}

/** What keeps a workload from making pods; undefined if nothing does. */
function heldBack(facts: RunFacts, maker: Maker): HeldBack | undefined {
  const fix = (text: string, field: string, value: number | null): readonly Fix[] => [
    { text, at: { ref: refOf(maker), field }, value },
  ];
  switch (maker.kind) {
    case "CronJob":
      if (maker.spec.suspend === true)
        return {
          why: "which is suspended",
          fixes: fix("set spec.suspend to false, or leave it out", "spec.suspend", null),
        };
      return neverDue(facts, maker) === undefined
        ? undefined
        : {
            why: "whose schedule never matches",
            root: { ref: refOf(maker), field: "spec.schedule" },
            fixes: [{ text: "correct its schedule" }],
          };
    case "Job": {
      if (isFinished(maker))
        return {
          why: "which has finished",
          fixes: [{ text: "recreate the Job, or create another pod that mounts the claim" }],
        };
      const held = heldBackJob(maker);
      return held?.kind === "waits-for-you"
        ? { why: `which ${held.headline}`, fixes: held.fixes }
        : undefined;
    }
    case "DaemonSet":
      return (maker.status?.desiredNumberScheduled ?? 0) > 0
        ? undefined
        : {
            why: "for which there is no node",
            root: { ref: refOf(maker), field: "spec.template.spec" },
            fixes: [
              {
                text: "change its pods' node selector, affinity or tolerations so that they fit a node",
              },
            ],
          };
    default: {
      if ((maker.spec.replicas ?? 1) > 0) return undefined;
      return {
        why: "which has no replicas",
        fixes: fix(`scale ${titleOf(refOf(maker))} to one`, "spec.replicas", 1),
      };
    }
  }
}
