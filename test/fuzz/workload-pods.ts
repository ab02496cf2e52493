/** Checks how many pods workloads get: a controller that does not know (yet, or any more) what it made would make too many. */
import { controllerOf, type KubeObject } from "../../src/engine/api/meta.ts";
import type { WriteEntry } from "../../src/engine/trace/entry.ts";

export class WorkloadPods {
  /** The highest number of pods that each ReplicaSet and Job has ever wanted at a time, by uid. */
  readonly #wanted = new Map<string, number>();
  /** The names of pods that have neither ended nor are being deleted, by their workload's uid. */
  readonly #alive = new Map<string, Set<string>>();

  write({ before, after, verb }: WriteEntry): readonly string[] {
    const object = after ?? before;
    switch (object?.kind) {
      case "ReplicaSet":
        this.#want(object.metadata.uid, object.spec?.replicas ?? 1);
        return [];
      case "Job":
        this.#want(object.metadata.uid, object.spec?.parallelism ?? 1);
        return [];
      case "Pod":
        return this.#pod(object, after !== undefined, verb);
      default:
        return [];
    }
  }

  #want(uid: string, count: number): void {
    this.#wanted.set(uid, Math.max(this.#wanted.get(uid) ?? 0, count));
  }

  #pod(pod: KubeObject<"Pod">, isThere: boolean, verb: WriteEntry["verb"]): readonly string[] {
    const owner = controllerOf(pod);
    const wanted = this.#wanted.get(owner?.uid ?? "");
    if (owner === undefined || wanted === undefined) return [];
    const { name, deletionTimestamp } = pod.metadata;
    const phase = pod.status?.phase;
    const isOver = phase === "Succeeded" || phase === "Failed";
    const alive = this.#alive.get(owner.uid) ?? new Set();
    this.#alive.set(owner.uid, alive);
    if (isThere && !isOver && deletionTimestamp === undefined) alive.add(name);
    else alive.delete(name);
    return verb === "create" && alive.size > wanted
      ? [`${owner.name} is given a pod beyond the ${wanted} that it has wanted: ${[...alive]}`]
      : [];
  }
}
