/** What the outcome table says of an object at one moment. */
import type { ObjectStatus } from "../../engine/explain/object-status.ts";
import type { VerdictKind } from "../../engine/explain/verdict.ts";

export interface RowState {
  /** Absent where the object does not exist at that moment. */
  readonly status?: ObjectStatus;
  readonly verdict?: VerdictKind;
  /** Whether the API server has refused what was last asked of it. */
  readonly isRefused: boolean;
}
