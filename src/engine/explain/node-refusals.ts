/** Why no node takes a pod because of its volumes: none to bind anywhere, or the nodes that reach it refuse the pod. */
import { type KubeObject, refOf } from "../api/meta.ts";
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

/** Undefined where volumes are not what it is about. */
export function nodeRefusal(
  facts: RunFacts,
  pod: Pod,
  decision: Decision | undefined,
): NodeRefusal | undefined {
  const candidates = decision?.candidates ?? [];
  const rules = candidates.flatMap(({ failed }) => failed);
  if (rules.length === 0) return undefined;
  return nothingToBind(facts, rules) ?? outOfReach(facts, pod, rules);
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
  const why =
    first?.found.includes("allowedTopologies") === true
      ? "may make none on these nodes"
      : "makes none itself";
  return {
    headline: `stays Pending: claim "${claim.metadata.name}" gets no volume on any node: ${volumes}, and class "${name}" ${why}`,
    root: { ref, field: nearest?.wantedField ?? "spec.storageClassName" },
    chain: [{ ref, text: "has no volume" }],
    fixes: [
      ...nearMissFixes(claim, candidates),
      { text: `make a volume of class "${name}" that fits, on a node where the pod may run` },
    ],
  };
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
  if (near === undefined) {
    return {
      headline: `stays Pending: no node reaches volume "${name}" (${far.found})`,
      root: hasAnnotation(volume, annotation.provisionedBy)
        ? { ref: refOf(pod), field: "spec" }
        : { ref, field: "spec.nodeAffinity" },
      chain,
      fixes: [],
    };
  }
  const root = { ref: refOf(pod), field: near.wantedField ?? "spec" };
  return {
    headline: `stays Pending: volume "${name}" is reachable where ${far.found}, where the pod may not run (${near.rule}: ${near.wanted})`,
    root,
    chain,
    fixes: reachFixes(near, far, root),
  };
}

function reachFixes(near: FailedRule, far: FailedRule, at: Place): readonly Fix[] {
  switch (near.rule) {
    case "node-selector":
      return [{ text: `let the pod run where its volume is: ${far.found}`, at }];
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
