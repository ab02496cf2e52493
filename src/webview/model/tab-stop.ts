/** Of things that arrow keys go through, the one that Tab reaches. */
import type { Ref } from "../../engine/api/meta.ts";

/** The selected one, or the first where that is not listed; undefined where nothing is. */
export function tabStop(listed: readonly Ref[], selected: Ref | undefined): Ref | undefined {
  return selected !== undefined && listed.includes(selected) ? selected : listed[0];
}
