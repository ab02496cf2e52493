/** What may befall a run in a test, from its start on: see fault-points.ts for which are tried. */
import type { Runtime } from "../../src/engine/runtime/runtime.ts";
import type { Scenario } from "../../src/engine/scenario.ts";

export interface Fault {
  readonly lateWatches?: Scenario["lateWatches"];
  /** The component dies right after that write, the first being 1, and starts again. */
  readonly crashAfterWrite?: WriteOfComponent;
  /** The component loses the race for that write. */
  readonly conflictOnWrite?: WriteOfComponent;
}

interface WriteOfComponent {
  readonly component: string;
  readonly write: number;
}

/** Puts the fault at its write; late watches are for the scenario to ask for. */
export function failWrite(runtime: Runtime, { crashAfterWrite, conflictOnWrite }: Fault): void {
  runtime.onWrite = (component, write) => {
    const isAt = (at: WriteOfComponent | undefined): boolean =>
      at?.component === component && at.write === write;
    if (isAt(crashAfterWrite)) return "crash";
    return isAt(conflictOnWrite) ? "conflict" : undefined;
  };
}
