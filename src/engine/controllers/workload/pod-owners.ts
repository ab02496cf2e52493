/**
 * Wakes the owner of a pod that is created, changed or deleted, and updates the owner's expectations. Upstream: addPod,
 * updatePod, deletePod of pkg/controller/replicaset/replica_set.go and of pkg/controller/daemon/daemon_controller.go v1.36,
 * which are the same.
 */
import { type KubeObject, keyOf } from "../../api/meta.ts";
import { isPodReady } from "../../matching/pod-condition.ts";
import type { Informer } from "../../runtime/informer.ts";
import type { WorkQueue } from "../../runtime/work-queue.ts";
import { ownerOf } from "./controller-index.ts";
import type { Expectations } from "./expectations.ts";
import { isTerminating } from "./pod-status.ts";
import { type SelectingKind, wokenOwners } from "./woken-owners.ts";

type Pod = KubeObject<"Pod">;
type OwnerKind = Extract<SelectingKind, "ReplicaSet" | "ReplicationController" | "DaemonSet">;
type Owner = KubeObject<OwnerKind>;

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
    if (owner !== undefined) this.#expectations.creationObserved(keyOf(owner));
    this.#wake(undefined, pod);
  }

  #updated(before: Pod, pod: Pod): void {
    if (isTerminating(pod)) {
      // A graceful deletion counts as observed here; otherwise a replacement would wait until the pod is gone.
      this.#deleted(pod);
      return;
    }
    this.#wake(before, pod);
    const owner = this.#ownerOf(pod);
    const delaySeconds = owner?.spec?.minReadySeconds ?? 0;
    if (owner !== undefined && delaySeconds > 0 && !isPodReady(before) && isPodReady(pod))
      this.#queue.addAfter(keyOf(owner), (delaySeconds + 1) * 1000);
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

  #wake(before: Pod | undefined, pod: Pod): void {
    for (const owner of wokenOwners(this.#owners, this.#kind, before, pod))
      this.#queue.add(keyOf(owner));
  }
}
