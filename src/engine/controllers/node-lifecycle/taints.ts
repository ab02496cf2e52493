/**
 * The taints that say what is wrong with a node. Upstream: pkg/controller/nodelifecycle/node_lifecycle_controller.go
 * doNoScheduleTaintingPass, processTaintBaseEviction v1.36.
 */
import type { KubeObject } from "../../api/meta.ts";
import { timestamp } from "../../api/timestamp.ts";
import type { Taint } from "../../api/types.ts";
import { readyCondition } from "../../matching/node-state.ts";
import type { Instant } from "../../trace/instant.ts";

type Node = KubeObject<"Node">;

const notReady = "node.kubernetes.io/not-ready";
const unreachable = "node.kubernetes.io/unreachable";
const unschedulable = "node.kubernetes.io/unschedulable";

/** Condition and status, and the key of the taint that they cause. */
const conditionTaints: readonly (readonly [type: string, status: string, key: string])[] = [
  ["Ready", "False", notReady],
  ["Ready", "Unknown", unreachable],
  ["MemoryPressure", "True", "node.kubernetes.io/memory-pressure"],
  ["DiskPressure", "True", "node.kubernetes.io/disk-pressure"],
  ["NetworkUnavailable", "True", "node.kubernetes.io/network-unavailable"],
  ["PIDPressure", "True", "node.kubernetes.io/pid-pressure"],
];
const managedKeys: ReadonlySet<string> = new Set([
  ...conditionTaints.map(([, , key]) => key),
  unschedulable,
]);

/** The status of the Ready condition; undefined if the node has none. */
export function readiness(node: Node): string | undefined {
  return readyCondition(node)?.status;
}

/** The node's taints, with NoSchedule ones according to its conditions; new ones in the order of the conditions. */
export function withNoScheduleTaints(node: Node, now: Instant): readonly Taint[] {
  const conditions = node.status?.conditions ?? [];
  const wanted = conditions.flatMap((condition) =>
    conditionTaints.flatMap(([type, status, key]) =>
      condition.type === type && condition.status === status ? [key] : [],
    ),
  );
  if (node.spec?.unschedulable === true) wanted.push(unschedulable);
  return reconcile(node, "NoSchedule", managedKeys, wanted, now);
}

const repelling: ReadonlySet<string> = new Set([notReady, unreachable]);

/** The node's taints, with the NoExecute one that evicts its pods if it is not ready. */
export function withNoExecuteTaints(node: Node, now: Instant): readonly Taint[] {
  const ready = readiness(node);
  const wanted = ready === "False" ? [notReady] : ready === "Unknown" ? [unreachable] : [];
  return reconcile(node, "NoExecute", repelling, wanted, now);
}

/** The node's taints without those that evict its pods for not being ready. */
export function withoutNoExecuteTaints({ spec }: Node): readonly Taint[] {
  const { taints = [] } = spec ?? {};
  return taints.filter(({ effect, key }) => effect !== "NoExecute" || !repelling.has(key));
}

/** True if the node already has the NoExecute taint for this status of Ready. */
export function isRepelled(node: Node, ready: string): boolean {
  return hasNoExecuteTaint(node, ready === "False" ? notReady : unreachable);
}

/** True if the node has the NoExecute taint for the other status: Unknown instead of False or vice versa. */
export function isRepelledOtherwise(node: Node, ready: string): boolean {
  return hasNoExecuteTaint(node, ready === "False" ? unreachable : notReady);
}

function hasNoExecuteTaint({ spec }: Node, wanted: string): boolean {
  return spec?.taints?.some(({ key, effect }) => key === wanted && effect === "NoExecute") === true;
}

function reconcile(
  node: Node,
  effect: string,
  managed: ReadonlySet<string>,
  wanted: readonly string[],
  now: Instant,
): readonly Taint[] {
  const current = node.spec?.taints ?? [];
  const isManaged = (taint: Taint): boolean => taint.effect === effect && managed.has(taint.key);
  const kept = current.filter((taint) => !isManaged(taint) || wanted.includes(taint.key));
  const missing = wanted.filter(
    (key) => !kept.some((taint) => taint.key === key && taint.effect === effect),
  );
  return [...kept, ...missing.map((key) => ({ key, effect, timeAdded: timestamp(now) }))];
}
