/**
 * A machine's file system as far as volumes look at it: which paths exist, of which kind, and which group owns them.
 * Not modelled: symbolic links, permissions of others, file sizes.
 */
import type { HostPathType } from "../scenario.ts";

export interface FileEntry {
  readonly type: HostPathType;
  /** Permission bits; 0o755 for directories and 0o644 for the rest where nobody said otherwise. */
  readonly mode: number;
  readonly group: number;
}

/** What every Linux machine has. */
const usual: Readonly<Record<string, HostPathType>> = {
  "/bin": "directory",
  "/boot": "directory",
  "/dev": "directory",
  "/dev/fuse": "charDevice",
  "/dev/kmsg": "charDevice",
  "/dev/null": "charDevice",
  "/dev/random": "charDevice",
  "/dev/shm": "directory",
  "/dev/tty": "charDevice",
  "/dev/urandom": "charDevice",
  "/dev/zero": "charDevice",
  "/etc": "directory",
  "/etc/group": "file",
  "/etc/hostname": "file",
  "/etc/hosts": "file",
  "/etc/localtime": "file",
  "/etc/machine-id": "file",
  "/etc/os-release": "file",
  "/etc/passwd": "file",
  "/etc/resolv.conf": "file",
  "/etc/ssl": "directory",
  "/etc/ssl/certs": "directory",
  "/home": "directory",
  "/lib": "directory",
  "/lib/modules": "directory",
  "/media": "directory",
  "/mnt": "directory",
  "/opt": "directory",
  "/proc": "directory",
  "/root": "directory",
  "/run": "directory",
  "/sbin": "directory",
  "/srv": "directory",
  "/sys": "directory",
  "/sys/fs": "directory",
  "/sys/fs/cgroup": "directory",
  "/sys/kernel": "directory",
  "/sys/kernel/debug": "directory",
  "/tmp": "directory",
  "/usr": "directory",
  "/usr/bin": "directory",
  "/usr/lib": "directory",
  "/usr/local": "directory",
  "/usr/local/bin": "directory",
  "/usr/share": "directory",
  "/usr/share/zoneinfo": "directory",
  "/usr/src": "directory",
  "/var": "directory",
  "/var/cache": "directory",
  "/var/lib": "directory",
  "/var/lib/kubelet": "directory",
  "/var/log": "directory",
  "/var/run": "directory",
  "/var/tmp": "directory",
};

export class HostFiles {
  readonly #entries = new Map<string, FileEntry>([["/", entry("directory")]]);
  readonly #children = new Map<string, Set<string>>();

  constructor(paths: Readonly<Record<string, HostPathType>> = {}) {
    for (const [path, type] of Object.entries(usual)) this.#put(path, entry(type));
    for (const [path, type] of Object.entries(paths)) {
      this.makeDirectories(parentOf(cleanPath(path)));
      this.#put(cleanPath(path), entry(type));
    }
  }

  get(path: string): FileEntry | undefined {
    return this.#entries.get(cleanPath(path));
  }

  exists(path: string): boolean {
    return this.get(path) !== undefined;
  }

  /** The longest part of a path that is there. */
  nearest(path: string): string {
    let at = cleanPath(path);
    while (!this.#entries.has(at)) at = parentOf(at);
    return at;
  }

  /** The first part of a path that is not there; undefined where all of it is. */
  firstMissing(path: string): string | undefined {
    const clean = cleanPath(path);
    const there = this.nearest(clean);
    if (there === clean) return undefined;
    const end = clean.indexOf("/", there === "/" ? 1 : there.length + 1);
    return end < 0 ? clean : clean.slice(0, end);
  }

  /** `mkdir -p`; false where a part of the path is no directory. */
  makeDirectories(path: string, mode = 0o755): boolean {
    const missing: string[] = [];
    for (let at = cleanPath(path); ; at = parentOf(at)) {
      const found = this.#entries.get(at);
      if (found === undefined) missing.push(at);
      else if (found.type === "directory") break;
      else return false;
    }
    const directory = mode === usualDirectory.mode ? usualDirectory : { ...usualDirectory, mode };
    for (const at of missing.reverse()) this.#put(at, directory);
    return true;
  }

  /** False where the directory it goes into is missing. */
  makeFile(path: string): boolean {
    const clean = cleanPath(path);
    if (this.#entries.get(parentOf(clean))?.type !== "directory") return false;
    if (!this.#entries.has(clean)) this.#put(clean, entry("file"));
    return true;
  }

  setGroup(path: string, group: number): void {
    const clean = cleanPath(path);
    const found = this.#entries.get(clean);
    if (found !== undefined) this.#entries.set(clean, { ...found, group });
  }

  /** `rm -r`; the paths that are gone. */
  remove(path: string): readonly string[] {
    const clean = cleanPath(path);
    const gone = [...this.below(clean), clean];
    for (const each of gone) {
      this.#entries.delete(each);
      this.#children.delete(each);
    }
    this.#children.get(parentOf(clean))?.delete(clean);
    return gone;
  }

  /** Every path below a directory, each before what it contains, siblings sorted. */
  below(path: string): readonly string[] {
    const found: string[] = [];
    const children = this.#children.get(cleanPath(path));
    if (children === undefined) return found;
    for (const child of [...children].sort((a, b) => (a < b ? -1 : a > b ? 1 : 0))) {
      found.push(child, ...this.below(child));
    }
    return found;
  }

  #put(path: string, value: FileEntry): void {
    this.#entries.set(path, value);
    const parent = parentOf(path);
    const siblings = this.#children.get(parent);
    if (siblings === undefined) this.#children.set(parent, new Set([path]));
    else siblings.add(path);
  }
}

/** The same for all: a mount makes up to ten of them. */
const usualDirectory = entry("directory");

function entry(type: HostPathType): FileEntry {
  return { type, mode: type === "directory" ? 0o755 : 0o644, group: 0 };
}

/** Without a slash at the end and without doubled slashes. */
export function cleanPath(path: string): string {
  const clean = path.includes("//") ? path.replace(/\/{2,}/g, "/") : path;
  return clean.length > 1 && clean.endsWith("/") ? clean.slice(0, -1) : clean;
}

function parentOf(path: string): string {
  const slash = path.lastIndexOf("/");
  return slash <= 0 ? "/" : path.slice(0, slash);
}
