/** What one would see on each node: `lsblk`, `findmnt` and the directories that its kubelet made for pods. */
import { findmnt, lsblk } from "../../engine/node/views.ts";
import type { MachineState, Prediction } from "../../language-server/prediction/prediction.ts";
import { printTable } from "./table.ts";

/** Empty if no node has anything mounted. */
export function nodeViews({ machines }: Prediction): string {
  return machines
    .filter(({ mounts }) => mounts.length > 0)
    .map((machine) => {
      const { name, mounts } = machine;
      const parts = [`${lsblk(mounts)}\n`, `${findmnt(mounts)}\n`, kubeletPaths(machine)];
      return [`Node ${name}\n`, ...parts.filter((part) => part !== "")].join("\n");
    })
    .join("\n");
}

const kubeletRoot = "/var/lib/kubelet/";

/** The mount points below /var/lib/kubelet, each once. */
function kubeletPaths({ mounts }: MachineState): string {
  const paths = mounts
    .map(({ target }) => target)
    .filter((target) => target.startsWith(kubeletRoot));
  const rows = [...new Set(paths)].sort().map((path) => [path]);
  return printTable(["KUBELET PATH"], rows);
}
