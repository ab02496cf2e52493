/**
 * When a component that looks at things periodically does so next. No counterpart upstream, where it depends on when the
 * process started.
 */
import type { Instant } from "../trace/instant.ts";

/**
 * The first look is half a period away, as it is on average; the others follow in steps of a period. `lookedAt` is the time
 * of an earlier one.
 */
export function untilNextLook(
  periodMs: number,
  lookedAt: Instant | undefined,
  now: Instant,
): number {
  return lookedAt === undefined ? periodMs / 2 : periodMs - ((now - lookedAt) % periodMs);
}
