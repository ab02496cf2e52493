/** What came of a scenario. */
import type { Ref } from "../../engine/api/meta.ts";
import type { RunFacts } from "../../engine/explain/run-facts.ts";
import type { Verdict } from "../../engine/explain/verdict.ts";
import type { Trace } from "../../engine/trace/trace.ts";
import type { Environment } from "../workspace/environment.ts";
import type { EnvironmentScenario } from "./scenario-of.ts";
import type { Trials } from "./trials.ts";

export interface Prediction extends EnvironmentScenario {
  readonly environment: Environment;
  readonly trace: Trace;
  readonly facts: RunFacts;
  /** Worst first; without objects of an imported cluster that no file has to do with. */
  readonly verdicts: readonly Verdict[];
  readonly verdictOf: ReadonlyMap<Ref, Verdict>;
  /** Of CronJobs whose time has not come by then; trace and facts have nothing of them. */
  readonly trials: Trials;
  /** What is on each node's machine at the end. */
  readonly machines: readonly MachineState[];
  /** Why the run ended before it came to rest. */
  readonly limit?: string | undefined;
}

/** A machine as someone who is logged in to it would see it. */
export interface MachineState {
  readonly name: string;
  /** In order of mounting. */
  readonly mounts: readonly {
    readonly source: string;
    readonly target: string;
    readonly fsType: string;
    readonly options: readonly string[];
    readonly device?: boolean;
  }[];
}
