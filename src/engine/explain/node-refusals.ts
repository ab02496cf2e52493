/** Why no node takes a pod: none has a volume to bind, those that reach its volume refuse it, or all for the same reason. */
import { type KubeObject, makeRef, refOf } from "../api/meta.ts";
import { effectiveClassName } from "../api/storage-class-name.ts";
import { annotation, hasAnnotation } from "../matching/annotations.ts";
import type { Candidate, Decision, FailedRule } from "../trace/decision.ts";
import { nearMissFixes } from "./fixes.ts";
import type { RunFacts } from "./run-facts.ts";
import type { Fix, Link, Place } from "./verdict.ts";

type Pod = KubeObject<"Pod">;

export interface NodeRefusal {
  readonly headline: string;
  readonly root: Place;
  readonly chain: readonly Link[];
  readonly fixes: readonly Fix[];
}

/** Undefined where the nodes have nothing in common. */
export function nodeRefusal(
  facts: RunFacts,
  pod: Pod,
  decision: Decision | undefined,
): NodeRefusal | undefined {
  const candidates = decision?.candidates ?? [];
  const rules = candidates.flatMap(({ failed }) => failed);
  if (rules.length === 0) return undefined;
  return (
    nothingToBind(facts, rules) ?? outOfReach(facts, pod, rules) ?? allForOneReason(pod, rules)
  );
}

function nothingToBind(facts: RunFacts, rules: readonly FailedRule[]): NodeRefusal | undefined {
  const [first] = rules;
  const isAlone = rules.every(
    ({ rule, wanted, found }) =>
      rule === "volume-to-bind" &&
      wanted === first?.wanted &&
      found.startsWith("no volume that fits"),
  );
  const claim = facts.objects.get(first?.wanted ?? "");
  if (!isAlone || claim?.kind !== "PersistentVolumeClaim") return undefined;
  const ref = refOf(claim);
  const decision = facts.lastDecision(ref, "kube-scheduler");
  // Each volume fails something on the nodes that reach it too: else it would have been bound there.
  const candidates = (decision?.candidates ?? []).map(
    (candidate): Candidate => ({
      ref: candidate.ref,
      failed: candidate.failed.filter(({ rule }) => rule !== "node-affinity"),
    }),
  );
  const ofClass = candidates.filter(
    ({ failed }) => !failed.some((f) => f.rule === "storage-class"),
  );
  const nearest = ofClass.find(({ failed }) => failed.length === 1)?.failed[0];
  const name = effectiveClassName(claim);
  const volumes =
    ofClass.length === 0 ? `there is no volume of class "${name}"` : "no volume of its class fits";
  const isExcluded = first?.found.includes("allowedTopologies") === true;
  const why = isExcluded ? "may make none on these nodes" : "makes none itself";
  const headline = `stays Pending: claim "${claim.metadata.name}" gets no volume on any node: ${volumes}, and class "${name}" ${why}`;
  const chain = [{ ref, text: "has no volume" }];
  const made = {
    text: `make a volume of class "${name}" that fits, on a node where the pod may run`,
  };
  if (isExcluded && nearest === undefined) {
    const at = { ref: makeRef("StorageClass", undefined, name), field: "allowedTopologies" };
    const text = `let allowedTopologies of class "${name}" name a place that nodes have`;
    const limit = { ref: at.ref, text: "limits where its volumes are made" };
    return { headline, root: at, chain: [...chain, limit], fixes: [{ text, at }, made] };
  }
  const root = { ref, field: nearest?.wantedField ?? "spec.storageClassName" };
  return { headline, root, chain, fixes: [...nearMissFixes(claim, candidates), made] };
}

/** The claim's volume is reachable from some nodes only, and those refuse the pod for reasons of their own. */
function outOfReach(
  facts: RunFacts,
  pod: Pod,
  rules: readonly FailedRule[],
): NodeRefusal | undefined {
  const far = rules.find(({ rule }) => rule === "volume-node-affinity");
  const [claimRef = "", name = ""] = far?.wanted.split(" on ") ?? [];
  const volume = facts.get("PersistentVolume", undefined, name);
  if (far === undefined || volume === undefined) return undefined;
  const near = rules.find(({ rule }) => rule !== "volume-node-affinity");
  const ref = refOf(volume);
  const chain = [
    { ref: claimRef, text: `is bound to volume "${name}"` },
    { ref, text: `is reachable where ${far.found}` },
  ];
  if (near === undefined) return farFromAll(facts, pod, rules, chain);
  const root = placeOf(pod, near);
  return {
    headline: `stays Pending: volume "${name}" is reachable where ${far.found}, where the pod may not run: ${refusalText([near])}`,
    root,
    chain,
    fixes: reachFixes(near, far, root),
  };
}

/** Each node is far from one of the pod's volumes: from the only one, or from one of several that lie apart. */
function farFromAll(
  facts: RunFacts,
  pod: Pod,
  rules: readonly FailedRule[],
  chain: readonly Link[],
): NodeRefusal {
  const volumes = new Map(rules.map(({ wanted, found }) => [wanted.split(" on ")[1] ?? "", found]));
  const known = [...volumes.keys()].flatMap(
    (name) => facts.get("PersistentVolume", undefined, name) ?? [],
  );
  const places = [...volumes].map(([name, place]) => `"${name}" (${place})`).join(" and ");
  const headline =
    volumes.size === 1
      ? `stays Pending: no node reaches volume ${places}`
      : `stays Pending: no node reaches both ${places}`;
  const [first] = known;
  if (first !== undefined && !hasAnnotation(first, annotation.provisionedBy)) {
    const root = { ref: refOf(first), field: "spec.nodeAffinity" };
    return { headline, root, chain, fixes: [] };
  }
  const hasty = known
    .map((volume) => facts.get("StorageClass", undefined, effectiveClassName(volume)))
    .find((storageClass) => storageClass?.volumeBindingMode === "Immediate");
  if (volumes.size === 1 || hasty === undefined)
    return { headline, root: { ref: refOf(pod), field: "spec" }, chain, fixes: [] };
  const at = { ref: refOf(hasty), field: "volumeBindingMode" };
  const value = "WaitForFirstConsumer";
  const text = `set volumeBindingMode of class "${hasty.metadata.name}" to ${value}: the volumes are then made where the pod runs`;
  const haste = { ref: at.ref, text: "places each volume before the pod" };
  return { headline, root: at, chain: [...chain, haste], fixes: [{ text, at, value }] };
}

/** Every node says the same. */
function allForOneReason(pod: Pod, rules: readonly FailedRule[]): NodeRefusal | undefined {
  const [first] = rules;
  const isAlone = rules.every(
    ({ rule, wanted }) => rule === first?.rule && wanted === first.wanted,
  );
  if (first === undefined || !isAlone) return undefined;
  const root = placeOf(pod, first);
  const text = helpful[first.rule];
  return {
    headline: `stays Pending: no node can take it: ${refusalText([first, ...rules.slice(1)])}`,
    root,
    chain: root.ref === refOf(pod) ? [] : [{ ref: root.ref, text: `asks for ${first.wanted}` }],
    fixes: text === undefined ? [] : [{ text, at: root }],
  };
}

const helpful: Readonly<Record<string, string>> = {
  "taint-toleration": "tolerate the taint in spec.tolerations, or take it from a node",
  "volume-limit": "spread the pods over more nodes, or let them share volumes",
  "storage-capacity": "ask for less, or use a class whose storage has more room",
};

/** Where the rule's wish stands: in the pod, but for what its volumes want. */
function placeOf(pod: Pod, { rule, wanted, wantedField = "spec" }: FailedRule): Place {
  const [, claim] = wanted.split(" for ");
  if (rule === "storage-capacity" && claim !== undefined) return { ref: claim, field: wantedField };
  const isOfVolume =
    rule === "storage-capacity" || rule === "volume-zone" || rule === "volume-exists";
  return { ref: refOf(pod), field: isOfVolume ? "spec" : wantedField };
}

/** What nodes that fail the same rule have against the pod; not how much each has left, which others change. */
function refusalText([first, ...others]: readonly [FailedRule, ...FailedRule[]]): string {
  const { rule, wanted, found } = first;
  switch (rule) {
    case "node-selector":
      return `it asks for ${wanted}`;
    case "taint-toleration":
      return others.every((other) => other.found === found)
        ? `it does not tolerate ${found}`
        : "it does not tolerate their taints";
    case "node-resources":
      return `it asks for ${wanted}, and none has as much free`;
    case "volume-limit":
      return `it needs ${wanted}, and none may have as many volumes`;
    case "storage-capacity":
      return found;
    default:
      return `${rule}: wanted ${wanted}`;
  }
}

function reachFixes(near: FailedRule, far: FailedRule, at: Place): readonly Fix[] {
  switch (near.rule) {
    case "node-selector":
      return [{ text: `let the pod run where its volume is: ${far.found}`, at }];
    case "taint-toleration":
      return [{ text: `tolerate ${near.found} in spec.tolerations`, at }];
    case "pod-anti-affinity":
      return [
        {
          text: "give each pod a volume of its own (volumeClaimTemplates of a StatefulSet), or share one that several nodes reach",
          at,
        },
      ];
    default:
      return [];
  }
}
