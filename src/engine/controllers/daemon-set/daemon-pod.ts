/**
 * The pod of a DaemonSet for one node, and whether a node gets one. Upstream: pkg/controller/daemon/util/daemonset_util.go
 * and daemon_controller.go NodeShouldRunDaemonPod v1.36.
 */
import { deepEqual } from "../../api/json.ts";
import type { Draft, KubeObject } from "../../api/meta.ts";
import { nodeSelectorMatches } from "../../api/selection/node-selector.ts";
import { untoleratedTaint } from "../../api/selection/tolerations.ts";
import type { Affinity, PodSpec, Toleration } from "../../api/types.ts";
import type { FailedRule } from "../../trace/decision.ts";
import { podFromTemplate } from "../workload/pod-template.ts";

export type DaemonSet = KubeObject<"DaemonSet">;
export type Node = KubeObject<"Node">;
export type Pod = KubeObject<"Pod">;

export const hashLabel = "controller-revision-hash";
const generationLabel = "pod-template-generation";
const generationAnnotation = "deprecated.daemonset.template.generation";

/** Adds the tolerations that keep daemon pods on troubled nodes. Upstream: AddOrUpdateDaemonPodTolerations. */
function daemonTolerations(spec: PodSpec): readonly Toleration[] {
  const bears = (name: string, effect: string): Toleration => ({
    key: `node.kubernetes.io/${name}`,
    operator: "Exists",
    effect,
  });
  const added = [
    bears("not-ready", "NoExecute"),
    bears("unreachable", "NoExecute"),
    bears("disk-pressure", "NoSchedule"),
    bears("memory-pressure", "NoSchedule"),
    bears("pid-pressure", "NoSchedule"),
    bears("unschedulable", "NoSchedule"),
    ...(spec.hostNetwork === true ? [bears("network-unavailable", "NoSchedule")] : []),
  ];
  return added.reduce(withToleration, spec.tolerations ?? []);
}

/** Adds a toleration; replaces those of the same key, effect, operator and value. */
function withToleration(
  tolerations: readonly Toleration[],
  next: Toleration,
): readonly Toleration[] {
  const isSame = (t: Toleration): boolean =>
    t.key === next.key &&
    t.effect === next.effect &&
    (t.operator ?? "Equal") === next.operator &&
    (t.value ?? "") === (next.value ?? "");
  if (tolerations.some((t) => deepEqual(t, next))) return tolerations;
  return tolerations.some(isSame)
    ? tolerations.map((t) => (isSame(t) ? next : t))
    : [...tolerations, next];
}

/** Upstream: ReplaceDaemonSetPodNodeNameNodeAffinity. Drops the template's own terms, which have been checked already. */
function pinnedTo(affinity: Affinity | undefined, node: string): Affinity {
  return {
    ...affinity,
    nodeAffinity: {
      ...affinity?.nodeAffinity,
      requiredDuringSchedulingIgnoredDuringExecution: {
        nodeSelectorTerms: [
          { matchFields: [{ key: "metadata.name", operator: "In", values: [node] }] },
        ],
      },
    },
  };
}

/** Counts the template's changes; pods carry it as a label. */
function templateGeneration(set: DaemonSet): string | undefined {
  return set.metadata.annotations?.[generationAnnotation];
}

export function daemonPod(set: DaemonSet, node: string, hash: string): Draft<"Pod"> {
  const draft = podFromTemplate(set.spec?.template, set);
  const spec = draft.spec ?? { containers: [] };
  const generation = templateGeneration(set);
  return {
    ...draft,
    metadata: {
      ...draft.metadata,
      labels: {
        ...draft.metadata.labels,
        ...(generation !== undefined && { [generationLabel]: generation }),
        [hashLabel]: hash,
      },
    },
    spec: {
      ...spec,
      tolerations: daemonTolerations(spec),
      affinity: pinnedTo(spec.affinity, node),
    },
  };
}

/** Upstream: IsPodUpdated. */
export function isPodUpdated(set: DaemonSet, pod: Pod, hash: string): boolean {
  const generation = templateGeneration(set);
  const labels = pod.metadata.labels ?? {};
  return (
    (generation !== undefined && labels[generationLabel] === generation) ||
    (hash !== "" && labels[hashLabel] === hash)
  );
}

/** The node that a daemon pod is on or is meant for; undefined if its affinity names none. Upstream: GetTargetNodeName. */
export function targetNode(pod: Pod): string | undefined {
  if (pod.spec.nodeName !== undefined && pod.spec.nodeName !== "") return pod.spec.nodeName;
  const terms =
    pod.spec.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution
      ?.nodeSelectorTerms ?? [];
  const field = terms
    .flatMap((term) => term.matchFields ?? [])
    .find((f) => f.key === "metadata.name" && f.operator === "In");
  return field?.values?.length === 1 ? field.values[0] : undefined;
}

export interface Placement {
  readonly shouldRun: boolean;
  /** True if a pod that is there already may stay. */
  readonly mayStay: boolean;
}

/** Returns why the node does not get a pod; undefined if it does. */
export function refusalOf(set: DaemonSet, node: Node): FailedRule | undefined {
  const spec = set.spec?.template?.spec ?? { containers: [] };
  const labels = node.metadata.labels ?? {};
  if (spec.nodeName !== undefined && spec.nodeName !== node.metadata.name) {
    return { rule: "node-name", wanted: spec.nodeName, found: node.metadata.name };
  }
  const missing = Object.entries(spec.nodeSelector ?? {}).find(
    ([key, value]) => labels[key] !== value,
  );
  if (missing !== undefined) {
    const [key, value] = missing;
    return {
      rule: "node-selector",
      wanted: `${key}=${value}`,
      found: labels[key] ?? "no such label",
    };
  }
  const required = spec.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution;
  if (!nodeSelectorMatches(required, node.metadata.name, labels)) {
    return {
      rule: "node-affinity",
      wanted: "a node that matches the required node affinity",
      found: node.metadata.name,
    };
  }
  const taint = untoleratedTaint(daemonTolerations(spec), node.spec?.taints, [
    "NoSchedule",
    "NoExecute",
  ]);
  if (taint === undefined) return undefined;
  return {
    rule: "taint",
    wanted: "no taint that the pods do not tolerate",
    found: `${taint.key}:${taint.effect}`,
  };
}

export function placementOn(set: DaemonSet, node: Node): Placement {
  const refusal = refusalOf(set, node);
  if (refusal === undefined) return { shouldRun: true, mayStay: true };
  if (refusal.rule !== "taint") return { shouldRun: false, mayStay: false };
  const tolerations = daemonTolerations(set.spec?.template?.spec ?? { containers: [] });
  return {
    shouldRun: false,
    mayStay: untoleratedTaint(tolerations, node.spec?.taints, ["NoExecute"]) === undefined,
  };
}
