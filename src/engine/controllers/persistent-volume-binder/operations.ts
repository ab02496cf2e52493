/**
 * Runs asynchronous operations, one at a time per name. After a failure the name is refused until its back-off is over.
 * Nothing retries here: the next sync starts the operation again. Upstream: pkg/util/goroutinemap and exponentialbackoff v1.36.
 */
import type { ComponentContext } from "../../runtime/component.ts";
import type { Task } from "../../runtime/effects.ts";
import type { Instant } from "../../trace/instant.ts";

const initialBackOffMs = 500;
const backOffMsMax = 122_000;

/** An error starts or doubles the back-off of the operation's name. */
export type OperationResult =
  | { readonly ok: true }
  | { readonly ok: false; readonly error: string };

interface Failure {
  readonly at: Instant;
  readonly backOffMs: number;
}

export class Operations {
  readonly #context: ComponentContext;
  readonly #running = new Set<string>();
  readonly #failures = new Map<string, Failure>();

  constructor(context: ComponentContext) {
    this.#context = context;
  }

  /** Starts the operation unless one of that name is running or backing off. */
  run(name: string, operation: () => Task<OperationResult>): void {
    const failure = this.#failures.get(name);
    if (this.#running.has(name)) return;
    if (failure !== undefined && this.#context.now - failure.at <= failure.backOffMs) return;
    this.#running.add(name);
    this.#context.go(this.#watched(name, operation()));
  }

  *#watched(name: string, operation: Task<OperationResult>): Task {
    const result = yield* operation;
    this.#running.delete(name);
    if (result.ok) {
      this.#failures.delete(name);
    } else {
      const before = this.#failures.get(name)?.backOffMs;
      const backOffMs =
        before === undefined ? initialBackOffMs : Math.min(before * 2, backOffMsMax);
      this.#failures.set(name, { at: this.#context.now, backOffMs });
    }
  }
}
