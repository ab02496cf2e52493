/**
 * Wakes the owner of a pod that comes, changes or goes, and notes what the owner had asked for and sees now. Upstream: addPod,
 * updatePod, deletePod and resolveControllerRef of pkg/controller/replicaset/replica_set.go and of
 * pkg/controller/daemon/daemon_controller.go v1.36, which are the same.
 */
import { controllerOf, type Kind, type KubeObject, keyOf } from "../../api/meta.ts";
import { labelSelectorMatches } from "../../api/selection/label-selector.ts";
import type { LabelSelector } from "../../api/types.ts";
import { isPodReady } from "../../matching/pod-condition.ts";
import type { Informer } from "../../runtime/informer.ts";
import type { WorkQueue } from "../../runtime/work-queue.ts";
import { ownerOf } from "./controller-index.ts";
import type { Expectations } from "./expectations.ts";
import { isTerminating } from "./pod-status.ts";

type Pod = KubeObject<"Pod">;
type OwnerKind = Extract<Kind, "ReplicaSet" | "ReplicationController" | "DaemonSet">;
type Owner = KubeObject<OwnerKind>;
export type Selecting = KubeObject<OwnerKind | "Deployment" | "Job" | "StatefulSet">;

export class PodOwners {
  readonly #kind: OwnerKind;
  readonly #owners: Informer<OwnerKind>;
  readonly #queue: WorkQueue;
  readonly #expectations: Expectations;

  constructor(
    kind: OwnerKind,
    owners: Informer<OwnerKind>,
    queue: WorkQueue,
    expectations: Expectations,
  ) {
    this.#kind = kind;
    this.#owners = owners;
    this.#queue = queue;
    this.#expectations = expectations;
  }

  listenTo(pods: Informer<"Pod">): void {
    pods.on({
      add: (pod) => this.#added(pod),
      update: (before, pod) => this.#updated(before, pod),
      delete: (pod) => this.#deleted(pod),
    });
  }

  #added(pod: Pod): void {
    if (isTerminating(pod)) {
      this.#deleted(pod);
      return;
    }
    const owner = this.#ownerOf(pod);
    if (owner !== undefined) {
      this.#expectations.creationObserved(keyOf(owner));
      this.#queue.add(keyOf(owner));
    } else if (controllerOf(pod) === undefined) {
      this.#wakeMatching(pod);
    }
  }

  #updated(before: Pod, pod: Pod): void {
    if (isTerminating(pod)) {
      // A graceful deletion counts as done here; otherwise a replacement would wait until the pod is gone.
      this.#deleted(pod);
      return;
    }
    const [was, is] = [controllerOf(before), controllerOf(pod)];
    const formerOwner = was?.uid === is?.uid ? undefined : this.#ownerOf(before);
    if (formerOwner !== undefined) this.#queue.add(keyOf(formerOwner));
    const owner = this.#ownerOf(pod);
    if (owner !== undefined) {
      this.#queue.add(keyOf(owner));
      const delaySeconds = owner.spec?.minReadySeconds ?? 0;
      if (!isPodReady(before) && isPodReady(pod) && delaySeconds > 0)
        this.#queue.addAfter(keyOf(owner), (delaySeconds + 1) * 1000);
    } else if (is === undefined) {
      this.#wakeMatching(pod);
    }
  }

  #deleted(pod: Pod): void {
    const owner = this.#ownerOf(pod);
    if (owner === undefined) return;
    this.#expectations.deletionObserved(keyOf(owner), pod.metadata.uid);
    this.#queue.add(keyOf(owner));
  }

  #ownerOf(pod: Pod): Owner | undefined {
    return ownerOf(this.#owners, this.#kind, pod);
  }

  #wakeMatching(orphan: Pod): void {
    for (const owner of this.#owners.list(orphan.metadata.namespace)) {
      if (labelSelectorMatches(selectorOf(owner), orphan.metadata.labels))
        this.#queue.add(keyOf(owner));
    }
  }
}

/** A ReplicationController knows labels only. */
export function selectorOf(owner: Selecting): LabelSelector | undefined {
  if (owner.kind !== "ReplicationController") return owner.spec?.selector;
  const labels = owner.spec?.selector;
  return labels === undefined ? undefined : { matchLabels: labels };
}
