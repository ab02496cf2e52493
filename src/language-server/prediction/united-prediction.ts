/** The predictions of all islands of an environment as one. Rarely needed parts are only united on first use. */
import { compareText } from "../../engine/api/go/text-order.ts";
import type { Ref } from "../../engine/api/meta.ts";
import { RunFacts } from "../../engine/explain/run-facts.ts";
import type { Verdict } from "../../engine/explain/verdict.ts";
import { compareVerdicts } from "../../engine/explain/verdicts.ts";
import type { NewEntry, TraceEntry } from "../../engine/trace/entry.ts";
import { Trace } from "../../engine/trace/trace.ts";
import type { Environment } from "../workspace/environment.ts";
import type { MachineState, Prediction } from "./prediction.ts";
import type { Assumption, EnvironmentScenario } from "./scenario-of.ts";
import { type Trials, unitedTrials } from "./trials.ts";

export function unitedPrediction(
  environment: Environment,
  assumption: Assumption,
  from: () => EnvironmentScenario,
  parts: readonly Prediction[],
): Prediction {
  const [only] = parts;
  if (only !== undefined && parts.length === 1) return only;
  return new UnitedPrediction(environment, assumption, from, parts);
}

class UnitedPrediction implements Prediction {
  readonly environment: Environment;
  readonly assumed: Prediction["assumed"];
  readonly profileFrom: Prediction["profileFrom"];
  readonly version: Prediction["version"];
  readonly #from: () => EnvironmentScenario;
  readonly #parts: readonly Prediction[];
  #made: EnvironmentScenario | undefined;
  #trace: Trace | undefined;
  #facts: RunFacts | undefined;
  #trials: Trials | undefined;
  #verdicts: readonly Verdict[] | undefined;
  #verdictOf: ReadonlyMap<Ref, Verdict> | undefined;

  constructor(
    environment: Environment,
    { assumed, profileFrom, version }: Assumption,
    from: () => EnvironmentScenario,
    parts: readonly Prediction[],
  ) {
    this.environment = environment;
    this.assumed = assumed;
    this.profileFrom = profileFrom;
    this.version = version;
    this.#from = from;
    this.#parts = parts;
  }

  get scenario(): Prediction["scenario"] {
    return this.#whole.scenario;
  }
  get applied(): Prediction["applied"] {
    return this.#whole.applied;
  }
  get #whole(): EnvironmentScenario {
    this.#made ??= this.#from();
    return this.#made;
  }

  /** The islands' runs side by side, as if they had begun together. */
  get trace(): Trace {
    this.#trace ??= mergedTrace(this.#parts.map(({ trace }) => trace));
    return this.#trace;
  }

  get facts(): RunFacts {
    this.#facts ??= RunFacts.united(this.#parts.map(({ facts }) => facts));
    return this.#facts;
  }

  get trials(): Trials {
    this.#trials ??= unitedTrials(this.facts, this.#parts);
    return this.#trials;
  }

  get verdicts(): readonly Verdict[] {
    this.#verdicts ??= [...this.verdictOf.values()].sort(compareVerdicts);
    return this.#verdicts;
  }

  get verdictOf(): ReadonlyMap<Ref, Verdict> {
    this.#verdictOf ??= new Map(this.#parts.flatMap((part) => [...part.verdictOf]));
    return this.#verdictOf;
  }

  get machines(): readonly MachineState[] {
    const byName = new Map<string, MachineState>();
    for (const { machines } of this.#parts)
      for (const { name, mounts } of machines) {
        const before = byName.get(name)?.mounts ?? [];
        byName.set(name, { name, mounts: [...before, ...mounts] });
      }
    return [...byName.values()].sort((a, b) => compareText(a.name, b.name));
  }

  get limit(): string | undefined {
    return this.#parts.find(({ limit }) => limit !== undefined)?.limit;
  }
}

/** Merges by time and renumbers the entries. */
function mergedTrace(parts: readonly Trace[]): Trace {
  const merged = new Trace(parts[0]?.drivers, parts[0]?.version);
  const all = parts.flatMap(({ entries }, part) => entries.map((entry) => ({ entry, part })));
  all.sort((a, b) => a.entry.at - b.entry.at || a.part - b.part || a.entry.seq - b.entry.seq);
  const seqs = parts.map(() => new Map<number, number>());
  const callCountMax = Math.max(0, ...parts.map(({ entries }) => entries.length));
  for (const { entry, part } of all) {
    const { seq, at, cause, ...rest } = entry;
    const inMerged = cause === undefined ? undefined : seqs[part]?.get(cause);
    const copy = { ...rest, ...(inMerged !== undefined && { cause: inMerged }) } as TraceEntry;
    const renamed =
      copy.type === "call" || copy.type === "answer"
        ? { ...copy, id: copy.id + part * callCountMax }
        : copy;
    seqs[part]?.set(seq, merged.add(at, renamed as NewEntry));
  }
  return merged;
}
