/** The result of simulating an environment. */
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
  /** Worst first; without objects of an imported cluster that no file is related to. */
  readonly verdicts: readonly Verdict[];
  readonly verdictOf: ReadonlyMap<Ref, Verdict>;
  /** Trials of CronJobs that are not due within the run; `trace` and `facts` do not contain them. */
  readonly trials: Trials;
  /** What is on each node's machine at the end. */
  readonly machines: readonly MachineState[];
  /** Why the run was aborted before it came to rest; absent if it was not. */
  readonly limit?: string | undefined;
}

/** A machine as somebody logged in to it would see it. */
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
