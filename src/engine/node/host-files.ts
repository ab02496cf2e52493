/**
 * A machine's file system as far as volumes need it: existing paths, their types, modes and owning groups. Not modeled:
 * symbolic links, other users' permissions, file sizes.
 */
import type { HostPathType } from "../scenario.ts";

export interface FileEntry {
  readonly type: HostPathType;
  /** Permission bits; by default 0o755 for directories and 0o644 for everything else. */
  readonly mode: number;
  readonly group: number;
}

/**
 * A node of the directory tree. A mount creates up to ten of them, so each is one record that holds only its part of the path.
 */
interface Place {
  /** `/name`. */
  readonly name: string;
  type: HostPathType;
  mode: number;
  group: number;
  /** By name. Most directories have a single entry, which needs no Map. Undefined if nothing was ever created below. */
  children: Place | Map<string, Place> | undefined;
  /** The machine that may change it; undefined if it is still shared by all machines that began alike. */
  readonly owner: HostFiles | undefined;
}

/**
 * Paths that every Linux machine with a kubelet has. The kubelet's own directories: pkg/kubelet/kubelet.go setupDataDirs and
 * initializeModules, cm/devicemanager/plugin/v1beta1/server.go Start, v1.36.
 */
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
  "/var/lib/kubelet/checkpoints": "directory",
  "/var/lib/kubelet/device-plugins": "directory",
  "/var/lib/kubelet/plugins": "directory",
  "/var/lib/kubelet/plugins_registry": "directory",
  "/var/lib/kubelet/pod-resources": "directory",
  "/var/lib/kubelet/pods": "directory",
  "/var/log": "directory",
  "/var/log/containers": "directory",
  "/var/log/pods": "directory",
  "/var/run": "directory",
  "/var/tmp": "directory",
};

type HostPaths = Readonly<Record<string, HostPathType>>;

const nothingMore: HostPaths = {};

/**
 * Initial trees, by the paths that a machine has in addition to the usual ones: a thousand machines share one tree and copy
 * what they change.
 */
const firstPlaces = new WeakMap<HostPaths, Place>();

export class HostFiles {
  #root: Place;
  readonly #owner: HostFiles | undefined;
  /** The directory used last: most of the following paths are inside it. */
  #recent: { readonly at: Place; readonly path: string } | undefined;

  /** `paths`: existing paths in addition to the usual ones; the object must not change. `isFirst`: only for `#first`. */
  constructor(paths: HostPaths = nothingMore, isFirst = false) {
    this.#owner = isFirst ? undefined : this;
    this.#root = isFirst ? place("", "directory", 0o755, undefined) : HostFiles.#first(paths);
  }

  static #first(paths: HostPaths): Place {
    const known = firstPlaces.get(paths);
    if (known !== undefined) return known;
    const files = new HostFiles(paths, true);
    for (const [path, type] of Object.entries(usual)) files.#put(path, type);
    for (const [path, type] of Object.entries(paths)) {
      const clean = cleanPath(path);
      files.makeDirectories(parentOf(clean));
      files.#put(clean, type);
    }
    firstPlaces.set(paths, files.#root);
    return files.#root;
  }

  /** A path that ends with a slash only matches a directory. */
  get(path: string): FileEntry | undefined {
    const found = this.#find(cleanPath(path));
    return found?.type !== "directory" && asksForDirectory(path) ? undefined : found;
  }

  exists(path: string): boolean {
    return this.get(path) !== undefined;
  }

  /** Returns the longest existing prefix of a path. */
  nearest(path: string): string {
    const clean = cleanPath(path);
    return clean.slice(0, this.#descend(clean).length) || "/";
  }

  /** Returns the shortest prefix of a path that does not exist; undefined if all of it does. */
  firstMissing(path: string): string | undefined {
    const clean = cleanPath(path);
    const { length } = this.#descend(clean);
    return length === clean.length ? undefined : clean.slice(0, partEnd(clean, length));
  }

  /** `mkdir -p`; false if a part of the path is not a directory. */
  makeDirectories(path: string, mode = 0o755): boolean {
    const clean = cleanPath(path);
    let { at, length } = this.#own(clean);
    if (at.type !== "directory") return false;
    while (length < clean.length) {
      const end = partEnd(clean, length);
      at = putInto(at, place(clean.slice(length, end), "directory", mode, this.#owner));
      length = end;
    }
    this.#recent = { at, path: clean };
    return true;
  }

  /** False if the parent directory is missing, or the path ends with a slash. */
  makeFile(path: string): boolean {
    if (asksForDirectory(path)) return false;
    const clean = cleanPath(path);
    const parent = parentOf(clean);
    const directory = this.#findOwn(parent);
    if (directory?.type !== "directory") return false;
    const name = partBelow(clean, parent);
    if (childOf(directory, name) === undefined)
      putInto(directory, place(name, "file", 0o644, this.#owner));
    return true;
  }

  setGroup(path: string, group: number): void {
    const found = this.#findOwn(cleanPath(path));
    if (found !== undefined) found.group = group;
  }

  /** `rm -r`; returns the removed paths. */
  remove(path: string): readonly string[] {
    const clean = cleanPath(path);
    const gone = [...this.below(clean), clean];
    const parent = parentOf(clean);
    this.#recent = undefined;
    const directory = this.#findOwn(parent);
    if (directory !== undefined) dropFrom(directory, partBelow(clean, parent));
    return gone;
  }

  /** Returns all paths below a directory, parents before children, siblings sorted. */
  below(path: string): readonly string[] {
    const clean = cleanPath(path);
    const found: string[] = [];
    const at = this.#find(clean);
    if (at !== undefined) collectBelow(at, clean === "/" ? "" : clean, found);
    return found;
  }

  #find(clean: string): Place | undefined {
    const { at, length } = this.#descend(clean);
    return length === clean.length ? at : undefined;
  }

  /** Returns the deepest existing place along a path, and the length of the path's prefix that leads to it. */
  #descend(clean: string): { readonly at: Place; readonly length: number } {
    if (clean === "/") return { at: this.#root, length: 1 };
    let at = this.#root;
    let length = 0;
    if (this.#recent !== undefined && isWithin(clean, this.#recent.path)) {
      at = this.#recent.at;
      length = this.#recent.path.length;
    }
    while (length < clean.length) {
      const end = partEnd(clean, length);
      const next = childOf(at, clean.slice(length, end));
      if (next === undefined) break;
      at = next;
      length = end;
    }
    return { at, length };
  }

  #findOwn(clean: string): Place | undefined {
    const { at, length } = this.#own(clean);
    return length === clean.length ? at : undefined;
  }

  /** Like `#descend`, for a change: places on the way are copied if this machine does not own them. */
  #own(clean: string): { readonly at: Place; readonly length: number } {
    const recent = this.#recent;
    if (this.#root.owner !== this.#owner) this.#root = ownCopy(this.#root, this.#owner);
    let at = this.#root;
    let length = 0;
    if (clean === "/") return { at, length: 1 };
    if (recent?.at.owner === this.#owner && isWithin(clean, recent?.path ?? "")) {
      at = recent?.at ?? at;
      length = recent?.path.length ?? 0;
    }
    while (length < clean.length) {
      const end = partEnd(clean, length);
      const name = clean.slice(length, end);
      let next = childOf(at, name);
      if (next === undefined) break;
      if (next.owner !== this.#owner) {
        next = putInto(at, ownCopy(next, this.#owner));
        this.#recent = undefined;
      }
      at = next;
      length = end;
    }
    return { at, length };
  }

  /** Creates or replaces an entry in an existing directory; a replaced entry keeps its children. */
  #put(clean: string, type: HostPathType): void {
    const parent = parentOf(clean);
    const directory = this.#findOwn(parent);
    this.#recent = undefined;
    if (directory === undefined) return;
    const name = partBelow(clean, parent);
    const mode = type === "directory" ? 0o755 : 0o644;
    const children = childOf(directory, name)?.children;
    putInto(directory, place(name, type, mode, this.#owner, children));
  }
}

function place(
  name: string,
  type: HostPathType,
  mode: number,
  owner: HostFiles | undefined,
  children?: Place["children"],
): Place {
  return { name, type, mode, group: 0, children, owner };
}

function ownCopy(
  { name, type, mode, group, children }: Place,
  owner: HostFiles | undefined,
): Place {
  const own = children instanceof Map ? new Map(children) : children;
  return { name, type, mode, group, children: own, owner };
}

function childOf({ children }: Place, name: string): Place | undefined {
  if (children instanceof Map) return children.get(name);
  return children?.name === name ? children : undefined;
}

function childrenOf({ children }: Place): Place[] {
  if (children instanceof Map) return [...children.values()];
  return children === undefined ? [] : [children];
}

function putInto(directory: Place, added: Place): Place {
  const { children } = directory;
  if (children instanceof Map) children.set(added.name, added);
  else if (children === undefined || children.name === added.name) directory.children = added;
  else
    directory.children = new Map([
      [children.name, children],
      [added.name, added],
    ]);
  return added;
}

function dropFrom(directory: Place, name: string): void {
  if (directory.children instanceof Map) directory.children.delete(name);
  else if (directory.children?.name === name) directory.children = undefined;
}

function collectBelow(at: Place, path: string, found: string[]): void {
  for (const child of childrenOf(at).sort((a, b) => (a.name < b.name ? -1 : 1))) {
    found.push(path + child.name);
    collectBelow(child, path + child.name, found);
  }
}

function asksForDirectory(path: string): boolean {
  return path.endsWith("/") || path.endsWith("/.");
}

/** Removes trailing and doubled slashes and `.` parts. */
function cleanPath(path: string): string {
  const here = path.includes("/.") ? path.replace(/\/\.(?=\/|$)/g, "") || "/" : path;
  const clean = here.includes("//") ? here.replace(/\/{2,}/g, "/") : here;
  return clean.length > 1 && clean.endsWith("/") ? clean.slice(0, -1) : clean;
}

function parentOf(path: string): string {
  const slash = path.lastIndexOf("/");
  return slash <= 0 ? "/" : path.slice(0, slash);
}

/** Returns the end of the path part that begins, with its slash, at `start`. */
function partEnd(path: string, start: number): number {
  const slash = path.indexOf("/", start + 1);
  return slash < 0 ? path.length : slash;
}

function isWithin(path: string, directory: string): boolean {
  return (
    path.startsWith(directory) &&
    (path.length === directory.length || path[directory.length] === "/")
  );
}

function partBelow(path: string, parent: string): string {
  return parent === "/" ? path : path.slice(parent.length);
}
