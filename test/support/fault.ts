/** A fault injected into a test's run; fault-points.ts chooses which are tried. */
import type { Runtime } from "../../src/engine/runtime/runtime.ts";
import type { Scenario } from "../../src/engine/scenario.ts";

export interface Fault {
  readonly lateWatches?: Scenario["lateWatches"];
  /** The component crashes right after that write and restarts; its first write is number 1. */
  readonly crashAfterWrite?: WriteOfComponent;
  /** That write of the component fails with a conflict. */
  readonly conflictOnWrite?: WriteOfComponent;
}

interface WriteOfComponent {
  readonly component: string;
  readonly write: number;
}

/** Installs the fault at its write. Late watches are set in the scenario instead. */
export function failWrite(runtime: Runtime, { crashAfterWrite, conflictOnWrite }: Fault): void {
  runtime.onWrite = (component, write) => {
    const isAt = (at: WriteOfComponent | undefined): boolean =>
      at?.component === component && at.write === write;
    if (isAt(crashAfterWrite)) return "crash";
    return isAt(conflictOnWrite) ? "conflict" : undefined;
  };
}
