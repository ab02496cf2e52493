/**
 * How long a Job waits after failures before it creates new pods. Upstream: pkg/controller/job/backoff_utils.go v1.36:
 * 10 s, doubled for each further failure since the last success, at most 10 min.
 */
import type { Key } from "../../api/meta.ts";
import type { Instant } from "../../trace/instant.ts";
import { finishTime, type Pod } from "./job-pods.ts";

const baseMs = 10_000;
const maxMs = 600_000;

export interface BackoffRecord {
  readonly failures: number;
  readonly lastFailureAt: Instant;
}

const none: BackoffRecord = { failures: 0, lastFailureAt: 0 };

export class PodBackoff {
  readonly #records = new Map<Key, BackoffRecord>();

  /** Returns the record updated with newly ended pods, which applies only once passed to `keep`. */
  after(key: Key, succeeded: readonly Pod[], failed: readonly Pod[]): BackoffRecord {
    const record = this.#records.get(key) ?? none;
    if (failed.length === 0) return succeeded.length === 0 ? record : none;
    const failures = failed.map(finishTime);
    const lastSuccess = Math.max(Number.NEGATIVE_INFINITY, ...succeeded.map(finishTime));
    const since = failures.filter((at) => at > lastSuccess);
    const before = succeeded.length === 0 ? record.failures : 0;
    return { failures: before + since.length, lastFailureAt: Math.max(...failures) };
  }

  keep(key: Key, record: BackoffRecord): void {
    this.#records.set(key, record);
  }

  forget(key: Key): void {
    this.#records.delete(key);
  }
}

export function remainingMs({ failures, lastFailureAt }: BackoffRecord, now: Instant): number {
  if (failures === 0) return 0;
  return Math.max(0, lastFailureAt + Math.min(baseMs * 2 ** (failures - 1), maxMs) - now);
}
