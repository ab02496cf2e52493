/**
 * Writes into a PodDisruptionBudget's status how many of its pods may be evicted now. Upstream:
 * pkg/controller/disruption/disruption.go v1.36. If several budgets select a pod, upstream syncs an arbitrary one of them when
 * the pod changes; here all are synced.
 */
import { compareText } from "../api/go/text-order.ts";
import { deepEqual } from "../api/json.ts";
import {
  controllerOf,
  isServed,
  type Key,
  type KubeObject,
  keyOf,
  makeKey,
  qualifiedResource,
  refOf,
  splitKey,
} from "../api/meta.ts";
import { type Labels, labelSelectorMatches } from "../api/selection/label-selector.ts";
import { instantOf, timestamp } from "../api/timestamp.ts";
import type {
  LabelSelector,
  OwnerReference,
  Pod,
  PodDisruptionBudget,
  PodDisruptionBudgetStatus,
} from "../api/types.ts";
import { scaledUp } from "../matching/int-or-percent.ts";
import { isPodReady } from "../matching/pod-condition.ts";
import type { Component, ComponentContext } from "../runtime/component.ts";
import { event, isConflict, isNotFound, type Task, updateStatus } from "../runtime/effects.ts";
import { done, type Outcome, type Reconcile, retry, wait } from "../runtime/outcome.ts";
import {
  saysWhetherAllowed,
  withAllowedCondition,
  withDisruptionCondition,
} from "../store/disruption-budget.ts";
import type { Instant } from "../trace/instant.ts";
import { clearStaleDisruptions } from "./stale-disruption.ts";
import { lookThrough } from "./workload/look-through.ts";

/** How long after its eviction a pod counts as about to be deleted. Upstream: DeletionTimeout. */
const deletionTimeoutMs = 120_000;

export const disruption: Component = {
  name: "disruption-controller",
  source: "controllermanager",
  start,
};

function start(context: ComponentContext): void {
  clearStaleDisruptions(context);
  const budgets = context.informer("PodDisruptionBudget");
  const pods = context.informer("Pod");
  const scales = scaleFinder(context);
  const queue = context.queue({ sync });

  function* sync(key: Key): Reconcile {
    const { namespace } = splitKey(key);
    yield* lookThrough(pods.list(namespace).length);
    const budget = budgets.get(key);
    if (budget === undefined) return done("Gone");
    const covered = pods
      .list(namespace)
      .filter((pod) => labelSelectorMatches(budget.spec.selector, pod.metadata.labels));
    return yield* syncBudget(context, scales, budget, covered);
  }

  budgets.on({
    add: (budget) => queue.add(keyOf(budget)),
    update: (_, budget) => queue.add(keyOf(budget)),
  });
  const podChanged = (pod: Pod): void => {
    const { namespace = "", name, labels } = pod.metadata;
    const own = budgets
      .list(namespace)
      .filter(({ spec }) => labelSelectorMatches(spec.selector, labels));
    for (const budget of own) queue.add(keyOf(budget));
    const [chosen, second] = own;
    if (chosen === undefined || second === undefined) return;
    const text = `Pod "${namespace}"/"${name}" matches multiple PodDisruptionBudgets.  Chose "${chosen.metadata.name}" arbitrarily.`;
    const told = event(refOf(pod), "Warning", "MultiplePodDisruptionBudgets", text);
    context.go(told);
  };
  pods.on({ add: podChanged, update: (_, pod) => podChanged(pod), delete: podChanged });
}

function* syncBudget(
  context: ComponentContext,
  scales: ScaleFinder,
  budget: PodDisruptionBudget,
  pods: readonly Pod[],
): Reconcile {
  const ref = refOf(budget);
  if (pods.length === 0) yield* event(ref, "Normal", "NoPods", "No matching pods found");
  const expected = expectedPods(budget, pods, scales);
  if (!expected.ok) {
    const message = `Failed to calculate the number of expected pods: ${expected.error}`;
    yield* event(ref, "Warning", "CalculateExpectedPodCountFailed", message);
    return yield* failSafe(context, budget, expected.error);
  }
  if (expected.unmanaged) {
    yield* event(ref, "Warning", "UnmanagedPods", unmanagedText(budget.spec.selector));
  }
  const { disruptedPods, recheckAt, kept } = stillDisrupted(budget, pods, context.now);
  for (const pod of kept) {
    const { namespace = "" } = budget.metadata;
    // Upstream says the namespace twice.
    const text = `Pod was expected by PDB ${namespace}/${namespace} to be deleted but it wasn't`;
    yield* event(refOf(pod), "Warning", "NotDeleted", text);
  }
  const currentHealthy = pods.filter(
    (pod) =>
      pod.metadata.deletionTimestamp === undefined &&
      disruptedPods[pod.metadata.name] === undefined &&
      isPodReady(pod),
  ).length;
  const { desiredHealthy, count } = expected;
  const surplus = currentHealthy - desiredHealthy;
  const status: PodDisruptionBudgetStatus = {
    currentHealthy,
    desiredHealthy,
    expectedPods: count,
    disruptionsAllowed: count <= 0 || surplus <= 0 ? 0 : surplus,
    ...(Object.keys(disruptedPods).length > 0 && { disruptedPods }),
    observedGeneration: budget.metadata.generation ?? 0,
    ...(budget.status?.conditions !== undefined && { conditions: budget.status.conditions }),
  };
  const outcome = yield* save(context, budget, status);
  return outcome.type === "retry" || recheckAt === undefined
    ? outcome
    : wait("DisruptedPods", recheckAt - context.now);
}

function* save(
  context: ComponentContext,
  budget: PodDisruptionBudget,
  status: PodDisruptionBudgetStatus,
): Task<Outcome> {
  const { status: known } = budget;
  if (known !== undefined && deepEqual(status, known) && saysWhetherAllowed(known))
    return done("Unchanged");
  const next = withAllowedCondition(status, timestamp(context.now));
  const written = yield* updateStatus<"PodDisruptionBudget">({ ...budget, status: next });
  if (written.ok) return done("Updated");
  if (isNotFound(written.error)) return done("Gone");
  return isConflict(written.error)
    ? retry(written.error.message)
    : yield* failSafe(context, budget, written.error.message);
}

/** After an error nothing may be evicted. */
function* failSafe(
  context: ComponentContext,
  budget: PodDisruptionBudget,
  error: string,
): Task<Outcome> {
  const condition = { status: "False", reason: "SyncFailed", message: error };
  const status = withDisruptionCondition(
    { ...budget.status, disruptionsAllowed: 0 },
    condition,
    timestamp(context.now),
  );
  if (deepEqual(status, budget.status)) return done("SyncFailed");
  const written = yield* updateStatus<"PodDisruptionBudget">({ ...budget, status });
  return written.ok || isNotFound(written.error)
    ? done("SyncFailed")
    : retry(written.error.message);
}

type Expected =
  | {
      readonly ok: true;
      readonly count: number;
      readonly desiredHealthy: number;
      readonly unmanaged: boolean;
    }
  | { readonly ok: false; readonly error: string };

/**
 * Upstream: getExpectedPodCount. A number in minAvailable relates to the pods that exist, everything else to what the pods'
 * controllers are scaled to.
 */
function expectedPods(
  { spec }: PodDisruptionBudget,
  pods: readonly Pod[],
  scales: ScaleFinder,
): Expected {
  const { maxUnavailable, minAvailable } = spec;
  if (maxUnavailable === undefined && typeof minAvailable !== "string") {
    return {
      ok: true,
      count: minAvailable === undefined ? 0 : pods.length,
      desiredHealthy: minAvailable ?? 0,
      unmanaged: false,
    };
  }
  const scale = expectedScale(pods, scales);
  if (!scale.ok) return scale;
  const { count, unmanaged } = scale;
  const desiredHealthy =
    maxUnavailable === undefined
      ? scaledUp(minAvailable, count)
      : Math.max(0, count - scaledUp(maxUnavailable, count));
  return { ok: true, count, desiredHealthy, unmanaged };
}

/** Upstream: getExpectedScale. */
function expectedScale(
  pods: readonly Pod[],
  scales: ScaleFinder,
):
  | { readonly ok: true; readonly count: number; readonly unmanaged: boolean }
  | { readonly ok: false; readonly error: string } {
  const byController = new Map<string, number>();
  let unmanaged = false;
  for (const pod of pods) {
    const owner = controllerOf(pod);
    if (owner === undefined) {
      unmanaged = true;
      continue;
    }
    const found = scales(owner, pod.metadata.namespace);
    if (found === undefined) {
      return { ok: false, error: `found no controllers for pod "${pod.metadata.name}"` };
    }
    if ("error" in found) return { ok: false, error: found.error };
    byController.set(found.uid, found.replicas);
  }
  let count = 0;
  for (const replicas of byController.values()) count += replicas;
  return { ok: true, count, unmanaged };
}

/** Finds how many pods a pod's controller is scaled to; undefined if the controller does not exist. */
type ScaleFinder = (
  owner: OwnerReference,
  namespace: string | undefined,
) => { readonly uid: string; readonly replicas: number } | { readonly error: string } | undefined;

/** Kinds with a scale sub-resource. */
type Scalable = KubeObject<"Deployment" | "ReplicaSet" | "StatefulSet" | "ReplicationController">;

/** Upstream: finders, the last being getScaleController. A ReplicaSet has the scale of its Deployment, if there is one. */
function scaleFinder(context: ComponentContext): ScaleFinder {
  const deployments = context.informer("Deployment");
  const scalables = new Map<string, { get(key: Key): Scalable | undefined }>([
    ["Deployment", deployments],
    ["ReplicaSet", context.informer("ReplicaSet")],
    ["StatefulSet", context.informer("StatefulSet")],
    ["ReplicationController", context.informer("ReplicationController")],
  ]);
  const deploymentOf = (object: Scalable): Scalable | undefined => {
    const owner = controllerOf(object);
    if (owner?.kind !== "Deployment") return undefined;
    const deployment = deployments.get(makeKey(object.metadata.namespace, owner.name));
    return deployment?.metadata.uid === owner.uid ? deployment : undefined;
  };
  return ({ apiVersion, kind, name, uid }, namespace) => {
    if (!isServed(apiVersion, kind))
      return { error: `no matches for kind "${kind}" in version "${apiVersion}"` };
    const known = scalables.get(kind);
    if (known === undefined)
      return { error: `${qualifiedResource(kind)} does not implement the scale subresource` };
    const object = known.get(makeKey(namespace, name));
    if (object?.metadata.uid !== uid) return undefined;
    const { metadata, spec } = deploymentOf(object) ?? object;
    return { uid: metadata.uid, replicas: spec.replicas ?? 1 };
  };
}

/** Upstream: buildDisruptedPodMap. Evicted pods that are not being deleted yet; `kept` are those past the timeout. */
function stillDisrupted(
  { status }: PodDisruptionBudget,
  pods: readonly Pod[],
  now: Instant,
): {
  readonly disruptedPods: Readonly<Record<string, string>>;
  readonly recheckAt?: Instant;
  readonly kept: readonly Pod[];
} {
  const disruptedPods: Record<string, string> = {};
  const kept: Pod[] = [];
  let recheckAt: Instant | undefined;
  for (const pod of pods) {
    const { metadata } = pod;
    const since = status?.disruptedPods?.[metadata.name];
    if (since === undefined || metadata.deletionTimestamp !== undefined) continue;
    const until = instantOf(since) + deletionTimeoutMs;
    if (until < now) {
      kept.push(pod);
      continue;
    }
    disruptedPods[metadata.name] = since;
    recheckAt = Math.min(recheckAt ?? until, until);
  }
  const disrupted = { disruptedPods, kept };
  return recheckAt === undefined ? disrupted : { ...disrupted, recheckAt: recheckAt + 1 };
}

/** The event's text, with the selector as Go prints it. */
function unmanagedText(selector: LabelSelector | undefined): string {
  const expressions = (selector?.matchExpressions ?? []).map(
    ({ key, operator, values = [] }) =>
      `LabelSelectorRequirement{Key:${key},Operator:${operator},Values:[${values.join(" ")}],}`,
  );
  const list = `[]LabelSelectorRequirement{${expressions.map((e) => `${e},`).join("")}}`;
  const text = `&LabelSelector{MatchLabels:${goMap(selector?.matchLabels)},MatchExpressions:${list},}`;
  return `Pods selected by this PodDisruptionBudget (selector: ${text}) were found to be unmanaged. As a result, the status of the PDB cannot be calculated correctly, which may result in undefined behavior. To account for these pods please set ".spec.minAvailable" field of the PDB to an integer value.`;
}

function goMap(labels: Labels | undefined): string {
  const keys = Object.keys(labels ?? {}).sort(compareText);
  return `map[string]string{${keys.map((key) => `${key}: ${labels?.[key] ?? ""},`).join("")}}`;
}
