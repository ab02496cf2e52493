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

/** An entry in its place. A mount makes up to ten of them, so that there is one record each, known by its part of the path. */
interface Place {
  /** `/name`. */
  readonly name: string;
  type: HostPathType;
  mode: number;
  group: number;
  /** By name; most directories have one entry only, which needs no map. Absent where nothing has ever been below. */
  children: Place | Map<string, Place> | undefined;
  /** Whose it is alone; undefined where it is as it was at first, on all machines that are alike. */
  readonly owner: HostFiles | undefined;
}

/**
 * What every Linux machine with a kubelet has. The kubelet's own directories: pkg/kubelet/kubelet.go setupDataDirs and
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

/** What machines begin with, by what they have beside the usual: a thousand of them keep it once, and each its own changes. */
const firstPlaces = new WeakMap<HostPaths, Place>();

export class HostFiles {
  #root: Place;
  readonly #owner: HostFiles | undefined;
  /** The directory that was asked for last: what follows is mostly in it. */
  #recent: { readonly at: Place; readonly path: string } | undefined;

  /** `paths`: what is there beside the usual; the object is taken to stay as it is. `isFirst`: for `#first` alone. */
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

  /** A path that ends with a slash is a directory's only. */
  get(path: string): FileEntry | undefined {
    const found = this.#find(cleanPath(path));
    return found?.type !== "directory" && asksForDirectory(path) ? undefined : found;
  }

  exists(path: string): boolean {
    return this.get(path) !== undefined;
  }

  /** The longest part of a path that is there. */
  nearest(path: string): string {
    const clean = cleanPath(path);
    return clean.slice(0, this.#descend(clean).length) || "/";
  }

  /** The first part of a path that is not there; undefined where all of it is. */
  firstMissing(path: string): string | undefined {
    const clean = cleanPath(path);
    const { length } = this.#descend(clean);
    return length === clean.length ? undefined : clean.slice(0, partEnd(clean, length));
  }

  /** `mkdir -p`; false where a part of the path is no directory. */
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

  /** False where the directory it goes into is missing, or the path asks for a directory. */
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

  /** `rm -r`; the paths that are gone. */
  remove(path: string): readonly string[] {
    const clean = cleanPath(path);
    const gone = [...this.below(clean), clean];
    const parent = parentOf(clean);
    this.#recent = undefined;
    const directory = this.#findOwn(parent);
    if (directory !== undefined) dropFrom(directory, partBelow(clean, parent));
    return gone;
  }

  /** Every path below a directory, each before what it contains, siblings sorted. */
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

  /** The last place on the way along a path that is there, and how much of the path leads to it. */
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

  /** As `#descend`, for a change: all on the way is this machine's own afterwards. */
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

  /** Into a directory that is there; what is at the path already keeps what is below it. */
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

/** Without a slash at the end, without doubled slashes and without parts that stay where they are. */
function cleanPath(path: string): string {
  const here = path.includes("/.") ? path.replace(/\/\.(?=\/|$)/g, "") || "/" : path;
  const clean = here.includes("//") ? here.replace(/\/{2,}/g, "/") : here;
  return clean.length > 1 && clean.endsWith("/") ? clean.slice(0, -1) : clean;
}

function parentOf(path: string): string {
  const slash = path.lastIndexOf("/");
  return slash <= 0 ? "/" : path.slice(0, slash);
}

/** Where the part that begins at `start`, with its slash, ends. */
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
