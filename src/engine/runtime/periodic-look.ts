/** When a component that looks once in a period looks next, with no counterpart upstream: nobody knows when it began. */
import type { Instant } from "../trace/instant.ts";

/** The first look is half a period away, as it is on average, and the others come in its steps. `lookedAt` is one of these. */
export function untilNextLook(
  periodMs: number,
  lookedAt: Instant | undefined,
  now: Instant,
): number {
  return lookedAt === undefined ? periodMs / 2 : periodMs - ((now - lookedAt) % periodMs);
}
