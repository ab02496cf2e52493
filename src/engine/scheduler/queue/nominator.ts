/**
 * Pods that are nominated for a node, by preemption or while their volumes are being bound. Pods of the same or a lower
 * priority leave room for them. Upstream: kube-scheduler v1.36 pkg/scheduler/backend/queue/nominator.go.
 */
import type { PodInfo } from "../cache/pod-info.ts";

export class Nominator {
  readonly #byNode = new Map<string, Map<string, PodInfo>>();
  readonly #nodeOf = new Map<string, string>();

  /** Replaces any earlier nomination; "" removes it. */
  nominate(pod: PodInfo, node: string): void {
    this.forget(pod.uid);
    if (node === "") return;
    this.#nodeOf.set(pod.uid, node);
    const pods = this.#byNode.get(node);
    if (pods === undefined) this.#byNode.set(node, new Map([[pod.uid, pod]]));
    else pods.set(pod.uid, pod);
  }

  forget(uid: string): void {
    const node = this.#nodeOf.get(uid);
    if (node === undefined) return;
    this.#nodeOf.delete(uid);
    const pods = this.#byNode.get(node);
    pods?.delete(uid);
    if (pods?.size === 0) this.#byNode.delete(node);
  }

  on(node: string): readonly PodInfo[] {
    const pods = this.#byNode.get(node);
    return pods === undefined ? noPods : [...pods.values()];
  }
}

const noPods: readonly PodInfo[] = [];
