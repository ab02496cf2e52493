/** What a person who logs in to a machine sees, as texts: mounts, block devices and containers. */
import { push } from "../api/go/multi-map.ts";
import { compareText } from "../api/go/text-order.ts";
import type { Instant } from "../trace/instant.ts";
import { isRunning } from "./container-runtime.ts";
import type { Machine } from "./machine.ts";
import type { MountEntry } from "./mount-table.ts";

const rootDevice = "/dev/vda1";

/** Prints the mounts like `findmnt --list`, without those of the kernel. A bind mount shows the device behind it. */
export function findmnt(mounts: readonly MountEntry[]): string {
  const rows = mounts
    .filter(({ device }) => device !== true)
    .map((entry) => [
      entry.target,
      sourceOf(mounts, entry),
      fsTypeOf(mounts, entry),
      mountOptions(entry.options),
    ])
    .sort(byFirst);
  const root = ["/", rootDevice, "ext4", "rw,relatime"];
  return table(["TARGET", "SOURCE", "FSTYPE", "OPTIONS"], [root, ...rows]);
}

function mountOptions(options: readonly string[]): string {
  const own = options.filter((option) => option !== "bind" && option !== "ro");
  return [options.includes("ro") ? "ro" : "rw", "relatime", ...own].join(",");
}

/** Prints the disks like `lsblk`, with the places where each is mounted or handed to a pod. */
export function lsblk(mounts: readonly MountEntry[]): string {
  const targets = new Map<string, string[]>([[rootDevice, ["/"]]]);
  for (const entry of mounts) {
    const device = deviceOf(mounts, entry);
    if (!device.startsWith("/dev/")) continue;
    push(targets, device, entry.target);
  }
  const rows: string[][] = [];
  for (const [device, mounted] of targets) {
    for (const [i, target] of mounted.sort(compareText).entries()) {
      rows.push([i === 0 ? device.slice("/dev/".length) : "", i === 0 ? "disk" : "", target]);
    }
  }
  return table(["NAME", "TYPE", "MOUNTPOINTS"], rows);
}

/** Prints the containers like `crictl ps --all`. */
export function containerList(machine: Machine, now: Instant): string {
  const rows = machine.containers.sandboxes.flatMap((sandbox) =>
    sandbox.containers.map((container) => [
      container.name,
      isRunning(container, now) ? "Running" : `Exited (${container.exitCode})`,
      String(container.restartCount),
      `${sandbox.namespace}/${sandbox.name}`,
    ]),
  );
  return table(["CONTAINER", "STATE", "ATTEMPT", "POD"], rows);
}

/** Returns the device behind a mount, following binds of other mounts. */
function deviceOf(mounts: readonly MountEntry[], entry: MountEntry): string {
  const below = mountAt(mounts, entry.source);
  return below === undefined || below === entry ? entry.source : deviceOf(mounts, below);
}

function mountAt(mounts: readonly MountEntry[], target: string): MountEntry | undefined {
  return mounts.find((mount) => mount.target === target);
}

function sourceOf(mounts: readonly MountEntry[], entry: MountEntry): string {
  const device = deviceOf(mounts, entry);
  if (!device.startsWith("/") || device.startsWith("/dev/")) return device;
  // A directory of a mounted file system: that file system's device, and the path in it.
  const holder = mounts
    .filter(({ target }) => device.startsWith(`${target}/`))
    .sort((a, b) => b.target.length - a.target.length)[0];
  if (holder === undefined) return `${rootDevice}[${device}]`;
  return `${sourceOf(mounts, holder)}[${device.slice(holder.target.length)}]`;
}

function fsTypeOf(mounts: readonly MountEntry[], entry: MountEntry): string {
  if (entry.fsType !== "") return entry.fsType;
  const below = mountAt(mounts, entry.source);
  return below === undefined ? "ext4" : fsTypeOf(mounts, below);
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const all = [head, ...rows];
  const widths = head.map((_, i) => Math.max(...all.map((row) => (row[i] ?? "").length)));
  return all
    .map((row) =>
      row
        .map((cell, i) => cell.padEnd(widths[i] ?? 0))
        .join("  ")
        .trimEnd(),
    )
    .join("\n");
}

function byFirst(a: readonly string[], b: readonly string[]): number {
  return compareText(a[0] ?? "", b[0] ?? "");
}
