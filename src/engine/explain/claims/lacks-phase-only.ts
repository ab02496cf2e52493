/** A volume that would do, and of which the binder has yet to say that it may be bound. Upstream: pv_controller.go syncVolume v1.36. */
import type { Decision } from "../../trace/decision.ts";

/** Whether a volume was passed over because it had no phase yet; false where nothing was decided. */
export function lacksPhaseOnly(decision: Decision | undefined): boolean {
  return (decision?.candidates ?? []).some(
    ({ failed }) =>
      failed.length > 0 &&
      failed.every(({ rule, found }) => rule === "phase" && found === "Pending"),
  );
}
