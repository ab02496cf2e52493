/**
 * Pods whose finalizer was removed while the cache may still show it: they are counted already and must not be counted again.
 * Upstream: pkg/controller/job/tracking_utils.go uidTrackingExpectations v1.36.
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

  /** Uids of the Job's pods for which that is the case. */
  expected(job: Key): ReadonlySet<string> {
    return this.#pods.get(job) ?? none;
  }

  forget(job: Key): void {
    this.#pods.delete(job);
  }
}
