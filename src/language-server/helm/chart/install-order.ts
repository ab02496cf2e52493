/**
 * The order in which Helm creates objects. Upstream: pkg/release/v1/util/kind_sorter.go InstallOrder, lessByKind;
 * hook_sorter.go.
 */
import { compareText } from "../../../engine/api/go/text-order.ts";

const order: readonly string[] = [
  ...["PriorityClass", "Namespace", "NetworkPolicy", "ResourceQuota", "LimitRange"],
  ...["PodSecurityPolicy", "PodDisruptionBudget", "ServiceAccount", "Secret", "SecretList"],
  ...["ConfigMap", "StorageClass", "PersistentVolume", "PersistentVolumeClaim"],
  ...["CustomResourceDefinition", "ClusterRole", "ClusterRoleList", "ClusterRoleBinding"],
  ...["ClusterRoleBindingList", "Role", "RoleList", "RoleBinding", "RoleBindingList", "Service"],
  ...["DaemonSet", "Pod", "ReplicationController", "ReplicaSet", "Deployment"],
  ...["HorizontalPodAutoscaler", "StatefulSet", "Job", "CronJob", "IngressClass", "Ingress"],
  ...["APIService", "MutatingWebhookConfiguration", "ValidatingWebhookConfiguration"],
];

const ranks: ReadonlyMap<string, number> = new Map(order.map((kind, rank) => [kind, rank]));

/** Kinds that Helm does not know come last, sorted by name. */
export function compareKinds(a: string, b: string): number {
  const [first, second] = [ranks.get(a), ranks.get(b)];
  if (first === undefined && second === undefined) return compareText(a, b);
  return (first ?? order.length) - (second ?? order.length);
}

export interface Weighed {
  readonly name: string;
  readonly weight: number;
}

export function compareHooks(a: Weighed, b: Weighed): number {
  return a.weight - b.weight || compareText(a.name, b.name);
}
