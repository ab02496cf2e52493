/** A volume that fits, but that the binder has yet to make Available. Upstream: pv_controller.go syncVolume v1.36. */
import type { Decision } from "../../trace/decision.ts";

/** True if the only rule that a candidate failed is that its phase was still Pending; false without a decision. */
export function lacksPhaseOnly(decision: Decision | undefined): boolean {
  return (decision?.candidates ?? []).some(
    ({ failed }) =>
      failed.length > 0 &&
      failed.every(({ rule, found }) => rule === "phase" && found === "Pending"),
  );
}
