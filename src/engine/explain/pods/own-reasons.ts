/** Why nodes refuse a pod, wherever its volumes are, and which field to change. */
import { type KubeObject, makeRef, nameOfRef, refOf } from "../../api/meta.ts";
import type { Candidate, FailedRule } from "../../trace/decision.ts";
import type { Fix, Link, Place } from "../verdict.ts";

type Pod = KubeObject<"Pod">;

export interface NodeRefusal {
  readonly headline: string;
  readonly root: Place;
  readonly chain: readonly Link[];
  readonly fixes: readonly Fix[];
}

/** How many reasons, and names for each, a headline has. */
const reasonCountMax = 3;
const nameCountMax = 3;

/** The reason of each node, grouped by reason; undefined if there are no nodes. */
export function ownReasons(pod: Pod, nodes: readonly Candidate[]): NodeRefusal | undefined {
  const groups = new Map<string, Group>();
  for (const { ref, failed } of nodes) {
    const [rule] = failed;
    if (rule === undefined) continue;
    const key = `${rule.rule} ${rule.claim ?? ""} ${rule.wanted}`;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, { names: [nameOfRef(ref)], rules: [rule] });
    else {
      group.names.push(nameOfRef(ref));
      group.rules.push(rule);
    }
  }
  const [first, ...others] = groups.values();
  if (first === undefined) return undefined;
  return others.length === 0
    ? allForOneReason(pod, first)
    : eachForItsReason(pod, [first, ...others]);
}

/** Nodes that fail the same rule for the same claim and request. */
interface Group {
  readonly names: [string, ...string[]];
  readonly rules: [FailedRule, ...FailedRule[]];
}

function allForOneReason(pod: Pod, { names, rules }: Group): NodeRefusal {
  const [first] = rules;
  const headline = `stays Pending: no node can take it: ${refusalText(rules)}`;
  if (isOfHealth(first)) {
    const root = { ref: makeRef("Node", undefined, names[0]) };
    const text = "bring a node back: Kubernetes takes this taint away when the node is well";
    const chain = [{ ref: root.ref, text: `is ${first.found}` }];
    return { headline, root, chain, fixes: [{ text }] };
  }
  const root = placeOf(pod, first);
  return {
    headline,
    root,
    chain: root.ref === refOf(pod) ? [] : [{ ref: root.ref, text: `asks for ${first.wanted}` }],
    fixes: [...smallerSize(root, rules), ...helpFor(first, root)],
  };
}

/** True if the driver has published no capacity for the node, so that no size fits. */
function saysNoRoom({ rule, wantedField }: FailedRule): boolean {
  return rule === "storage-capacity" && wantedField === "spec.storageClassName";
}

const publishRoom =
  "let the driver publish its capacity there (external-provisioner --enable-capacity), or take storageCapacity from its CSIDriver";

/** The size that fits on every node; empty if the nodes differ or have no room at all. */
function smallerSize(at: Place, [{ found }, ...others]: Group["rules"]): readonly Fix[] {
  const most = /has room for at most (\S+) /.exec(found)?.[1];
  if (most === undefined || /^0\D*$/.test(most) || others.some((rule) => rule.found !== found))
    return [];
  return [{ text: `ask for ${most} at most`, at, value: most }];
}

/** Taints that Kubernetes sets and removes. Upstream: node_lifecycle_controller.go nodeConditionToTaintKeyStatusMap v1.36. */
const taintsOfHealth =
  /^node\.kubernetes\.io\/(not-ready|unreachable|(memory|disk|pid)-pressure|network-unavailable):/;

/** True if the node fails by a taint that Kubernetes removes when the node is healthy. */
export function isOfHealth({ rule, found }: FailedRule): boolean {
  return rule === "taint-toleration" && taintsOfHealth.test(found);
}

function eachForItsReason(pod: Pod, groups: readonly Group[]): NodeRefusal {
  const reasons = groups
    .slice(0, reasonCountMax)
    .map(({ names, rules }) => `${namesText(names)}: ${refusalText(rules)}`);
  const more = groups.length > reasons.length ? ["and more"] : [];
  const headline = `stays Pending: no node can take it (${[...reasons, ...more].join("; ")})`;
  return { headline, root: { ref: refOf(pod), field: "spec" }, chain: [], fixes: [] };
}

function namesText(names: readonly string[]): string {
  const shown = names.slice(0, nameCountMax).join(", ");
  return names.length > nameCountMax ? `${shown} and ${names.length - nameCountMax} more` : shown;
}

const helpful: Readonly<Record<string, string>> = {
  "taint-toleration": "tolerate the taint in spec.tolerations, or take it from a node",
  "storage-capacity": "use a class whose storage has more room",
};

function helpFor(rule: FailedRule, at: Place): readonly Fix[] {
  const text = saysNoRoom(rule) ? publishRoom : (limitHelp(rule) ?? helpful[rule.rule]);
  return text === undefined ? [] : [{ text, at }];
}

/** The field behind the failed rule: in the pod, or in its claim for storage capacity. */
export function placeOf(pod: Pod, { rule, claim, wantedField = "spec" }: FailedRule): Place {
  if (rule === "storage-capacity" && claim !== undefined) return { ref: claim, field: wantedField };
  const isOfVolume =
    rule === "storage-capacity" || rule === "volume-zone" || rule === "volume-exists";
  return { ref: refOf(pod), field: isOfVolume ? "spec" : wantedField };
}

/** Why nodes that fail the same rule refuse the pod; without what each has left, as other pods change that. */
export function refusalText([first, ...others]: readonly [FailedRule, ...FailedRule[]]): string {
  const { rule, wanted, claim = "", volume = "", found } = first;
  switch (rule) {
    case "node-selector":
      return `it asks for ${wanted}`;
    case "taint-toleration":
      return others.every((other) => other.found === found)
        ? `it does not tolerate ${found}`
        : "it does not tolerate their taints";
    case "node-resources":
      return `it asks for ${wanted}, and none has as much free`;
    case "node-schedulable":
      return "the node is cordoned";
    case "volume-limit":
      return tooManyVolumes(first, others);
    case "volume-to-bind":
      return `claim "${nameOfRef(claim)}" gets no volume there`;
    case "volume-node-affinity":
      return `out of reach of its volume "${nameOfRef(volume)}"`;
    case "volume-zone":
      return `it has to be in ${wanted}`;
    case "volume-exists":
      return `its volume "${wanted}" does not exist`;
    case "claim-bound":
      return `claim "${nameOfRef(claim)}" is not bound`;
    case "pod-affinity":
    case "pod-anti-affinity":
      return `it has to be ${wanted}`;
    case "existing-pod-anti-affinity":
      return "a pod there has to be away from it";
    case "topology-spread":
      return `its spread asks for a ${wanted}, and would have a ${found}`;
    case "topology-label":
      return `its spread needs ${wanted}, which is not there`;
    case "host-port":
      return `host port ${wanted} is ${found}`;
    case "storage-capacity":
      return others.every((other) => other.found === found)
        ? found
        : `it asks for ${wanted}, and none has as much room`;
    case "claim-usable":
      return found;
    default:
      return `it wants ${wanted}`;
  }
}

/** How many volumes the pod needs, with the limit of the nodes' CSINodes if it is the same on all. */
function tooManyVolumes(rule: FailedRule, others: readonly FailedRule[]): string {
  const { count, driver, limit } = limitIn(rule);
  const isSame = others.every((other) => limitIn(other).limit === limit);
  const needs = `it needs ${count} more volume${count === "1" ? "" : "s"} of ${driver}`;
  if (!isSame) return `${needs}, and no node may have so many`;
  return `${needs}, and a node may have ${limit === "0" ? "none" : `no more than ${limit}`}`;
}

function limitIn({
  wanted,
  found,
}: FailedRule): Readonly<Record<"count" | "driver" | "limit", string>> {
  const [count = "", driver = ""] = wanted.split(" more of ");
  return { count, driver, limit: found.split(" at most ")[1] ?? "" };
}

/** If the pod needs more volumes than an empty node may have, more nodes of the same kind do not help. */
function limitHelp(rule: FailedRule): string | undefined {
  if (rule.rule !== "volume-limit") return undefined;
  const { count, driver, limit } = limitIn(rule);
  return Number(count) > Number(limit)
    ? `give the pod fewer volumes of ${driver}, or the cluster nodes that may have as many`
    : "spread the pods over more nodes, or let them share volumes";
}

/** Fixes that let a node take the pod after all, which reaches the volume by being in `place`. */
export function reachFixes(near: FailedRule, place: string, at: Place): readonly Fix[] {
  switch (near.rule) {
    case "node-schedulable":
      return [{ text: "kubectl uncordon the node, or have the volume elsewhere" }];
    case "node-selector":
      return [{ text: `let the pod run where its volume is: ${place}`, at }];
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
      return helpFor(near, at);
  }
}
