/**
 * Pods that have been let go while the cache may still show their finalizers: they are counted already and must not be once
 * more. Upstream: pkg/controller/job/tracking_utils.go uidTrackingExpectations v1.36.
 */
import type { Key } from "../../api/meta.ts";

const none: ReadonlySet<string> = new Set();

export class FinalizerExpectations {
  readonly #pods = new Map<Key, Set<string>>();

  expectRemoval(job: Key, pod: string): void {
    const pods = this.#pods.get(job) ?? new Set();
    this.#pods.set(job, pods.add(pod));
  }

  removalObserved(job: Key, pod: string): void {
    const pods = this.#pods.get(job);
    if (pods?.delete(pod) === true && pods.size === 0) this.#pods.delete(job);
  }

  /** By uid, those of a Job. */
  expected(job: Key): ReadonlySet<string> {
    return this.#pods.get(job) ?? none;
  }

  forget(job: Key): void {
    this.#pods.delete(job);
  }
}
