/** A pod whose claim gets no volume on the nodes where the pod may run: none fits there, and none is made. */
import { type KubeObject, nameOfRef, refOf } from "../../api/meta.ts";
import { topologyTermsMatch } from "../../api/selection/node-selector.ts";
import { effectiveClassName } from "../../api/storage-class-name.ts";
import type { Candidate, FailedRule } from "../../trace/decision.ts";
import { nearMissFixes, onlyFailure } from "../claims/claim-fixes.ts";
import { wrongPlaces } from "../claims/class-places.ts";
import type { RunFacts } from "../run-facts.ts";
import type { Fix, Link, Place } from "../verdict.ts";
import {
  nameNodes,
  nodeThatReaches,
  refusalThere,
  type Whereabouts,
  whereaboutsOf,
} from "./out-of-reach.ts";
import type { NodeRefusal } from "./own-reasons.ts";

type Pod = KubeObject<"Pod">;
type Claim = KubeObject<"PersistentVolumeClaim">;

/** The reason why the claim gets no volume; undefined if something else keeps the pod from the nodes. */
export function nothingToBind(
  facts: RunFacts,
  pod: Pod,
  nodes: readonly Candidate[],
): NodeRefusal | undefined {
  const lack = nodes.flatMap(({ failed }) => failed).find(lacksVolume);
  const claim = facts.objects.get(lack?.claim ?? "");
  if (lack === undefined || claim?.kind !== "PersistentVolumeClaim") return undefined;
  const isShort = (rule: FailedRule) => lacksVolume(rule) && rule.claim === lack.claim;
  const others = nodes.filter(({ failed }) => !failed.every(isShort));
  return others.length === 0
    ? nowhere(facts, claim, lack)
    : onlyElsewhere(facts, pod, claim, others, lack);
}

function lacksVolume({ rule, found }: FailedRule): boolean {
  return rule === "volume-to-bind" && found.startsWith("no volume that fits");
}

function isLimited({ found }: FailedRule): boolean {
  return found.includes("allowedTopologies");
}

/** The claim could have a volume on nodes that other reasons keep the pod away from. */
function onlyElsewhere(
  facts: RunFacts,
  pod: Pod,
  claim: Claim,
  others: readonly Candidate[],
  lack: FailedRule,
): NodeRefusal | undefined {
  const ref = refOf(claim);
  const places = fitting(facts, claim).map((volume) =>
    whereaboutsOf(volume, `fits claim "${claim.metadata.name}", but is reachable`),
  );
  const made = isLimited(lack) ? whereMade(facts, claim) : [];
  for (const place of [...places, ...made]) {
    const chain = [{ ref, text: "has no volume where the pod may run" }];
    const refusal = refusalThere(facts, pod, others, place, chain);
    if (refusal !== undefined) return refusal;
  }
  return undefined;
}

/** The volumes that only their node affinity keeps from the claim, nearest misses first. */
function fitting(facts: RunFacts, claim: Claim): readonly KubeObject<"PersistentVolume">[] {
  return candidatesFor(facts, claim)
    .filter(({ failed }) => failed.length === 1 && failed[0]?.rule === "node-affinity")
    .flatMap(({ ref }) => facts.get("PersistentVolume", undefined, nameOfRef(ref)) ?? []);
}

function candidatesFor(facts: RunFacts, claim: Claim): readonly Candidate[] {
  return facts.lastDecision(refOf(claim), "kube-scheduler")?.candidates ?? [];
}

function whereMade(facts: RunFacts, claim: Claim): readonly Whereabouts[] {
  const name = effectiveClassName(claim);
  const terms = facts.get("StorageClass", undefined, name)?.allowedTopologies ?? [];
  const place = terms
    .map(({ matchLabelExpressions = [] }) =>
      matchLabelExpressions
        .map(({ key, values }) => `${key} in (${values.join(", ")})`)
        .join(" and "),
    )
    .join(" or ");
  const isPart: Whereabouts["isPart"] = (labels) => topologyTermsMatch(terms, labels);
  return [{ what: `class "${name}" makes volumes`, place, isPart }];
}

/** No node has a volume for the claim. */
function nowhere(facts: RunFacts, claim: Claim, lack: FailedRule): NodeRefusal {
  const name = effectiveClassName(claim);
  const why = isLimited(lack) ? "may provision none on these nodes" : "provisions none";
  const lost = fitting(facts, claim).find((v) => nodeThatReaches(facts, v) === undefined);
  const { volumes, root, links, fixes } =
    lost === undefined ? unfitting(facts, claim, lack) : unreachable(lost);
  const made = `create a volume of class "${name}" that fits, on a node where the pod may run`;
  return {
    headline: `stays Pending: claim "${claim.metadata.name}" gets no volume on any node: ${volumes}, and class "${name}" ${why}`,
    root,
    chain: [{ ref: refOf(claim), text: "has no volume" }, ...links],
    fixes: [...fixes, { text: made }],
  };
}

interface Shortage {
  /** A clause about the existing volumes. */
  readonly volumes: string;
  readonly root: Place;
  readonly links: readonly Link[];
  readonly fixes: readonly Fix[];
}

function unreachable(volume: KubeObject<"PersistentVolume">): Shortage {
  const { place } = whereaboutsOf(volume);
  const fix = nameNodes(volume);
  return {
    volumes: `no node reaches "${volume.metadata.name}" (${place}), which fits`,
    root: fix.at,
    links: [{ ref: fix.at.ref, text: `fits, and is reachable where ${place}` }],
    fixes: [fix],
  };
}

/** Every volume fails a rule besides node affinity, even on nodes that reach it: otherwise it would have been bound. */
function unfitting(facts: RunFacts, claim: Claim, lack: FailedRule): Shortage {
  const name = effectiveClassName(claim);
  const candidates = candidatesFor(facts, claim).map(
    ({ ref, failed }): Candidate => ({
      ref,
      failed: failed.filter(({ rule }) => rule !== "node-affinity"),
    }),
  );
  const ofClass = candidates.filter(
    ({ failed }) => !failed.some(({ rule }) => rule === "storage-class"),
  );
  const nearest = onlyFailure(ofClass);
  const volumes =
    ofClass.length === 0 ? `there is no volume of class "${name}"` : "no volume of its class fits";
  const storageClass = facts.get("StorageClass", undefined, name);
  if (isLimited(lack) && nearest === undefined && storageClass !== undefined) {
    const { root, fixes } = wrongPlaces(facts, storageClass);
    return {
      volumes,
      root,
      links: [{ ref: root.ref, text: "limits where its volumes are provisioned" }],
      fixes,
    };
  }
  return {
    volumes,
    root: { ref: refOf(claim), field: nearest?.wantedField ?? "spec.storageClassName" },
    links: [],
    fixes: nearMissFixes(claim, candidates),
  };
}
