/**
 * What was done on the simulation page, as a scenario file whose expectations are what came of it. The file is run before it is
 * handed over: what it does not bring about as the page did is told, and not expected.
 */
import type { Manifest } from "../../engine/scenario.ts";
import { Simulation } from "../../engine/simulation.ts";
import { stepsOf, type WhatIfStep } from "../../protocol/what-if.ts";
import { type EnvironmentScenario, versionOf } from "../prediction/scenario-of.ts";
import { pathOf, resolveUri } from "../workspace/uri.ts";
import type { Environment } from "../workspace/workspace.ts";
import { isRecord } from "../yaml/manifest.ts";
import { readYamlDocument } from "../yaml/yaml-document.ts";
import { changedSince, type RestExpectations, restExpectations } from "./rest-expectations.ts";
import { runScenarioFile, type ScenarioFailure } from "./run-scenario.ts";
import { readScenarioFile } from "./scenario-file.ts";
import { applyText, type Fields, flowText, stepBody, stepLine } from "./step-text.ts";

export interface SavedScenario {
  readonly text: string;
  /** What the page shows and the file does not bring about. */
  readonly problems: readonly string[];
}

/** Something done, and what is expected once it has come to rest. */
interface Act {
  readonly lines: string;
  readonly expected: readonly Fields[];
}

const sliceEventCount = 1000;
/** A title is a line. */
const titleLengthMax = 120;

/** Yields often. */
export function* saveScenario(
  environment: Environment,
  predicted: EnvironmentScenario,
  steps: readonly WhatIfStep[],
): Generator<void, SavedScenario> {
  const rests = yield* restsOf(environment, predicted, steps);
  let best: SavedScenario | undefined;
  // Files are what a person wants to see; their objects may come in another order than on the page, or changed by patches.
  for (const apply of [applyFiles, applyManifests]) {
    const acts = actsOf(apply(environment, predicted), steps, rests);
    const saved = yield* tried(environment, predicted, acts, titleOf(steps));
    if (saved.problems.length === 0) return saved;
    if (best === undefined || saved.problems.length < best.problems.length) best = saved;
  }
  return best ?? { text: "", problems: [] };
}

/** What is seen at rest: of the files alone, and after each step. */
function* restsOf(
  environment: Environment,
  { scenario }: EnvironmentScenario,
  steps: readonly WhatIfStep[],
): Generator<void, readonly RestExpectations[]> {
  const simulation = new Simulation(scenario);
  const rests: RestExpectations[] = [];
  let readCount = 0;
  const rest = (): void => {
    rests.push(restExpectations(simulation, environment.byRef, readCount));
    readCount = simulation.trace.entries.length;
  };
  yield* simulation.boot(sliceEventCount);
  for (const step of scenario.steps) yield* simulation.step(step, sliceEventCount);
  rest();
  for (const done of steps) {
    for (const step of stepsOf(done)) yield* simulation.step(step, sliceEventCount);
    rest();
  }
  return rests;
}

const settle: string = stepLine("settle", { within: "10m" });

/** The workspace's files, by their paths from the environment's folder. */
function applyFiles(environment: Environment, predicted: EnvironmentScenario): string {
  const uris = new Set(predicted.applied.map(({ file }) => file.uri));
  const names = [...uris].map((uri) => decodeURI(uri.slice(environment.id.length + 1)));
  const prelude = manifestsBeside(environment, predicted);
  const before = prelude.length === 0 ? "" : applyText(prelude) + settle;
  return names.length === 0 ? before : `${before}${stepLine("apply", names)}${settle}`;
}

/** The objects themselves, in the order in which the page applies them. */
function applyManifests(environment: Environment, predicted: EnvironmentScenario): string {
  const prelude = manifestsBeside(environment, predicted);
  const before = prelude.length === 0 ? "" : applyText(prelude) + settle;
  const objects = predicted.applied.map(({ object }) => object.value);
  return objects.length === 0 ? before : `${before}${applyText(objects)}${settle}`;
}

/** What the page takes to be there because the files use it: namespaces, and the certificate of every one. */
function manifestsBeside(
  environment: Environment,
  { scenario, assumed, applied }: EnvironmentScenario,
): readonly Manifest[] {
  const assumedToo = new Set(assumed.cluster.manifests);
  const own = new Set<string>(applied.map(({ object }) => String(object.ref)));
  const namespaces = scenario.cluster.manifests.filter((manifest) => !assumedToo.has(manifest));
  const [apply] = scenario.steps;
  const applies = apply?.type === "apply" ? apply.manifests : [];
  const certificates = applies.filter(({ kind, metadata }) => {
    const { namespace = "default", name } = metadata as Fields;
    const ref = `${String(kind)}/${String(namespace)}/${String(name)}`;
    return kind === "ConfigMap" && !own.has(ref) && !environment.byRef.has(ref as never);
  });
  return [...namespaces, ...certificates];
}

function actsOf(
  apply: string,
  steps: readonly WhatIfStep[],
  rests: readonly RestExpectations[],
): readonly Act[] {
  const first: Act = { lines: apply, expected: changedSince(new Map(), rests[0] ?? new Map()) };
  return [
    first,
    ...steps.map((step, index): Act => {
      const [before = new Map(), now = new Map()] = rests.slice(index, index + 2);
      const lines = stepLine(...stepBody(step)) + (step.type === "advance" ? "" : settle);
      return { lines, expected: changedSince(before, now) };
    }),
  ];
}

function titleOf(steps: readonly WhatIfStep[]): string {
  if (steps.length === 0) return "What the files bring about";
  const title = `What if: ${steps.map((step) => stepBody(step).map(wordsOf).join(" ")).join("; ")}`;
  return title.length > titleLengthMax ? `${title.slice(0, titleLengthMax - 1)}…` : title;
}

/** The values of a step without their names. */
function wordsOf(value: unknown): string {
  if (Array.isArray(value)) return value.map(wordsOf).join(", ");
  if (!isRecord(value)) return String(value);
  const told = Object.entries(value).filter(([key, part]) => !untold.has(key) && !isRecord(part));
  return told.map(([, part]) => wordsOf(part)).join(" ");
}

/** What says little without its name. */
const untold: ReadonlySet<string> = new Set(["after", "delay", "grace", "message", "times"]);

/** What the file does not bring about is not expected. */
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
  let stepCount = 0;
  const kept = acts.map(({ lines, expected }): Act => {
    stepCount += lines.match(/^ {2}- /gm)?.length ?? 0;
    const at = stepCount;
    if (expected.length > 0) stepCount++;
    const holds = expected.filter((_, index) => !failed.has(`steps ${at} expect ${index}`));
    return { lines, expected: holds };
  });
  return { text: textOf(head, kept), problems: failures.map(({ message }) => message) };
}

/** Run as the command line runs it, which does not know the editor's settings. */
function* failuresOf(
  environment: Environment,
  text: string,
): Generator<void, readonly ScenarioFailure[]> {
  const texts = new Map(environment.files.map(({ uri, manifest }) => [pathOf(uri), manifest.text]));
  const run = yield* runScenarioFile(readScenarioFile(readYamlDocument(text)), {
    readFile: (name) => texts.get(pathOf(resolveUri(environment.id, name))),
    profile: environment.project.profile,
    version: versionOf(environment, {}),
    imported: environment.imported?.objects,
  });
  return run.failures;
}

function headOf({ profileFrom, assumed }: EnvironmentScenario, title: string): Fields {
  const profile = profileFrom === "settings" ? { profile: assumed.cluster.name } : {};
  return { title, ...profile };
}

function textOf(head: Fields, acts: readonly Act[]): string {
  const lines = Object.entries(head).map(([key, value]) => `${key}: ${flowText(value)}\n`);
  const steps = acts.map(({ lines: own, expected }) =>
    expected.length === 0 ? own : own + stepLine("expect", expected),
  );
  return `${lines.join("")}steps:\n${steps.join("")}`;
}
