/** What is mounted on a machine, in order of mounting. */

export interface MountEntry {
  /** A device, an export, a directory for a bind mount, or `tmpfs`. */
  readonly source: string;
  readonly target: string;
  readonly fsType: string;
  readonly options: readonly string[];
  /** True for a block device that is handed to a pod as it is. */
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

  /** Mounting again over the same target changes the entry in place. */
  mount(entry: MountEntry): void {
    this.#entries.set(entry.target, entry);
  }

  unmount(target: string): void {
    this.#entries.delete(target);
  }
}
