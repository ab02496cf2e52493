/** Runs a scenario file against the files of the workspace as they are in the editor. */
import type { KubernetesVersion, Manifest } from "../../engine/scenario.ts";
import { asking } from "../nearest-name.ts";
import { generatedObjects } from "../prediction/generated-objects.ts";
import { type PredictionSettings, profileOf, versionOf } from "../prediction/scenario-of.ts";
import type { Environment } from "../workspace/environment.ts";
import { baseName, parentUri, pathOf, resolveUri } from "../workspace/files/uri.ts";
import { ChartInflater } from "../workspace/helm/chart-inflater.ts";
import type { LocalFolder } from "../workspace/helm/chart-releases.ts";
import { localFolderAmong } from "../workspace/helm/local-folders.ts";
import { stopsBuild } from "../workspace/kustomize/loaded-patch.ts";
import { buildOf, kustomizationNames } from "../workspace/kustomize.ts";
import { objectsOfFile, type WorkspaceFile } from "../workspace/workspace-object.ts";
import { underline, underlineKey } from "../yaml/locate.ts";
import type { Path, Span } from "../yaml/place.ts";
import { readYamlDocument, type YamlDocument } from "../yaml/yaml-document.ts";
import { chartOfTemplate, installedChart } from "./installed-chart.ts";
import { runScenarioFile, type ScenarioRun } from "./run-scenario.ts";
import { isScenarioUri, readScenarioFile, type ScenarioFile } from "./scenario-file.ts";

export interface ScenarioReport {
  readonly uri: string;
  /** The file's name if it has no title. */
  readonly title: string;
  /** What is wrong with the file's form, or else the expectations that were not met, by place. */
  readonly failures: readonly PlacedText[];
  readonly expectationCount: number;
  /** How long the steps would take in a real cluster. */
  readonly virtualTimeMs: number;
}

export interface PlacedText extends Span {
  readonly message: string;
  readonly meant?: string | undefined;
}

/** In the order of the workspace's files. */
export function scenarioFilesOf({ files }: Environment): readonly WorkspaceFile[] {
  return files.filter(({ uri }) => isScenarioUri(uri));
}

/** What is wrong with the form of a scenario file; only syntax errors, if there are any. */
export function scenarioProblems(document: YamlDocument): readonly PlacedText[] {
  return problemsOf(document, readScenarioFile(document));
}

function problemsOf(document: YamlDocument, scenario: ScenarioFile): readonly PlacedText[] {
  if (document.problems.length > 0) return document.problems;
  return scenario.problems.map(({ path, isOfKey, message, meant }) => ({
    ...(isOfKey === true ? underlineKey(document, path) : underline(document, path)),
    message,
    meant,
  }));
}

export function titleOf({ uri, manifest }: WorkspaceFile): string {
  return titleIn(uri, readScenarioFile(readYamlDocument(manifest.text)));
}

function titleIn(uri: string, { title }: ScenarioFile): string {
  return title === "" ? baseName(uri) : title;
}

/** Yields often. Files that a step names are looked up relative to the folder, and only among the workspace's files. */
export function* runScenarioIn(
  folder: string,
  scenario: ScenarioFile,
  environment: Environment,
  settings: PredictionSettings,
): Generator<void, ScenarioRun> {
  const texts = new Map(environment.files.map(({ uri, manifest }) => [pathOf(uri), manifest.text]));
  const version = versionOf(environment, settings);
  return yield* runScenarioFile(scenario, {
    readFile: (name) => texts.get(pathOf(resolveUri(folder, name))),
    kustomize: (path) => kustomizedIn(resolveUri(folder, path), path, environment, version),
    helm: (release) => installedChart(release, folder, environment, version),
    chartOf: (name) => chartOfTemplate(resolveUri(folder, name), folder, environment),
    profile: profileOf(environment, settings),
    version,
    imported: environment.imported,
    drivers: environment.project.drivers,
  });
}

/** The objects that kubectl would send, in order, or a text with the reason why it would send nothing. */
function kustomizedIn(
  uri: string,
  path: string,
  { id, files }: Environment,
  version: KubernetesVersion,
): readonly Manifest[] | string {
  const localFolder = (asked: string): LocalFolder => localFolderAmong(files, asked);
  const scene = { folder: id, files, version, values: [], localFolder };
  const inflater = new ChartInflater();
  const inflate = inflater.begin(scene);
  const built = buildOf(uri, { files, objectsOf: objectsOfFile, inflate });
  if (built === undefined) {
    const names = kustomizationNames.map((name) => `'${name}'`);
    return `unable to find one of ${names.slice(0, -1).join(", ")} or ${names.at(-1)} in directory '${path}'`;
  }
  const refusal = built.problems.find(stopsBuild)?.message ?? inflater.refusal;
  if (refusal !== undefined) return refusal;
  const { objects, generated } = built;
  return [...objects.map(({ object }) => object.value), ...generatedObjects(generated, objects)];
}

/** Yields often. */
export function* runScenarioOf(
  file: WorkspaceFile,
  environment: Environment,
  settings: PredictionSettings,
): Generator<void, ScenarioReport> {
  const document = readYamlDocument(file.manifest.text);
  const scenario = readScenarioFile(document);
  const common = { uri: file.uri, title: titleIn(file.uri, scenario) };
  const failures = problemsOf(document, scenario).map(({ start, end, message, meant }) => {
    return { start, end, message: asking(message, meant) };
  });
  if (failures.length > 0) return { ...common, failures, expectationCount: 0, virtualTimeMs: 0 };
  const run = yield* runScenarioIn(parentUri(file.uri), scenario, environment, settings);
  return { ...common, ...resultOf(run, document) };
}

function resultOf(
  { failures, expectationCount, virtualTimeMs }: ScenarioRun,
  document: YamlDocument,
): Pick<ScenarioReport, "failures" | "expectationCount" | "virtualTimeMs"> {
  const placed = failures.map(({ path, message }) => ({ ...placeOf(document, path), message }));
  // An unexpected refusal is found only at the next expectation, so failures have to be sorted by place.
  return { failures: placed.sort((a, b) => a.start - b.start), expectationCount, virtualTimeMs };
}

/** The verb of a step, or the whole expectation. */
function placeOf(document: YamlDocument, path: Path): Span {
  return typeof path.at(-1) === "string" ? underlineKey(document, path) : underline(document, path);
}
