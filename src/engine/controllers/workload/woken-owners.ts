/**
 * Which owners are woken by an object that is created, changed or deleted: its controller, and a former one. An orphan that is
 * new, released or relabeled wakes all owners that select it. Upstream: addPod, updatePod, deletePod, resolveControllerRef of
 * pkg/controller/replicaset/replica_set.go and of the other workload controllers v1.36, which are the same.
 */
import { deepEqual } from "../../api/json.ts";
import { controllerOf, type Kind, type KubeObject } from "../../api/meta.ts";
import { labelSelectorMatches } from "../../api/selection/label-selector.ts";
import type { LabelSelector } from "../../api/types.ts";
import type { Informer } from "../../runtime/informer.ts";
import { ownerOf } from "./controller-index.ts";

export type SelectingKind = Extract<
  Kind,
  "ReplicaSet" | "ReplicationController" | "DaemonSet" | "Deployment" | "Job" | "StatefulSet"
>;

/** `before` is undefined for a new object, `after` for a deleted one. */
export function wokenOwners<K extends SelectingKind>(
  owners: Informer<K>,
  kind: K,
  before: KubeObject | undefined,
  after: KubeObject | undefined,
): readonly KubeObject<K>[] {
  const [was, is] = [before && controllerOf(before), after && controllerOf(after)];
  const woken: KubeObject<K>[] = [];
  const wakeOwnerOf = (object: KubeObject): void => {
    const owner = ownerOf(owners, kind, object);
    if (owner !== undefined) woken.push(owner);
  };
  if (before !== undefined && was?.uid !== is?.uid) wakeOwnerOf(before);
  if (after === undefined) return woken;
  if (is !== undefined) {
    wakeOwnerOf(after);
  } else if (was !== undefined || !deepEqual(before?.metadata.labels, after.metadata.labels)) {
    const { namespace, labels } = after.metadata;
    for (const owner of owners.list(namespace))
      if (labelSelectorMatches(selectorOf(owner), labels)) woken.push(owner);
  }
  return woken;
}

/** A ReplicationController's selector has labels only. */
export function selectorOf(owner: KubeObject<SelectingKind>): LabelSelector | undefined {
  if (owner.kind !== "ReplicationController") return owner.spec?.selector;
  const labels = owner.spec?.selector;
  return labels === undefined ? undefined : { matchLabels: labels };
}
