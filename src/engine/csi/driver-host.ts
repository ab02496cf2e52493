/** The CSI drivers of a cluster as their callers see them: which are up, which are slow or fail, what each answers. */
import type { KubeObject } from "../api/meta.ts";
import type { DriverFault, NodeProfile } from "../scenario.ts";
import type { Instant } from "../trace/instant.ts";
import type { RoomChange } from "./backend.ts";
import { Driver, type PendingCall, refusedCall } from "./driver.ts";
import type { DriverProfile } from "./driver-profile.ts";
import { refuse } from "./rpc.ts";

export class DriverHost {
  readonly profiles: readonly DriverProfile[];
  readonly #drivers: ReadonlyMap<string, Driver>;
  /** The group of each volume's root directory, by driver and volume; absent if it was never changed. */
  readonly #rootGroups = new Map<string, number>();

  constructor(profiles: readonly DriverProfile[], nodes: readonly NodeProfile[]) {
    this.profiles = profiles;
    this.#drivers = new Map(profiles.map((profile) => [profile.name, new Driver(profile, nodes)]));
  }

  /** Adds what the drivers' storage holds when the simulation begins. */
  addExisting(objects: readonly KubeObject[]): void {
    for (const driver of this.#drivers.values()) driver.addExisting(objects);
  }

  profile(name: string): DriverProfile | undefined {
    return this.#drivers.get(name)?.profile;
  }

  rootGroup(driver: string, volumeHandle: string): number | undefined {
    return this.#rootGroups.get(`${driver} ${volumeHandle}`);
  }

  setRootGroup(driver: string, volumeHandle: string, group: number): void {
    this.#rootGroups.set(`${driver} ${volumeHandle}`, group);
  }

  setFault(fault: DriverFault): void {
    this.#drivers.get(fault.driver)?.faults.set(fault);
  }

  /** True if a fault is set for this call. */
  isDisturbed(driver: string, node: string, call: string): boolean {
    return this.#drivers.get(driver)?.faults.isFor(call, node) === true;
  }

  /** True if the controller plugin (node "") or the node's plugin is up; false for drivers that the cluster lacks. */
  isUp(driver: string, node: string): boolean {
    return this.#drivers.get(driver)?.isUp(node) === true;
  }

  setUp(driver: string, node: string, up: boolean): void {
    this.#drivers.get(driver)?.setUp(node, up);
  }

  /** Calls `action` once, as soon as the plugin is up; never for drivers that the cluster lacks. */
  whenUp(driver: string, node: string, action: () => void): void {
    this.#drivers.get(driver)?.whenUp(node, action);
  }

  /** Calls `action` each time the plugin goes down, to the end of the run. */
  onDown(driver: string, node: string, action: () => void): void {
    this.#drivers.get(driver)?.onDown(node, action);
  }

  /** Grows each time the plugin goes down: a client with an older number has lost its connection. */
  connection(driver: string, node: string): number {
    return this.#drivers.get(driver)?.connection(node) ?? 0;
  }

  /** Calls `action` once, when a volume of the driver is next created, deleted or grown. */
  whenRoomChanges(driver: string, action: (change: RoomChange) => void): void {
    this.#drivers.get(driver)?.whenRoomChanges(action);
  }

  begin(
    driver: string,
    node: string,
    call: string,
    request: Readonly<Record<string, unknown>>,
    now: Instant,
  ): PendingCall {
    const known = this.#drivers.get(driver);
    if (known === undefined) {
      return refusedCall(refuse("Unavailable", `driver ${driver} is not installed`));
    }
    return known.begin(node, call, request, now);
  }
}
