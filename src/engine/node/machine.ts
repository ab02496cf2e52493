/**
 * A node's machine: what is physically there whether or not its kubelet runs. A kubelet that starts finds running
 * containers, mounts and directories as its predecessor left them.
 */
import type { Pod } from "../api/types.ts";
import type { NodeProfile } from "../scenario.ts";
import type { Instant } from "../trace/instant.ts";
import { ContainerRuntime } from "./container-runtime.ts";
import { HostFiles } from "./host-files.ts";
import { MountTable } from "./mount-table.ts";

export const kubeletRoot = "/var/lib/kubelet";

interface Period {
  readonly from: Instant;
  readonly to: Instant;
}

const never: Period = { from: Number.POSITIVE_INFINITY, to: Number.NEGATIVE_INFINITY };

export class Machine {
  readonly profile: NodeProfile;
  readonly files: HostFiles;
  readonly mounts: MountTable = new MountTable();
  readonly containers: ContainerRuntime;
  /** Contents of the vol_data.json files by path: how a kubelet knows what its predecessor mounted. */
  readonly #data = new Map<string, Readonly<Record<string, string>>>();
  /** The last time that the kubelet was down; it has no end yet where it still is. */
  #down = never;
  #known: readonly Pod[] | undefined = [];
  readonly #heartbeatListeners: (() => void)[] = [];

  /** The `index`-th of the cluster's nodes. */
  constructor(profile: NodeProfile, index: number) {
    this.profile = profile;
    this.containers = new ContainerRuntime(index, profile.fakeMounts === true);
    this.files = new HostFiles(profile.hostPaths);
  }

  get name(): string {
    return this.profile.name;
  }

  /** Takes over the pods that are here when the simulation begins; those in `running` have their volumes mounted. */
  adopt(pods: readonly Pod[], running: ReadonlySet<Pod>, now: Instant): void {
    this.#known = pods;
    for (const pod of pods) {
      if (running.has(pod)) this.containers.adopt(pod, now);
      else this.containers.noteReported(pod);
    }
  }

  /** Pods that the first kubelet knows of as if it had never stopped; undefined for those that are started after it. */
  takeKnown(): readonly Pod[] | undefined {
    const known = this.#known;
    this.#known = undefined;
    return known;
  }

  /** False while the kubelet process is frozen or down; its containers go on. */
  get kubeletUp(): boolean {
    return this.#down.to !== Number.POSITIVE_INFINITY;
  }

  /** When a kubelet does what falls due at an instant: as soon as it goes on, where it is down just then. */
  whenDone(due: Instant): Instant {
    const { from, to } = this.#down;
    return from <= due && due <= to ? to + 1 : due;
  }

  setKubeletUp(up: boolean, now: Instant): void {
    if (up === this.kubeletUp) return;
    this.#down = up
      ? { from: this.#down.from, to: now }
      : { from: now, to: Number.POSITIVE_INFINITY };
    for (const listener of this.#heartbeatListeners) listener();
  }

  /** Calls when the kubelet's heartbeats cease or begin again. */
  onHeartbeatChange(listener: () => void): void {
    this.#heartbeatListeners.push(listener);
  }

  /** Is a program in the PATH? A machine that does not say has them all. */
  hasTool(name: string): boolean {
    return this.profile.tools === undefined || this.profile.tools.includes(name);
  }

  /** False where mounts are only noted: nothing then shows through them, and none is really read-only. */
  get mountsAreReal(): boolean {
    return this.profile.fakeMounts !== true;
  }

  writeData(path: string, data: Readonly<Record<string, string>>): void {
    this.files.makeDirectories(path.slice(0, path.lastIndexOf("/")), 0o750);
    this.files.makeFile(path);
    this.#data.set(path, data);
  }

  readData(path: string): Readonly<Record<string, string>> | undefined {
    return this.#data.get(path);
  }

  /** `rm -r`. */
  removeAll(path: string): void {
    for (const gone of this.files.remove(path)) this.#data.delete(gone);
  }
}
