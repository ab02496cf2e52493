/** What a look at each node would show: `lsblk`, `findmnt` and the directories that its kubelet has made for pods. */
import type { MachineState, Prediction } from "../language-server/prediction/predictor.ts";
import { printTable } from "./table.ts";

/** Empty where no node has anything mounted. */
export function nodeViews({ machines }: Prediction): string {
  return machines
    .filter(({ mounts }) => mounts.length > 0)
    .map((machine) => {
      const parts = [blockDevices(machine), mountTable(machine), kubeletPaths(machine)];
      return [`Node ${machine.name}\n`, ...parts.filter((part) => part !== "")].join("\n");
    })
    .join("\n");
}

/** `lsblk`: disks in the order in which they came, each with every place that shows it. */
function blockDevices({ mounts }: MachineState): string {
  const disks = [...new Set(mounts.filter(isDisk).map(({ source }) => source))];
  const rows = disks.flatMap((source, index) => {
    const name = source.startsWith("/dev/") ? source.slice("/dev/".length) : diskName(index);
    return shownAt(mounts, source).map((target, i) => [
      i === 0 ? name : "",
      i === 0 ? "disk" : "",
      target,
    ]);
  });
  return printTable(["NAME", "TYPE", "MOUNTPOINTS"], rows);
}

type Mount = MachineState["mounts"][number];

const diskFileSystems: ReadonlySet<string> = new Set(["ext2", "ext3", "ext4", "xfs", "btrfs"]);

function isDisk({ source, fsType, device }: Mount): boolean {
  if (source.startsWith("/dev/") || device === true) return true;
  return diskFileSystems.has(fsType) && !source.startsWith("/");
}

/** The first disk is the machine's own. */
function diskName(index: number): string {
  return `sd${String.fromCharCode("b".charCodeAt(0) + (index % 25))}${index < 25 ? "" : Math.floor(index / 25)}`;
}

/** Where a source is mounted, and where those places are bound to in turn. */
function shownAt(mounts: readonly Mount[], source: string): readonly string[] {
  const found: string[] = [];
  const from = [source];
  for (const mount of mounts) {
    if (!from.some((place) => mount.source === place || mount.source.startsWith(`${place}/`)))
      continue;
    found.push(mount.target);
    from.push(mount.target);
  }
  return found;
}

/** `findmnt --list`. */
function mountTable({ mounts }: MachineState): string {
  const rows = mounts.map(({ target, source, fsType, options }) => [
    target,
    source,
    fsType,
    options.join(","),
  ]);
  return printTable(["TARGET", "SOURCE", "FSTYPE", "OPTIONS"], rows);
}

const kubeletRoot = "/var/lib/kubelet/";

/** The places below /var/lib/kubelet that are in use, each once. */
function kubeletPaths({ mounts }: MachineState): string {
  const paths = mounts
    .map(({ target }) => target)
    .filter((target) => target.startsWith(kubeletRoot));
  const rows = [...new Set(paths)].sort().map((path) => [path]);
  return printTable(["KUBELET PATH"], rows);
}
