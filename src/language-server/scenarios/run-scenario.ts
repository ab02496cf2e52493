/** Runs a scenario file and checks its expectations. */
import { assumeCluster } from "../../engine/profiles/assume-cluster.ts";
import type { KubernetesVersion, Manifest, Step } from "../../engine/scenario.ts";
import { Simulation } from "../../engine/simulation.ts";
import { unmet } from "./expectation.ts";
import { type FileStep, manifestsOf, type ScenarioFile } from "./scenario-file.ts";

export interface ScenarioRun {
  readonly simulation: Simulation;
  /** Each expectation that does not hold, and whatever could not be read. */
  readonly failures: readonly string[];
  readonly expectationCount: number;
}

export interface ScenarioSurroundings {
  /** Text of a file beside the scenario; undefined where there is none. */
  readonly readFile: (name: string) => string | undefined;
  /** The project's profile and version. */
  readonly profile?: string | undefined;
  readonly version: KubernetesVersion;
}

export function runScenarioFile(file: ScenarioFile, around: ScenarioSurroundings): ScenarioRun {
  const failures = [...file.problems];
  const steps = file.steps.map((step) => withManifests(step, around, failures));
  const manifests = steps.flatMap((s) =>
    s.type === "engine" && s.step.type === "apply" ? s.step.manifests : [],
  );
  const { cluster } = assumeCluster(manifests, file.profile ?? around.profile);
  const { version } = around;
  const simulation = new Simulation({ version, seed: file.seed, cluster, steps: [] });
  finish(simulation.boot());
  let expectationCount = 0;
  for (const step of steps) {
    if (step.type === "expect") {
      expectationCount += step.expectations.length;
      failures.push(...step.expectations.flatMap((expected) => unmet(expected, simulation)));
      continue;
    }
    const engineStep = engineStepOf(step, simulation);
    if (typeof engineStep === "string") failures.push(engineStep);
    else finish(simulation.step(engineStep));
  }
  return { simulation, failures, expectationCount };
}

function finish(slices: Generator<void>): void {
  while (slices.next().done !== true);
}

function withManifests(step: FileStep, around: ScenarioSurroundings, failures: string[]): FileStep {
  if (step.type !== "apply") return step;
  const manifests = step.files.flatMap((name): readonly Manifest[] => {
    const text = around.readFile(name);
    if (text === undefined) failures.push(`apply: there is no file ${name}`);
    return text === undefined ? [] : manifestsOf(text);
  });
  return { type: "engine", step: { type: "apply", manifests } };
}

/** The engine's step, or why there is none. */
function engineStepOf(
  step: Exclude<FileStep, { type: "expect" }>,
  simulation: Simulation,
): Step | string {
  if (step.type === "engine") return step.step;
  if (step.type === "apply") return "apply: the files were not read";
  const [, namespace = "", name = ""] = step.pod.split("/");
  const node = simulation.runtime.api.store.get("Pod", namespace, name)?.spec.nodeName;
  return node === undefined
    ? `node: ${step.pod} is on no node`
    : { type: "node", name: node, kubelet: step.kubelet };
}
