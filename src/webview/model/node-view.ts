/** What a login to a machine shows at the simulation's present moment. */
import { containerList, findmnt, lsblk } from "../../engine/node/views.ts";
import type { Simulation } from "../../engine/simulation.ts";

export interface NodeView {
  readonly name: string;
  /** Commands with their output. */
  readonly outputs: readonly CommandOutput[];
}

export interface CommandOutput {
  readonly command: string;
  readonly text: string;
}

/** Only the first machines: nobody logs in to hundreds. */
const nodeCountMax = 50;

export function nodeViews({ runtime, now }: Simulation): readonly NodeView[] {
  return [...runtime.machines].slice(0, nodeCountMax).map(([name, machine]) => ({
    name,
    outputs: [
      { command: "lsblk", text: lsblk(machine.mounts.entries) },
      { command: "findmnt --list", text: findmnt(machine.mounts.entries) },
      { command: "crictl ps --all", text: containerList(machine, now) },
    ],
  }));
}
