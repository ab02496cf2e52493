/**
 * When a component that checks things periodically does so next. No counterpart upstream, where it depends on when the process
 * started.
 */
import type { Instant } from "../trace/instant.ts";

/**
 * Returns the delay until the next check. The first is half a period away, the average; the others follow in steps of a period
 * after `lookedAt`, the time of an earlier one.
 */
export function untilNextLook(
  periodMs: number,
  lookedAt: Instant | undefined,
  now: Instant,
): number {
  return lookedAt === undefined ? periodMs / 2 : periodMs - ((now - lookedAt) % periodMs);
}
