/** Which item of a list with arrow-key navigation Tab reaches. */
import type { Ref } from "../../engine/api/meta.ts";

/** The selected item, or the first if that is not listed; undefined if the list is empty. */
export function tabStop(listed: readonly Ref[], selected: Ref | undefined): Ref | undefined {
  return selected !== undefined && listed.includes(selected) ? selected : listed[0];
}
