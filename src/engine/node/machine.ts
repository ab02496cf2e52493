/**
 * A node's machine: everything physical that exists whether or not its kubelet runs. A kubelet that starts finds running
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
  /** The last time that the kubelet was down; `to` is infinite while it still is. */
  #down = never;
  #known: readonly Pod[] | undefined = [];
  readonly #heartbeatListeners: (() => void)[] = [];

  /** `index` is the node's place in the cluster. */
  constructor(profile: NodeProfile, index: number) {
    this.profile = profile;
    this.containers = new ContainerRuntime(index, profile.fakeMounts === true);
    this.files = new HostFiles(profile.hostPaths);
  }

  get name(): string {
    return this.profile.name;
  }

  /** Takes over the pods that were here when the simulation began; those in `running` have their volumes mounted. */
  adopt(pods: readonly Pod[], running: ReadonlySet<Pod>, now: Instant): void {
    this.#known = pods;
    for (const pod of pods) {
      if (running.has(pod)) this.containers.adopt(pod, now);
      else this.containers.noteReported(pod);
    }
  }

  /** Returns the pods that the first kubelet knows as if it had never stopped; undefined for every later kubelet. */
  takeKnown(): readonly Pod[] | undefined {
    const known = this.#known;
    this.#known = undefined;
    return known;
  }

  /** False while the kubelet process is frozen or down; containers keep running. */
  get kubeletUp(): boolean {
    return this.#down.to !== Number.POSITIVE_INFINITY;
  }

  /** Returns when the kubelet does what is due at an instant: then, or as soon as it resumes if it is down at that time. */
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

  /** Calls the listener when the kubelet's heartbeats stop or resume. */
  onHeartbeatChange(listener: () => void): void {
    this.#heartbeatListeners.push(listener);
  }

  /** True if the program is in the PATH. A profile without `tools` has all programs. */
  hasTool(name: string): boolean {
    return this.profile.tools === undefined || this.profile.tools.includes(name);
  }

  /** False if mounts are only recorded: nothing shows through them, and none is really read-only. */
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
