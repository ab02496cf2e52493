/**
 * The size to expand a volume to next. A larger expansion that may still be in progress is finished before a smaller one.
 * Upstream: external-resizer v2.2 pkg/controller/expand_and_recover.go.
 */
import { resizeStatus } from "../../matching/resize-conditions.ts";

export interface ExpansionState {
  readonly requested: bigint;
  readonly volumeSize: bigint;
  /** The size of the expansion in progress, or of the last one. */
  readonly allocated: bigint | undefined;
  readonly status: string | undefined;
  /** True if this process knows that the driver no longer works on the last size. */
  readonly isLastAnswerFinal: boolean;
  readonly isFileSystemResizePending: boolean;
  readonly canExpandOnController: boolean;
}

/** Returns undefined if the rest is up to the kubelet. */
export function expansionTarget(state: ExpansionState): bigint | undefined {
  return state.volumeSize < state.requested ? targetOfGrowth(state) : targetOfRest(state);
}

function targetOfGrowth(state: ExpansionState): bigint | undefined {
  const { requested, allocated = requested, volumeSize } = state;
  switch (state.status) {
    case resizeStatus.nodeInfeasible:
      return allocated;
    case resizeStatus.nodePending:
    case resizeStatus.nodeInProgress:
      return volumeSize >= allocated ? undefined : allocated;
    case resizeStatus.controllerInProgress:
      return state.isLastAnswerFinal ? requested : allocated;
    default:
      return requested;
  }
}

/** The volume is large enough already, but the claim does not show it. */
function targetOfRest(state: ExpansionState): bigint | undefined {
  const { requested, allocated } = state;
  switch (state.status) {
    case resizeStatus.nodePending:
    case resizeStatus.nodeInProgress:
      return undefined;
    case resizeStatus.nodeInfeasible:
      return state.canExpandOnController ? (allocated ?? requested) : requested;
    case resizeStatus.controllerInProgress:
    case resizeStatus.controllerInfeasible:
      return allocated ?? requested;
    default:
      return allocated ?? (state.isFileSystemResizePending ? undefined : requested);
  }
}
