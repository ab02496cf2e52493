/**
 * What a controller has requested and not yet seen in its caches: as long as something is expected, it creates no pods, because
 * it would create them twice. Upstream: kube-controller-manager v1.36, pkg/controller/controller_utils.go
 * ControllerExpectations and UIDTrackingControllerExpectations. Not modeled: the five-minute timeout, because no watch event
 * is lost here.
 */
import type { Key } from "../../api/meta.ts";

export class Expectations {
  readonly #creations = new Map<Key, number>();
  readonly #deletions = new Map<Key, Set<string>>();

  expectCreations(key: Key, count: number): void {
    this.#creations.set(key, count);
  }

  /** `pods` are uids: a pod that is recreated under the same name must not be taken for the deleted one. */
  expectDeletions(key: Key, pods: readonly string[]): void {
    this.#deletions.set(key, new Set(pods));
  }

  creationObserved(key: Key): void {
    const left = (this.#creations.get(key) ?? 0) - 1;
    if (left > 0) this.#creations.set(key, left);
    else this.#creations.delete(key);
  }

  deletionObserved(key: Key, pod: string): void {
    const left = this.#deletions.get(key);
    if (left?.delete(pod) === true && left.size === 0) this.#deletions.delete(key);
  }

  satisfied(key: Key): boolean {
    return !this.#creations.has(key) && !this.#deletions.has(key);
  }

  forget(key: Key): void {
    this.#creations.delete(key);
    this.#deletions.delete(key);
  }
}
