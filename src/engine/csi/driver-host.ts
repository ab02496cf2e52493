/** The CSI drivers of a cluster as their callers reach them: which are up, what is slow or fails, what each answers. */
import type { CallResult } from "../runtime/effects.ts";
import type { DriverFault, NodeProfile } from "../scenario.ts";
import type { Instant } from "../trace/trace.ts";
import type { DriverProfile } from "./driver-profile.ts";

/** A call that has begun: it is answered after `delayMs`, and takes effect then even if its caller has left. */
export interface PendingCall {
  readonly delayMs: number;
  finish(now: Instant): CallResult;
}

export class DriverHost {
  readonly profiles: readonly DriverProfile[];

  constructor(profiles: readonly DriverProfile[], _nodes: readonly NodeProfile[]) {
    this.profiles = profiles;
  }

  profile(name: string): DriverProfile | undefined {
    return this.profiles.find((p) => p.name === name);
  }

  setFault(_fault: DriverFault): void {}

  /** Is the controller plugin up (node ""), or the node plugin of a node? False for drivers that the cluster lacks. */
  isUp(driver: string, _node: string): boolean {
    return this.profile(driver) !== undefined;
  }

  setUp(_driver: string, _node: string, _up: boolean): void {}

  begin(_driver: string, _node: string, call: string, _request: Readonly<Record<string, unknown>>, _now: Instant): PendingCall {
    return { delayMs: 0, finish: () => ({ code: "Unimplemented", message: `unknown method ${call}`, response: {} }) };
  }
}
