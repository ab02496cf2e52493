/**
 * Turns what was done on the simulation page into a scenario file that expects its results. The file is run first: expectations
 * that it does not meet are reported and left out.
 */
import { created } from "../../engine/api/patch/apply-patch.ts";
import type { Manifest } from "../../engine/scenario.ts";
import { Simulation } from "../../engine/simulation.ts";
import { stepText } from "../../engine/trace/step-text.ts";
import { restLimitMs, stepsOf, type WhatIfStep } from "../../protocol/what-if.ts";
import { type EnvironmentScenario, suppliedTo } from "../prediction/scenario-of.ts";
import { durationText } from "../shapes/duration.ts";
import type { Environment } from "../workspace/environment.ts";
import { pathOf, relativePath } from "../workspace/files/uri.ts";
import type { ChartRelease } from "../workspace/helm/chart-releases.ts";
import { isRendered, type WorkspaceObject } from "../workspace/workspace-object.ts";
import { readYamlDocument } from "../yaml/yaml-document.ts";
import { changedSince, type RestExpectations, restExpectations } from "./rest-expectations.ts";
import type { ScenarioFailure } from "./run-scenario.ts";
import { readScenarioFile } from "./scenario-file.ts";
import { runScenarioIn } from "./scenario-report.ts";
import { applyText, type Fields, flowText, stepBody, stepLine } from "./step-yaml.ts";

export interface SavedScenario {
  readonly text: string;
  /** What the page shows, but the file does not bring about. */
  readonly problems: readonly string[];
}

/** Steps, and what is expected once they have come to rest. */
interface Act {
  /** As YAML text. */
  readonly steps: readonly string[];
  readonly expected: readonly Fields[];
}

const sliceEventCount = 1000;
/** A title must fit into one line. */
const titleLengthMax = 120;

/** Yields often. */
export function* saveScenario(
  environment: Environment,
  predicted: EnvironmentScenario,
  steps: readonly WhatIfStep[],
): Generator<void, SavedScenario> {
  const rests = yield* restsOf(environment, predicted, steps);
  let best: SavedScenario | undefined;
  // Readers prefer files, but these may apply objects in another order than the page, or without its patches.
  for (const apply of [applyFiles, applyManifests]) {
    const acts = actsOf(apply(environment, predicted), steps, rests);
    const saved = yield* tried(environment, predicted, acts, titleOf(steps));
    if (saved.problems.length === 0) return saved;
    if (best === undefined || saved.problems.length < best.problems.length) best = saved;
  }
  return best ?? { text: "", problems: [] };
}

/** The state at each rest: after the files have been applied, and after each step. */
function* restsOf(
  environment: Environment,
  { scenario }: EnvironmentScenario,
  steps: readonly WhatIfStep[],
): Generator<void, readonly RestExpectations[]> {
  const simulation = new Simulation(scenario, sliceEventCount);
  const rests: RestExpectations[] = [];
  let readCount = 0;
  const rest = (): void => {
    rests.push(restExpectations(simulation, environment.byRef, readCount));
    readCount = simulation.trace.entries.length;
  };
  yield* simulation.boot();
  for (const step of scenario.steps) yield* simulation.step(step);
  rest();
  for (const done of steps) {
    for (const step of stepsOf(done)) yield* simulation.step(step);
    rest();
  }
  return rests;
}

const settle: string = stepLine("settle", { within: durationText(restLimitMs) });

/** Applies the workspace's files and charts, by their paths from the environment's folder. */
function applyFiles(environment: Environment, { applied }: EnvironmentScenario): readonly string[] {
  const pathFrom = (uri: string): string => relativePath(pathOf(environment.id), pathOf(uri));
  const written = applied.filter((entry) => !isRendered(entry));
  const paths = new Set(written.map(({ file }) => pathFrom(file.uri)));
  const bringing = [
    ...(paths.size === 0 ? [] : [stepLine("apply", [...paths])]),
    ...environment.charts.releases.map((release) => installing(release, pathFrom)),
  ];
  const before = applySupplied(environment, applied);
  return bringing.length === 0 ? before : [...before, ...bringing, settle];
}

function installing(
  { folder, name, namespace, values, skipsSchemas }: ChartRelease,
  pathFrom: (uri: string) => string,
): string {
  return stepLine("helm", {
    chart: pathFrom(folder),
    ...(name !== "" && { name }),
    ...(namespace !== "default" && { namespace }),
    ...(values.length > 0 && { values: values.map(pathFrom) }),
    ...(skipsSchemas && { skipSchemaValidation: true }),
  });
}

/** Applies the objects themselves, in the page's order. */
function applyManifests(
  environment: Environment,
  { applied }: EnvironmentScenario,
): readonly string[] {
  const manifests = applied.map(({ object }) => created(object.value));
  return [...applySupplied(environment, applied), ...applying(manifests)];
}

function applySupplied(
  environment: Environment,
  applied: readonly WorkspaceObject[],
): readonly string[] {
  const { namespaces, configs } = suppliedTo(applied, environment);
  return applying([...namespaces, ...configs]);
}

function applying(manifests: readonly Manifest[]): readonly string[] {
  return manifests.length === 0 ? [] : [applyText(manifests), settle];
}

function actsOf(
  apply: readonly string[],
  steps: readonly WhatIfStep[],
  rests: readonly RestExpectations[],
): readonly Act[] {
  const first: Act = { steps: apply, expected: changedSince(new Map(), rests[0] ?? new Map()) };
  return [
    first,
    ...steps.map((step, index): Act => {
      const [before = new Map(), now = new Map()] = rests.slice(index, index + 2);
      const text = stepLine(...stepBody(step));
      const own = step.type === "advance" ? [text] : [text, settle];
      return { steps: own, expected: changedSince(before, now) };
    }),
  ];
}

function titleOf(steps: readonly WhatIfStep[]): string {
  if (steps.length === 0) return "What the files bring about";
  const title = `What if: ${steps.map(stepText).join("; ")}`;
  return title.length > titleLengthMax ? `${title.slice(0, titleLengthMax - 1)}…` : title;
}

/** Runs the file, and drops the expectations that it does not meet. */
function* tried(
  environment: Environment,
  predicted: EnvironmentScenario,
  acts: readonly Act[],
  title: string,
): Generator<void, SavedScenario> {
  const head = headOf(predicted, title);
  const text = textOf(head, acts);
  const failures = yield* failuresOf(environment, text);
  const failed = new Set(failures.map(({ path }) => path.join(" ")));
  let at = 0;
  const kept = acts.map(({ steps, expected }): Act => {
    at += steps.length;
    const holds = expected.filter((_, index) => !failed.has(`steps ${at} expect ${index}`));
    if (expected.length > 0) at++;
    return { steps, expected: holds };
  });
  return { text: textOf(head, kept), problems: failures.map(({ message }) => message) };
}

/** Runs the file like the command line, which does not know the editor's settings. */
function* failuresOf(
  environment: Environment,
  text: string,
): Generator<void, readonly ScenarioFailure[]> {
  const scenario = readScenarioFile(readYamlDocument(text));
  return (yield* runScenarioIn(environment.id, scenario, environment, {})).failures;
}

function headOf({ profileFrom, assumed }: EnvironmentScenario, title: string): Fields {
  const profile = profileFrom === "settings" ? { profile: assumed.cluster.name } : {};
  return { title, ...profile };
}

function textOf(head: Fields, acts: readonly Act[]): string {
  const lines = Object.entries(head).map(([key, value]) => `${key}: ${flowText(value)}\n`);
  const texts = acts.flatMap(({ steps, expected }) =>
    expected.length === 0 ? steps : [...steps, stepLine("expect", expected)],
  );
  return `${lines.join("")}steps:${texts.length === 0 ? " []" : ""}\n${texts.join("")}`;
}
