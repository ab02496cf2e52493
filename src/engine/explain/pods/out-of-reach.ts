/** A pod whose volume is reachable only from nodes that refuse the pod, or from no node. */
import { controllerOf, type KubeObject, nameOfRef, refOf } from "../../api/meta.ts";
import type { Labels } from "../../api/selection/label-selector.ts";
import { effectiveClassName } from "../../api/storage-class-name.ts";
import { annotation, hasAnnotation } from "../../matching/annotations.ts";
import { isReachableFrom, nodeAffinityText } from "../../matching/node-affinity.ts";
import type { Candidate, FailedRule } from "../../trace/decision.ts";
import type { RunFacts } from "../run-facts.ts";
import type { Fix, Link } from "../verdict.ts";
import { failingVolume } from "./mount-cause.ts";
import { type NodeRefusal, placeOf, reachFixes, refusalText } from "./own-reasons.ts";

type Pod = KubeObject<"Pod">;
type Volume = KubeObject<"PersistentVolume">;

/** The nodes that reach a volume, or where one would be provisioned. */
export interface Whereabouts {
  /** The clause before "where …": `volume "pv" is reachable`. */
  readonly what: string;
  /** The labels of the nodes, in words. */
  readonly place: string;
  readonly isPart: (labels: Labels | undefined) => boolean;
}

export function whereaboutsOf(volume: Volume, what = "is reachable"): Whereabouts {
  return {
    what: `${titleOf(volume)} ${what}`,
    place: nodeAffinityText(volume),
    isPart: (labels) => isReachableFrom(volume, labels),
  };
}

/** Why a node in that place refuses the pod; undefined if none of `nodes` is there. */
export function refusalThere(
  facts: RunFacts,
  pod: Pod,
  nodes: readonly Candidate[],
  { what, place, isPart }: Whereabouts,
  chain: readonly Link[],
): NodeRefusal | undefined {
  const near = nodes.find(({ ref }) => isPart(labelsOf(facts.objects.get(ref))))?.failed[0];
  if (near === undefined) return undefined;
  const root = placeOf(pod, near);
  return {
    headline: `stays Pending: ${what} where ${place}, where the pod may not run: ${refusalText([near])}`,
    root,
    chain,
    fixes: reachFixes(near, place, root),
  };
}

function labelsOf(node: KubeObject | undefined): Labels | undefined {
  return node?.metadata.labels;
}

/** Why the pod cannot go to its volume; undefined if every node reaches the volumes that its claims are bound to. */
export function outOfReach(
  facts: RunFacts,
  pod: Pod,
  nodes: readonly Candidate[],
): NodeRefusal | undefined {
  const distances = nodes.flatMap(({ failed }) => failed.filter(isFar));
  const [far] = distances;
  const volume = facts.get("PersistentVolume", undefined, nameOfRef(far?.volume ?? ""));
  if (far?.claim === undefined || volume === undefined) return undefined;
  const chain = [
    { ref: far.claim, text: `is bound to volume "${volume.metadata.name}"` },
    { ref: refOf(volume), text: `is reachable where ${far.found}` },
  ];
  const others = nodes.filter(({ failed }) => !failed.some(isFar));
  return (
    contradiction(others, volume, chain) ??
    refusalThere(facts, pod, others, whereaboutsOf(volume), chain) ??
    farFromOwnNode(facts, pod, nodes, volume, chain) ??
    farFromAll(facts, pod, distances, chain)
  );
}

/** A pod of a DaemonSet is for one node, which never reaches the volume. */
function farFromOwnNode(
  facts: RunFacts,
  pod: Pod,
  [node, ...others]: readonly Candidate[],
  volume: Volume,
  chain: readonly Link[],
): NodeRefusal | undefined {
  if (controllerOf(pod)?.kind !== "DaemonSet" || node === undefined || others.length > 0)
    return undefined;
  const { root: at } = failingVolume(facts, pod, volume.metadata.name);
  const text =
    "give the pod of each node storage of its own (hostPath, a generic ephemeral volume), or a volume that all nodes reach";
  return {
    headline: `stays Pending: ${titleOf(volume)} is reachable where ${nodeAffinityText(volume)}, and its DaemonSet made this pod for node "${nameOfRef(node.ref)}"`,
    root: at,
    chain,
    fixes: [{ text, at }],
  };
}

/** The volume's zone or region labels exclude the nodes that its affinity names: the volume's fault, whichever pod uses it. */
function contradiction(
  nodes: readonly Candidate[],
  volume: Volume,
  chain: readonly Link[],
): NodeRefusal | undefined {
  const ref = refOf(volume);
  const isOwn = (rule: FailedRule): boolean => rule.rule === "volume-zone" && rule.volume === ref;
  const [near] = nodes.flatMap(({ failed }) => failed.find(isOwn) ?? []);
  if (near === undefined || !nodes.every(({ failed }) => failed.some(isOwn))) return undefined;
  const at = { ref, field: "metadata.labels" };
  return {
    headline: `stays Pending: volume "${volume.metadata.name}" is reachable where ${nodeAffinityText(volume)}, but its labels keep pods to ${near.wanted.replace(/, where .*/, "")}`,
    root: at,
    chain,
    fixes: [{ text: "let the volume's labels and its nodeAffinity name the same zone", at }],
  };
}

function isFar({ rule }: FailedRule): boolean {
  return rule === "volume-node-affinity";
}

/** No node reaches the only volume, or none reaches all of several volumes. */
function farFromAll(
  facts: RunFacts,
  pod: Pod,
  distances: readonly FailedRule[],
  chain: readonly Link[],
): NodeRefusal | undefined {
  const places = new Map(distances.map(({ volume = "", found }) => [nameOfRef(volume), found]));
  const volumes = [...places.keys()].flatMap(
    (name) => facts.get("PersistentVolume", undefined, name) ?? [],
  );
  const [first] = volumes;
  if (first === undefined) return undefined;
  const text = volumes
    .map((volume) => `${titleOf(volume)} (${places.get(volume.metadata.name)})`)
    .join(" and ");
  if (volumes.length === 1) {
    // A node that reaches the volume is missing from the decision, whose record may be cut.
    if (nodeThatReaches(facts, first) !== undefined) return undefined;
    const headline = `stays Pending: no node reaches ${text}`;
    const blamed = misplacement(pod, first);
    const host = nodeByName(facts, first);
    const fixes = isMade(first) ? [comeToVolume(first, host)] : blamed.fixes;
    return { headline, ...blamed, fixes, chain: [...chain, ...hostLink(host)] };
  }
  const headline = `stays Pending: no node reaches ${volumes.length === 2 ? "both" : "all of"} ${text}`;
  const lost = volumes.find((volume) => nodeThatReaches(facts, volume) === undefined);
  if (lost !== undefined) return { headline, ...misplacement(pod, lost), chain };
  const hasty = volumes
    .map((volume) => facts.get("StorageClass", undefined, effectiveClassName(volume)))
    .find((storageClass) => storageClass?.volumeBindingMode === "Immediate");
  if (!isMade(first) || hasty === undefined) return { headline, ...apart(pod, volumes), chain };
  const at = { ref: refOf(hasty), field: "volumeBindingMode" };
  const value = "WaitForFirstConsumer";
  const change = `set volumeBindingMode of class "${hasty.metadata.name}" to ${value}: the volumes are then provisioned where the pod runs`;
  const haste = { ref: at.ref, text: "places each volume before the pod" };
  return {
    headline,
    root: at,
    chain: [...chain, haste],
    fixes: [{ text: change, at, value }],
  };
}

/** The first node that reaches the volume; undefined if there is none. */
export function nodeThatReaches(facts: RunFacts, volume: Volume): KubeObject | undefined {
  return facts.list("Node").find((node) => isReachableFrom(volume, node.metadata.labels));
}

const hostLabel = "kubernetes.io/hostname";

/** The node that would match the volume's affinity if its hostname label were its name. */
function nodeByName(facts: RunFacts, volume: Volume): KubeObject | undefined {
  return facts
    .list("Node")
    .find(({ metadata: { name, labels } }) =>
      isReachableFrom(volume, { ...labels, [hostLabel]: name }),
    );
}

function hostLink(node: KubeObject | undefined): readonly Link[] {
  if (node === undefined) return [];
  const label = node.metadata.labels?.[hostLabel];
  const text = label === undefined ? `has no label ${hostLabel}` : `has ${hostLabel}: ${label}`;
  return [{ ref: refOf(node), text }];
}

/** The blame for a volume in the wrong place: the affinity that a person wrote, or the pod if a driver made the volume. */
function misplacement(pod: Pod, volume: Volume): Pick<NodeRefusal, "root" | "fixes"> {
  if (isMade(volume)) return { root: { ref: refOf(pod), field: "spec" }, fixes: [] };
  const fix = nameNodes(volume);
  return { root: fix.at, fixes: [fix] };
}

/** Blames the first volume that a person placed, or the pod that wants them all: each is reachable from some node. */
function apart(pod: Pod, volumes: readonly Volume[]): Pick<NodeRefusal, "root" | "fixes"> {
  const placed = volumes.find((volume) => !isMade(volume));
  if (placed === undefined) return { root: { ref: refOf(pod), field: "spec" }, fixes: [] };
  const at = { ref: refOf(placed), field: "spec.nodeAffinity" };
  const names = volumes.map(({ metadata }) => `"${metadata.name}"`).join(" and ");
  const text = `let spec.nodeAffinity of volumes ${names} have a node in common, or use them in pods of their own`;
  return { root: at, fixes: [{ text, at }] };
}

/** The fix for a volume that a driver made where a node was: the node is gone, or its labels have changed. */
function comeToVolume(volume: Volume, host: KubeObject | undefined): Fix {
  const place = nodeAffinityText(volume);
  if (host !== undefined) {
    const { name } = host.metadata;
    return {
      text: `give node "${name}" the label ${hostLabel}: ${name}, which the volume asks for`,
    };
  }
  return {
    text: `have a node with ${place} again, or restore what the volume holds where there are nodes`,
  };
}

/** Names a provisioned volume by its claim, as its own name is generated. */
function titleOf(volume: Volume): string {
  const claim = volume.spec.claimRef?.name;
  return isMade(volume) && claim !== undefined
    ? `the volume of claim "${claim}"`
    : `volume "${volume.metadata.name}"`;
}

function isMade(volume: Volume): boolean {
  return hasAnnotation(volume, annotation.provisionedBy);
}

export function nameNodes(volume: Volume): Fix & Required<Pick<Fix, "at">> {
  const at = { ref: refOf(volume), field: "spec.nodeAffinity" };
  const text = `set spec.nodeAffinity of volume "${volume.metadata.name}" to nodes that the cluster has`;
  return { text, at };
}
