/** The mounts of a machine, in order of mounting. */

export interface MountEntry {
  /** A device, an export, a directory for a bind mount, or `tmpfs`. */
  readonly source: string;
  readonly target: string;
  readonly fsType: string;
  readonly options: readonly string[];
  /** True for a raw block device that is handed to a pod. */
  readonly device?: boolean;
}

export class MountTable {
  readonly #entries = new Map<string, MountEntry>();

  get entries(): readonly MountEntry[] {
    return [...this.#entries.values()];
  }

  get(target: string): MountEntry | undefined {
    return this.#entries.get(target);
  }

  /** A second mount on the same target replaces the entry in place. */
  mount(entry: MountEntry): void {
    this.#entries.set(entry.target, entry);
  }

  unmount(target: string): void {
    this.#entries.delete(target);
  }
}
