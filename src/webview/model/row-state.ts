/** What the outcome table shows for an object at one moment. */
import type { ObjectStatus } from "../../engine/explain/object-status.ts";
import type { VerdictKind } from "../../engine/explain/verdict.ts";

export interface RowState {
  /** Absent if the object does not exist at that moment. */
  readonly status?: ObjectStatus;
  readonly verdict?: VerdictKind;
  /** True if the API server refused the last request for it. */
  readonly isRefused: boolean;
}
