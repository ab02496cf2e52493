/**
 * CSI calls in virtual time. The caller waits for the answer or for its deadline; the driver completes the call in either
 * case.
 */
import type { DriverHost } from "../csi/driver-host.ts";
import { withoutSecrets } from "../csi/messages.ts";
import type { AnswerEntry, CallEntry } from "../trace/entry.ts";
import type { Trace } from "../trace/trace.ts";
import type { CallResult, Effect } from "./effects.ts";
import type { EventLoop } from "./event-loop.ts";
import { latency } from "./latency.ts";

export class DriverCalls {
  readonly #loop: EventLoop;
  readonly #trace: Trace;
  readonly #drivers: DriverHost;
  #count = 0;

  constructor(loop: EventLoop, trace: Trace, drivers: DriverHost) {
    this.#loop = loop;
    this.#trace = trace;
    this.#drivers = drivers;
  }

  begin(
    actor: string,
    cause: number | undefined,
    effect: Extract<Effect, { type: "call" }>,
    answered: (result: CallResult) => void,
  ): void {
    const id = ++this.#count;
    const { driver, node, call, request, timeoutMs } = effect;
    const loop = this.#loop;
    const entry: CallEntry = {
      type: "call",
      actor,
      cause,
      id,
      driver,
      node,
      call,
      request: withoutSecrets(request),
      seq: 0,
      at: 0,
    };
    this.#trace.add(loop.now, entry);
    const pending = this.#drivers.begin(driver, node, call, request, loop.now);
    let left = false;
    const leave = (result: CallResult): void => {
      if (left) return;
      left = true;
      loop.cancel(deadline);
      answered(result);
    };
    const finish = (): void => {
      loop.cancel(due);
      const { result, served } = pending.finish(loop.now);
      const { code, message } = served;
      const answer: AnswerEntry = {
        type: "answer",
        actor: driver,
        id,
        code,
        message,
        seq: 0,
        at: 0,
      };
      this.#trace.add(loop.now, answer);
      leave(result);
    };
    const deadline = loop.after(timeoutMs, () =>
      leave({ code: "DeadlineExceeded", message: "context deadline exceeded", response: {} }),
    );
    const due = loop.after(latency.callMs / 2 + pending.delayMs, finish);
    pending.onBroken(finish);
  }
}
