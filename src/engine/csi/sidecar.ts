/**
 * What the CSI sidecars have in common. Each is a process beside the driver's controller plugin, waits for it at its start, and
 * exits at its first call after the connection broke, so that its queues and back-offs start afresh.
 * Upstream: csi-lib-utils v0.23 connection/connection.go Connect, ExitOnConnectionLoss.
 */
import type { Component, ComponentContext } from "../runtime/component.ts";
import { type CallResult, callDriver, sleep, type Task } from "../runtime/effects.ts";
import { latency } from "../runtime/latency.ts";
import { controllerCapabilities } from "./driver-capabilities.ts";
import type { DriverProfile } from "./driver-profile.ts";
import type { CsiRequest } from "./messages.ts";

/** --retry-interval-start and --retry-interval-max; sidecars' queues have no overall rate limit. */
export const sidecarBackoff: SidecarBackoff = {
  baseMs: 1_000,
  maxMs: 300_000,
  perSecond: 1_000_000,
  burst: 1_000_000,
};

export interface SidecarBackoff {
  readonly baseMs: number;
  readonly maxMs: number;
  readonly perSecond: number;
  readonly burst: number;
}

/** The provisioner's back-off, which some drivers' manifests change. */
export function provisionerBackoff({ sidecars = {} }: DriverProfile): SidecarBackoff {
  const { retryStartMs = sidecarBackoff.baseMs, retryMaxMs = sidecarBackoff.maxMs } = sidecars;
  return { ...sidecarBackoff, baseMs: retryStartMs, maxMs: retryMaxMs };
}

export interface SidecarOptions {
  readonly name: string;
  /** The source of its events. */
  readonly source: string;
  readonly driver: string;
  run(context: ComponentContext, connection: ControllerConnection): void;
}

export function sidecar(options: SidecarOptions): Component {
  const { name, source, driver, run } = options;
  return {
    name,
    source,
    start: (context) => {
      const { drivers } = context;
      // A sidecar that had to wait for the driver starts a moment after it comes up, and sees what was written just before.
      const delayMs = drivers.isUp(driver, "") ? 0 : latency.callMs;
      // The driver outlives the sidecar, so the timer belongs to the context: a process that is gone must not be woken.
      drivers.whenUp(driver, "", () =>
        context.after(delayMs, () => {
          const profile = drivers.profile(driver);
          if (profile !== undefined) run(context, new ControllerConnection(context, profile));
        }),
      );
    },
  };
}

/** A sidecar's connection to its driver's controller plugin. */
export class ControllerConnection {
  readonly driver: DriverProfile;
  readonly capabilities: ReadonlySet<string>;
  readonly #context: ComponentContext;
  readonly #number: number;

  constructor(context: ComponentContext, driver: DriverProfile) {
    this.driver = driver;
    this.capabilities = controllerCapabilities(driver);
    this.#context = context;
    this.#number = context.drivers.connection(driver.name, "");
  }

  has(capability: string): boolean {
    return this.capabilities.has(capability);
  }

  /**
   * Makes the event that announces work, then does the work. Events are sent in the background: if the driver is gone, the
   * first call ends the process before that. Work that needs no call is announced all the same.
   */
  *announced<T>(announcement: Task, work: Task<T>): Task<T> {
    const isLost = this.#isLost();
    if (!isLost) yield* announcement;
    const result = yield* work;
    if (isLost) yield* announcement;
    return result;
  }

  *call(call: string, request: CsiRequest, timeoutMs: number): Task<CallResult> {
    if (this.#isLost()) {
      this.#context.exit(latency.restartMs);
      yield* sleep(0); // The process ends here.
    }
    return yield* callDriver(this.driver.name, "", call, { ...request }, timeoutMs);
  }

  #isLost(): boolean {
    return this.#context.drivers.connection(this.driver.name, "") !== this.#number;
  }
}
