/**
 * Which size a volume is grown to next. A larger growth that may still be under way is finished before a smaller one begins.
 * Upstream: external-resizer v2.2 pkg/controller/expand_and_recover.go.
 */
import { resizeStatus } from "../../matching/resize-conditions.ts";

export interface ExpansionState {
  readonly requested: bigint;
  readonly volumeSize: bigint;
  /** The size that is being worked on, or was last. */
  readonly allocated: bigint | undefined;
  readonly status: string | undefined;
  /** This process knows that the driver has stopped working on the last size. */
  readonly isLastAnswerFinal: boolean;
  readonly isFileSystemResizePending: boolean;
  readonly canExpandOnController: boolean;
}

/** Undefined: there is nothing for the resizer to do, the kubelet goes on. */
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

/** The volume is large enough already, but the claim has not got there. */
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
