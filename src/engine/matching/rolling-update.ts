/**
 * How far a Deployment's rolling update may go above and below the desired number of pods. Upstream:
 * pkg/controller/deployment/util ResolveFenceposts v1.36.
 */
import type { RollingUpdateDeployment } from "../api/types.ts";
import { scaledDown, scaledUp } from "./int-or-percent.ts";

export interface Fenceposts {
  readonly surge: number;
  readonly unavailable: number;
}

/** Returns both limits, never both zero: the update could not proceed then. */
export function fenceposts(
  { maxSurge, maxUnavailable }: RollingUpdateDeployment,
  replicas: number,
): Fenceposts {
  const surge = scaledUp(maxSurge, replicas);
  const unavailable = scaledDown(maxUnavailable, replicas);
  return surge === 0 && unavailable === 0 ? { surge: 0, unavailable: 1 } : { surge, unavailable };
}
