/**
 * The eviction subresource of pods. Upstream: pkg/registry/core/pod/storage/eviction.go v1.36. Not modeled: dry runs and
 * delete options.
 */
import { type ApiError, type KubeObject, notFound, type Result } from "../api/meta.ts";
import { labelSelectorMatches } from "../api/selection/label-selector.ts";
import type { Pod, PodDisruptionBudget, PodDisruptionBudgetStatus } from "../api/types.ts";
import { isPodReady, withDisruption } from "../matching/pod-condition.ts";
import { isPodEnded } from "../matching/pod-state.ts";
import type { KubernetesVersion } from "../scenario.ts";
import { tellsWhyBudgetsRefuse } from "../version-differences.ts";
import type { ApiServer } from "./api-server.ts";
import { withAllowedCondition } from "./disruption-budget.ts";

const disruptedPodCountMax = 2000;

/** Deletes the pod unless a PodDisruptionBudget currently forbids it. */
export function evict(api: ApiServer, namespace: string, name: string): Result<KubeObject> {
  const pod = api.store.get("Pod", namespace, name);
  if (pod === undefined) return { ok: false, error: notFound("Pod", name) };
  const refusal = canIgnoreBudgets(pod) ? undefined : budgetRefusal(api, pod);
  if (refusal !== undefined) return { ok: false, error: refusal };
  const marked = api.patch("Pod", namespace, name, "status", (current) =>
    current.kind === "Pod"
      ? withDisruption(current, "EvictionByEvictionAPI", "Eviction API: evicting", api.timestamp)
      : current,
  );
  return marked.ok ? api.delete("Pod", namespace, name, {}) : marked;
}

/** True if the pod is pending, has ended or is being deleted: evicting it disrupts nothing. */
function canIgnoreBudgets(pod: Pod): boolean {
  const isPending = pod.status?.phase === "Pending";
  return isPending || isPodEnded(pod) || pod.metadata.deletionTimestamp !== undefined;
}

/** Returns an error if a budget forbids the eviction; otherwise counts the disruption in the budget and returns undefined. */
function budgetRefusal(api: ApiServer, pod: Pod): ApiError | undefined {
  const budgets = api.store
    .list("PodDisruptionBudget", pod.metadata.namespace)
    .filter(({ spec }) => labelSelectorMatches(spec.selector, pod.metadata.labels));
  const [budget] = budgets;
  if (budget === undefined) return undefined;
  if (budgets.length > 1) {
    const message =
      "This pod has more than one PodDisruptionBudget, which the eviction subresource does not support.";
    return { code: 500, reason: "", message };
  }
  if (!isPodReady(pod) && allowsUnready(budget)) return undefined;
  return checkAndDecrement(api, pod, budget);
}

/** An unready pod does not count as healthy, so evicting it does not reduce the healthy pods. */
function allowsUnready({ spec, status }: PodDisruptionBudget): boolean {
  if (spec.unhealthyPodEvictionPolicy === "AlwaysAllow") return true;
  const { currentHealthy = 0, desiredHealthy = 0 } = status ?? {};
  return desiredHealthy > 0 && currentHealthy >= desiredHealthy;
}

function checkAndDecrement(
  api: ApiServer,
  pod: Pod,
  budget: PodDisruptionBudget,
): ApiError | undefined {
  const { name, generation = 0 } = budget.metadata;
  const { status = {} } = budget;
  const { disruptionsAllowed = 0, disruptedPods = {} } = status;
  if ((status.observedGeneration ?? 0) < generation)
    return tooManyRequests(`The disruption budget ${name} is still being processed by the server.`);
  if (disruptionsAllowed < 0) return forbidden(name, "pdb disruptions allowed is negative");
  if (Object.keys(disruptedPods).length > disruptedPodCountMax)
    return forbidden(
      name,
      "DisruptedPods map too big - too many evictions not confirmed by PDB controller",
    );
  if (disruptionsAllowed === 0)
    return tooManyRequests(`The disruption budget ${name} ${why(status, api.version)}`);
  const counted = {
    ...status,
    disruptionsAllowed: disruptionsAllowed - 1,
    disruptedPods: { ...disruptedPods, [pod.metadata.name]: api.timestamp },
  };
  const next =
    counted.disruptionsAllowed === 0 ? withAllowedCondition(counted, api.timestamp) : counted;
  const written = api.update({ ...budget, status: next }, "status");
  return written.ok ? undefined : written.error;
}

/** Explains a refusal. The counts are not to be trusted if the last sync failed. */
function why(status: Partial<PodDisruptionBudgetStatus>, version: KubernetesVersion): string {
  const { desiredHealthy = 0, currentHealthy = 0, conditions = [] } = status;
  const counts = `needs ${desiredHealthy} healthy pods and has ${currentHealthy} currently`;
  if (!tellsWhyBudgetsRefuse(version)) return counts;
  const { reason, message = "" } =
    conditions.find((c) => c.type === "DisruptionAllowed" && c.status === "False") ?? {};
  const isTold = reason !== undefined && message !== "";
  const refusal = "does not allow evicting pods currently";
  if (isTold && reason === "SyncFailed") return `${refusal} because it failed sync: ${message}`;
  if (currentHealthy <= desiredHealthy) return counts;
  return isTold ? `${refusal} (${reason}): ${message}` : refusal;
}

function tooManyRequests(cause: string): ApiError {
  return {
    code: 429,
    reason: "TooManyRequests",
    message: "Cannot evict pod as it would violate the pod's disruption budget.",
    causes: [{ reason: "DisruptionBudget", field: "", message: cause }],
  };
}

function forbidden(name: string, detail: string): ApiError {
  const message = `poddisruptionbudget.policy "${name}" is forbidden: ${detail}`;
  return { code: 403, reason: "Forbidden", message };
}
