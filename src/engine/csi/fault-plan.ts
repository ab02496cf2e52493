/** The planned faults of one driver, as a queue: each call uses up one turn of the first fault that matches it. */
import type { DriverFault } from "../scenario.ts";
import { codeNamed } from "./rpc.ts";

/** What a fault does to one call. */
export interface FaultTurn {
  /** Absent if the call is only slow. */
  readonly code?: string;
  readonly message: string;
  readonly delayMs: number;
  /** True if the call takes effect before the error is answered. */
  readonly after: boolean;
}

interface Fault extends FaultTurn {
  readonly call: string;
  readonly node: string | undefined;
  left: number;
}

export class FaultPlan {
  #queue: Fault[] = [];

  set(fault: DriverFault): void {
    const { call, node, message, times = 1, delayMs = 0, after = false } = fault;
    const code = fault.code === undefined ? undefined : codeNamed(fault.code);
    if (fault.clear === true) {
      this.#queue = this.#queue.filter(
        (f) => (call !== undefined && f.call !== call) || (node !== undefined && f.node !== node),
      );
      return;
    }
    if (call === undefined) return;
    // An endless fault would never let a later one have a turn, so the later one replaces it.
    const endless = this.#queue.findIndex(
      (f) => f.call === call && f.node === node && f.left === Number.POSITIVE_INFINITY,
    );
    if (endless >= 0) this.#queue.splice(endless, 1);
    this.#queue.push({
      call,
      node,
      ...(code !== undefined && code !== "OK" && { code }),
      message: message ?? (code === undefined ? "" : `injected ${code}`),
      delayMs,
      after,
      left: times === 0 ? Number.POSITIVE_INFINITY : times,
    });
  }

  isFor(call: string, node: string): boolean {
    return this.#queue.some((f) => f.call === call && (f.node === undefined || f.node === node));
  }

  /** Uses up one turn and returns it; undefined if no fault matches. */
  take(call: string, node: string): FaultTurn | undefined {
    const at = this.#queue.findIndex(
      (f) => f.call === call && (f.node === undefined || f.node === node),
    );
    const fault = this.#queue[at];
    if (fault === undefined) return undefined;
    fault.left--;
    if (fault.left <= 0) this.#queue.splice(at, 1);
    return fault;
  }
}
