/** Runs a scenario file and checks its expectations. */

import type { Ref } from "../../engine/api/meta.ts";
import type { DriverKnowledge } from "../../engine/csi/catalogue/driver-knowledge.ts";
import { assumeCluster } from "../../engine/profiles/assume-cluster.ts";
import type { KubernetesVersion, Manifest, Step } from "../../engine/scenario.ts";
import { Simulation } from "../../engine/simulation.ts";
import type { ImportedCluster } from "../workspace/imports/cluster-imports.ts";
import type { Path } from "../yaml/place.ts";
import { type Expectation, unmet } from "./expectation.ts";
import type { ScenarioRelease } from "./installed-chart.ts";
import { printObjectText } from "./object-text.ts";
import {
  type FileStep,
  manifestsOf,
  type PlacedStep,
  type ScenarioFile,
  unreadableIn,
} from "./scenario-file.ts";

export interface ScenarioRun {
  readonly simulation: Simulation;
  /** Expectations that do not hold, in order. A step that cannot be taken ends the run. */
  readonly failures: readonly ScenarioFailure[];
  readonly expectationCount: number;
  /** How long the steps would take in a real cluster. */
  readonly virtualTimeMs: number;
}

export interface ScenarioFailure {
  /** Path of the step or the expectation. */
  readonly path: Path;
  readonly message: string;
}

interface StepRefusal extends ScenarioFailure {
  /** A drain, which is retried until the PodDisruptionBudget lets the pod go. */
  readonly isTried: boolean;
}

export interface ScenarioSurroundings {
  /** Text of a file beside the scenario; undefined if there is none. */
  readonly readFile: (name: string) => string | undefined;
  /** What the kustomization in a folder builds, or why it builds nothing. */
  readonly kustomize: (folder: string) => readonly Manifest[] | string;
  /** What `helm install` makes of a chart, or why it makes nothing. */
  readonly helm: (release: ScenarioRelease) => readonly Manifest[] | string;
  /** The folder of the chart that a file is a template of. */
  readonly chartOf: (name: string) => string | undefined;
  /** The project's profile and version. */
  readonly profile?: string | undefined;
  readonly version: KubernetesVersion;
  /** The cluster that the project imports; not used by a scenario with a profile of its own. */
  readonly imported?: ImportedCluster | undefined;
  /** Including what claimcheck.yaml says about them. */
  readonly drivers: DriverKnowledge;
}

/** Other work may run after each event of the loop. */
const sliceEventCount = 1;
/** How often an expectation that may be met later is checked. */
const lookEveryMs = 1_000;

/** Yields often. A file with problems in its form has no steps; whoever reads it reports these. */
export function* runScenarioFile(
  file: ScenarioFile,
  around: ScenarioSurroundings,
): Generator<void, ScenarioRun> {
  const made = yield* madeBySteps(file, around);
  const run = new RunningScenario(file, around, made);
  yield* run.boot();
  for (const step of file.steps) if (!(yield* run.take(step))) break;
  run.end();
  return run;
}

/** What `kustomize` and `helm` steps make, or why they make nothing. */
type Made = ReadonlyMap<FileStep, readonly Manifest[] | string>;

/** Yields after each, because a chart may be large. */
function* madeBySteps(
  { steps }: ScenarioFile,
  { helm, kustomize }: ScenarioSurroundings,
): Generator<void, Made> {
  const made = new Map<FileStep, readonly Manifest[] | string>();
  for (const { step } of steps) {
    if (step.type === "helm") made.set(step, helm(step.release));
    else if (step.type === "kustomize") made.set(step, kustomize(step.folder));
    else continue;
    yield;
  }
  return made;
}

class RunningScenario implements ScenarioRun {
  readonly simulation: Simulation;
  readonly failures: ScenarioFailure[] = [];
  expectationCount = 0;
  readonly #around: ScenarioSurroundings;
  readonly #refusals = new Map<Ref, StepRefusal>();
  readonly #made: Made;
  /** Number of trace entries that have been searched for refusals. */
  #entriesRead = 0;
  #startedAt = 0;

  constructor(file: ScenarioFile, around: ScenarioSurroundings, made: Made) {
    this.#around = around;
    this.#made = made;
    const manifests = file.steps.flatMap(({ step }) => this.#manifestsOf(step));
    const { cluster } =
      file.profile === undefined
        ? assumeCluster(manifests, around.profile, around.imported, around.drivers)
        : assumeCluster(manifests, file.profile, undefined, around.drivers);
    const { version } = around;
    this.simulation = new Simulation(
      { version, seed: file.seed, cluster, steps: [] },
      sliceEventCount,
    );
  }

  *boot(): Generator<void> {
    yield* this.simulation.boot();
    this.#startedAt = this.simulation.now;
  }

  get virtualTimeMs(): number {
    return this.simulation.now - this.#startedAt;
  }

  /** Returns false if the run has to end. */
  *take({ path, step }: PlacedStep): Generator<void, boolean> {
    if (step.type === "expect") {
      for (const [index, expected] of step.expectations.entries())
        yield* this.#expect(expected, [...path, index]);
      this.#tellRefusals();
      return true;
    }
    const engineStep = this.#engineStep(step);
    if (typeof engineStep === "string") {
      this.failures.push({ path, message: engineStep });
      return false;
    }
    yield* this.simulation.step(engineStep);
    this.#noteRefusals(path);
    return !this.simulation.stopped;
  }

  end(): void {
    this.#tellRefusals();
    const limit = this.simulation.trace.entries.findLast((entry) => entry.type === "limit");
    if (limit?.type === "limit") this.failures.push({ path: [], message: limit.message });
  }

  *#expect(expected: Expectation, path: Path): Generator<void> {
    this.expectationCount++;
    const { simulation } = this;
    const deadline = simulation.now + (expected.withinMs ?? 0);
    let differences = unmet(expected, simulation, this.#refusals);
    while (differences.length > 0 && simulation.now < deadline && !simulation.stopped) {
      const ms = Math.min(lookEveryMs, deadline - simulation.now);
      yield* simulation.step({ type: "advance", ms });
      differences = unmet(expected, simulation, this.#refusals);
    }
    if (expected.refused !== undefined) this.#refusals.delete(expected.refused);
    for (const message of differences) this.failures.push({ path, message });
  }

  #noteRefusals(path: Path): void {
    const { entries } = this.simulation.trace;
    for (; this.#entriesRead < entries.length; this.#entriesRead++) {
      const entry = entries[this.#entriesRead];
      if (entry?.type !== "request" || entry.status < 400) continue;
      const { ref, verb, message = "" } = entry;
      this.#refusals.set(ref, { path, message, isTried: verb === "evict" });
    }
  }

  /** Reports refusals that no expectation has mentioned. */
  #tellRefusals(): void {
    for (const [ref, { path, message, isTried }] of this.#refusals)
      if (!isTried)
        this.failures.push({ path, message: `${printObjectText(ref)} was refused: ${message}` });
    this.#refusals.clear();
  }

  /** The step for the engine, or the reason why it cannot be taken. */
  #engineStep(step: Exclude<FileStep, { type: "expect" }>): Step | string {
    if (step.type === "apply") {
      const missing = step.files.filter((name) => this.#around.readFile(name) === undefined);
      if (missing.length > 0) return `There is no file ${missing.join(", ")} here`;
      for (const name of step.files) {
        const why = unreadableIn(this.#around.readFile(name) ?? "");
        if (why !== undefined) return `${name} cannot be applied: ${this.#ofTemplate(name) ?? why}`;
      }
      return { type: "apply", manifests: this.#manifestsOf(step) };
    }
    if (step.type === "kustomize" || step.type === "helm") {
      const made = this.#made.get(step) ?? [];
      return typeof made === "string" ? made : { type: "apply", manifests: made };
    }
    if (step.type === "engine") return this.#unknownName(step.step) ?? step.step;
    const [, namespace = "", name = ""] = step.pod.split("/");
    const node = this.simulation.runtime.api.store.get("Pod", namespace, name)?.spec.nodeName;
    return node === undefined
      ? `${printObjectText(step.pod)} has not been assigned to a node`
      : { type: "node", name: node, kubelet: step.kubelet };
  }

  /** Says that a file that kubectl cannot read is a template of a chart; undefined if it is not. */
  #ofTemplate(name: string): string | undefined {
    const chart = this.#around.chartOf(name);
    return (
      chart && `it is a template of a chart, which the step \`helm: {chart: ${chart}}\` installs`
    );
  }

  /** A message if the cluster does not have the node or driver that the step names. */
  #unknownName(step: Step): string | undefined {
    const { machines } = this.simulation.runtime;
    if (step.type === "node" && !machines.has(step.name))
      return `There is no node ${step.name}; there are ${[...machines.keys()].join(", ")}`;
    const driver =
      step.type === "driver" ? step.name : step.type === "fault" ? step.fault.driver : undefined;
    const known = this.simulation.scenario.cluster.drivers.map(({ name }) => name);
    if (driver === undefined || known.includes(driver)) return undefined;
    const others = known.length === 0 ? "the cluster has none" : `there are ${known.join(", ")}`;
    return `There is no driver ${driver}; ${others}`;
  }

  #manifestsOf(step: FileStep): readonly Manifest[] {
    if (step.type === "apply")
      return step.files.flatMap((name) => manifestsOf(this.#around.readFile(name) ?? ""));
    const made = this.#made.get(step);
    if (made !== undefined) return typeof made === "string" ? [] : made;
    return step.type === "engine" && step.step.type === "apply" ? step.step.manifests : [];
  }
}
