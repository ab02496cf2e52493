/** One CSI driver: its controller plugin and node plugins, each up or down, and their calls in progress. */
import type { KubeObject } from "../api/meta.ts";
import type { CallResult } from "../runtime/effects.ts";
import type { NodeProfile } from "../scenario.ts";
import type { Instant } from "../trace/instant.ts";
import { Backend, type RoomChange } from "./backend.ts";
import { controllerService } from "./controller-service.ts";
import { hasNodePlugin } from "./driver-capabilities.ts";
import type { DriverProfile } from "./driver-profile.ts";
import { addExistingVolumes } from "./existing-volumes.ts";
import { FaultPlan, type FaultTurn } from "./fault-plan.ts";
import type { CsiRequest } from "./messages.ts";
import { nodeService } from "./node-service.ts";
import { isRefusal, type Reply, refuse, toResult, unimplemented } from "./rpc.ts";

/** The result that the caller gets, and the one that the driver believes to have answered. */
export interface CallEnd {
  readonly result: CallResult;
  readonly served: CallResult;
}

/** A call that has begun. It is answered after `delayMs` and takes effect then, even if its caller has gone. */
export interface PendingCall {
  readonly delayMs: number;
  /** Ends the call. Calling it again returns the same without another effect on the driver. */
  finish(now: Instant): CallEnd;
  /** Calls `action` if the plugin goes down during the call, which has to be finished then. */
  onBroken(action: () => void): void;
}

class RunningCall implements PendingCall {
  readonly delayMs: number;
  readonly scope: string;
  broken = false;
  readonly #end: (now: Instant, broken: boolean) => CallEnd;
  #listener: (() => void) | undefined;
  #ended: CallEnd | undefined;

  constructor(delayMs: number, scope: string, end: (now: Instant, broken: boolean) => CallEnd) {
    this.delayMs = delayMs;
    this.scope = scope;
    this.#end = end;
  }

  finish(now: Instant): CallEnd {
    this.#ended ??= this.#end(now, this.broken);
    return this.#ended;
  }

  onBroken(action: () => void): void {
    this.#listener = action;
  }

  break(): void {
    this.broken = true;
    this.#listener?.();
  }
}

export class Driver {
  readonly profile: DriverProfile;
  readonly faults: FaultPlan = new FaultPlan();
  readonly #backend: Backend;
  readonly #down = new Set<string>();
  /** Grows each time a plugin goes down: earlier connections are lost then. */
  readonly #connections = new Map<string, number>();
  readonly #running = new Set<RunningCall>();
  /** The locks that calls hold, and until when. */
  readonly #busy = new Map<string, Instant>();
  #waiting: (readonly [string, () => void])[] = [];
  readonly #onDown: (readonly [string, () => void])[] = [];

  constructor(profile: DriverProfile, nodes: readonly NodeProfile[]) {
    this.profile = profile;
    this.#backend = new Backend(profile, nodes);
    for (const node of nodes) if (!hasNodePlugin(profile.name, node)) this.#down.add(node.name);
  }

  /** Adds what its storage holds when the simulation begins. */
  addExisting(objects: readonly KubeObject[]): void {
    addExistingVolumes(this.#backend, objects);
  }

  /** Calls `action` once, when a volume is next created, deleted or grown. */
  whenRoomChanges(action: (change: RoomChange) => void): void {
    this.#backend.whenRoomChanges(action);
  }

  isUp(node: string): boolean {
    return !this.#down.has(node);
  }

  connection(node: string): number {
    return this.#connections.get(node) ?? 0;
  }

  /** Calls `action` once: now if the plugin is up, else when it comes up. */
  whenUp(node: string, action: () => void): void {
    if (this.isUp(node)) action();
    else this.#waiting.push([node, action]);
  }

  /** Calls `action` each time the plugin goes down. */
  onDown(node: string, action: () => void): void {
    this.#onDown.push([node, action]);
  }

  setUp(node: string, up: boolean): void {
    if (up === this.isUp(node)) return;
    if (up) {
      this.#down.delete(node);
      const ready = this.#waiting.filter(([where]) => where === node);
      this.#waiting = this.#waiting.filter(([where]) => where !== node);
      for (const [, action] of ready) action();
      return;
    }
    this.#down.add(node);
    this.#connections.set(node, this.connection(node) + 1);
    for (const call of [...this.#running]) if (call.scope === node) call.break();
    for (const [where, action] of this.#onDown) if (where === node) action();
  }

  begin(node: string, call: string, request: CsiRequest, now: Instant): PendingCall {
    if (!this.isUp(node)) return refusedCall(refuse("Unavailable", dialError(this.profile, node)));
    const lock = lockOf(call, node, request);
    const key = lock === undefined ? "" : `${call} ${lock}`;
    const busyUntil = this.#busyUntil(key, now);
    if (busyUntil > now && this.profile.concurrency === "abort") {
      return refusedCall(refuse("Aborted", `an operation for ${lock} is already in progress`));
    }
    const fault = this.faults.take(call, node);
    const delayMs = busyUntil - now + (fault?.delayMs ?? 0);
    // A call that fails only after its work takes effect at once.
    const early = fault?.after === true ? this.#serve(node, call, request, now) : undefined;
    const running: RunningCall = new RunningCall(delayMs, node, (end, broken) => {
      this.#running.delete(running);
      if (key !== "" && this.#busy.get(key) === until) this.#busy.delete(key);
      if (broken) return brokenCall(node);
      return endOf(early ?? this.#late(fault, node, call, request, end), fault);
    });
    const until = now + Math.max(delayMs, 1);
    if (key !== "" && this.profile.concurrency !== "none") this.#busy.set(key, until);
    this.#running.add(running);
    return running;
  }

  #busyUntil(key: string, now: Instant): Instant {
    return key === "" ? now : Math.max(now, this.#busy.get(key) ?? now);
  }

  #late(
    fault: FaultTurn | undefined,
    node: string,
    call: string,
    request: CsiRequest,
    now: Instant,
  ): Reply {
    if (fault?.code !== undefined) return refuse(fault.code, fault.message);
    return this.#serve(node, call, request, now);
  }

  #serve(node: string, call: string, request: CsiRequest, now: Instant): Reply {
    if (node === "") {
      const handler = controllerService[call];
      return handler === undefined ? unimplemented(call) : handler(this.#backend, request, now);
    }
    const handler = nodeService[call];
    return handler === undefined ? unimplemented(call) : handler(this.#backend, node, request);
  }
}

function endOf(reply: Reply, fault: FaultTurn | undefined): CallEnd {
  const failed =
    fault?.code === undefined || isRefusal(reply) ? reply : refuse(fault.code, fault.message);
  const result = toResult(failed);
  return { result, served: result };
}

export function refusedCall(reply: Reply): PendingCall {
  const result = toResult(reply);
  return { delayMs: 0, finish: () => ({ result, served: result }), onBroken: () => {} };
}

/** The connection broke: the caller reads EOF, while the plugin knows why. */
function brokenCall(node: string): CallEnd {
  const why = node === "" ? "the controller was stopped" : "the node plugin was stopped";
  return {
    result: toResult(refuse("Unavailable", "error reading from server: EOF")),
    served: toResult(refuse("Unavailable", why)),
  };
}

function dialError(driver: DriverProfile, node: string): string {
  const socket = node === "" ? "/csi/csi.sock" : `/var/lib/kubelet/plugins/${driver.name}/csi.sock`;
  return `connection error: desc = "transport: Error while dialing: dial unix ${socket}: connect: no such file or directory"`;
}

/** The lock that keeps a call from running twice at a time; undefined for calls that only read. */
function lockOf(call: string, node: string, request: CsiRequest): string | undefined {
  const volume = request.volume_id ?? "";
  switch (call) {
    case "CreateVolume":
    case "CreateSnapshot":
      return request.name;
    case "DeleteSnapshot":
      return request.snapshot_id;
    case "DeleteVolume":
    case "ControllerExpandVolume":
    case "ControllerModifyVolume":
      return volume;
    case "ControllerPublishVolume":
    case "ControllerUnpublishVolume":
      return `${volume} on ${request.node_id ?? ""}`;
    case "NodeStageVolume":
    case "NodeUnstageVolume":
    case "NodeExpandVolume":
      return `${volume} on ${node}`;
    case "NodePublishVolume":
    case "NodeUnpublishVolume":
      return `${volume} on ${node} at ${request.target_path ?? ""}`;
    default:
      return undefined;
  }
}
