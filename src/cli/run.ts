/** The program: takes options, prints text, returns the exit code. */
import type { Diagnostic } from "../language-server/diagnostics/rule.ts";
import { importProblemTexts } from "../language-server/diagnostics/rules/import-problem.ts";
import { traceBytesMax } from "../language-server/prediction/memory.ts";
import { projectFileName } from "../language-server/project/project-file.ts";
import { createLanguageService, type LanguageService } from "../language-server/service.ts";
import type { ServiceSettings } from "../language-server/service-options.ts";
import type { Environment } from "../language-server/workspace/environment.ts";
import { baseName } from "../language-server/workspace/files/uri.ts";
import type { WorkspaceFile } from "../language-server/workspace/workspace-object.ts";
import { chartValues } from "./chart-files.ts";
import { type ClusterFiles, clusterFiles } from "./cluster-files.ts";
import type { ClusterResult } from "./cluster-result.ts";
import { inputName, loadPaths } from "./load-paths.ts";
import { type FailOn, help, type Options, parseOptions } from "./options.ts";
import { isErrorOfProjectFile } from "./output/beside-text.ts";
import { checkText, findingLine } from "./output/check-text.ts";
import { eventText } from "./output/event-text.ts";
import { explainText, hasObject, noSuchObject } from "./output/explain-text.ts";
import { printForGithub } from "./output/github-text.ts";
import { gitlabReport } from "./output/gitlab-report.ts";
import { jsonReport } from "./output/json-report.ts";
import { printPath } from "./output/place.ts";
import { predictText } from "./output/predict-text.ts";
import { sarifReport } from "./output/sarif-report.ts";
import { simulateText } from "./output/simulate-text.ts";
import { testJunit, testText } from "./output/test-text.ts";
import { ofEachOverlay, type ToldEnvironment, untoldCount } from "./overlays.ts";
import { loadScenarioPaths, runScenarios } from "./scenario-tests.ts";
import { type Terminal, type TextTerminal, textTerminal } from "./terminal.ts";
import { otherNamespaces, withinNamespace } from "./told-objects.ts";

export type ExitCode = 0 | 1 | 2 | 3;

export async function run(
  argv: readonly string[],
  given: Terminal,
  version: string,
): Promise<ExitCode> {
  const terminal = textTerminal(given);
  const parsed = parseOptions(argv);
  switch (parsed.type) {
    case "help":
      terminal.out(help);
      return 0;
    case "version":
      terminal.out(`${version}\n`);
      return 0;
    case "usage":
      terminal.err(`claimcheck: ${parsed.message}\nTry claimcheck --help.\n`);
      return 2;
    case "run":
      return await runCommand(parsed.options, terminal, version);
  }
}

async function runCommand(
  options: Options,
  terminal: TextTerminal,
  version: string,
): Promise<ExitCode> {
  const event = options.event === inputName ? await terminal.readInput() : options.event;
  if (event !== undefined && options.paths.length === 0 && options.cluster === undefined) {
    terminal.out(eventText(event, undefined, terminal.cwd));
    return 0;
  }
  const load = options.command === "test" ? loadScenarioPaths : loadPaths;
  const paths = await load(options.paths, terminal);
  if (!paths.ok) {
    terminal.err(`claimcheck: ${paths.message}\n`);
    return 2;
  }
  const cluster = await clusterFiles(options.cluster ?? [], paths.loaded, terminal);
  if (!cluster.ok) {
    terminal.err(`claimcheck: ${cluster.message}\n`);
    return 2;
  }
  const given = await chartValues(options, terminal.cwd);
  if (!given.ok) {
    terminal.err(`claimcheck: ${given.message}\n`);
    return 2;
  }
  const loadWith = (overlays: ReadonlyMap<string, string>): Promise<LanguageService> =>
    loadService(cluster.files, options, terminal, { overlays, chartValues: given.values });
  const service = await loadWith(new Map());
  const isAskedFor = ({ files }: Environment): boolean =>
    files.some(({ uri }) => !cluster.files.needed.has(uri));
  const environments = service.environments().filter(isAskedFor);
  if (!tellsOfCluster(service, environments, options, terminal)) return 2;
  async function* toldOf(): AsyncGenerator<ToldEnvironment> {
    for (const environment of environments) {
      yield* ofEachOverlay(service, environment, loadWith);
      const untold = untoldCount(environment);
      if (untold > 0)
        terminal.err(
          `claimcheck: ${untold} more overlays are not judged; pass their folders as paths\n`,
        );
    }
  }
  const code =
    options.command === "test"
      ? await testCommand(service, options, terminal)
      : await predictionCommand(toldOf(), options, terminal, { event, version });
  return tellUnreadable(cluster.files, terminal) && code !== 3 ? 2 : code;
}

function isManifest({ uri }: WorkspaceFile): boolean {
  return baseName(uri) !== projectFileName;
}

/** Prints which files that were asked for could not be read; false if all could. */
function tellUnreadable({ unreadable }: ClusterFiles, { cwd, err }: Terminal): boolean {
  for (const uri of [...unreadable].sort()) err(`claimcheck: cannot read ${printPath(uri, cwd)}\n`);
  return unreadable.size > 0;
}

async function predictionCommand(
  environments: AsyncIterable<ToldEnvironment>,
  options: Options,
  terminal: TextTerminal,
  { event, version }: { readonly event: string | undefined; readonly version: string },
): Promise<ExitCode> {
  const clusters: ClusterResult[] = [];
  for await (const { service, environment, overlay } of environments) {
    let slices = 0;
    const prediction = await service.predict(environment, () => {
      terminal.progress(
        `simulating ${environment.objects.length} objects${".".repeat(slices++ % 4)}`,
      );
      return false;
    });
    if (prediction === undefined) continue;
    const diagnostics = [...service.environmentDiagnostics(environment).values()]
      .flat()
      .filter((found) => overlay === undefined || found.overlay === undefined);
    const all: ClusterResult = { environment, service, prediction, diagnostics, overlay };
    clusters.push(withinNamespace(all, options.namespace));
  }
  terminal.progress("");
  const { object } = options;
  if (object !== undefined && !clusters.some((cluster) => hasObject(cluster, object))) {
    terminal.err(`claimcheck: ${noSuchObject(object, clusters)}\n`);
    return 2;
  }
  tellOfOtherNamespaces(clusters, options, terminal);
  if (options.command !== "check")
    for (const { service, diagnostics } of clusters)
      tellOfProjectFile(service, diagnostics, terminal);
  const looksForFiles = options.paths.length > 0 && object === undefined;
  if (looksForFiles && clusters.every(({ environment }) => !environment.files.some(isManifest)))
    terminal.err("claimcheck: there is no manifest in these paths\n");
  if (event !== undefined)
    terminal.out(
      clusters.map(({ prediction }) => eventText(event, prediction, terminal.cwd)).join("\n"),
    );
  else if (options.output === "github") printForGithub(clusters, terminal);
  else terminal.out(render(clusters, options, terminal.cwd, version));
  for (const { prediction } of clusters) {
    if (prediction.limit !== undefined) terminal.err(`claimcheck: ${prediction.limit}\n`);
  }
  // Asking what an event means does not fail because of findings in the files.
  return exitCode(clusters, event === undefined ? options.failOn : "never");
}

/** If the namespace has no objects, prints which namespaces have: another one may have been meant. */
function tellOfOtherNamespaces(
  clusters: readonly ClusterResult[],
  { namespace, object }: Options,
  { err }: Terminal,
): void {
  if (namespace === undefined || object !== undefined) return;
  const others = otherNamespaces(clusters);
  if (others === undefined || others.length === 0) return;
  err(
    `claimcheck: no object here is in namespace ${namespace}; there are objects in ${others.join(", ")}\n`,
  );
}

/** Prints the errors of claimcheck.yaml, as everything was judged without it. */
function tellOfProjectFile(
  service: LanguageService,
  diagnostics: Iterable<Diagnostic>,
  { cwd, err }: Terminal,
): void {
  for (const diagnostic of diagnostics) {
    if (isErrorOfProjectFile(diagnostic))
      err(`claimcheck: ${findingLine({ service }, diagnostic, cwd)}\n`);
  }
}

async function loadService(
  { folder, fileSystem, imports }: ClusterFiles,
  options: Options,
  terminal: Terminal,
  chosen: Pick<ServiceSettings, "overlays" | "chartValues">,
): Promise<LanguageService> {
  const service = createLanguageService({
    fileSystem,
    pause: nextTurn,
    // Dividing into islands pays off only for repeated edits: one run of everything is enough here.
    smallEnvironment: Number.POSITIVE_INFINITY,
    ...(terminal.heapBytesMax !== undefined && {
      traceBytesMax: traceBytesMax(terminal.heapBytesMax, "first"),
    }),
  });
  service.configure({
    winOverProject: true,
    ...chosen,
    ...(imports.length > 0 && { imports }),
    ...(options.profile !== undefined && { profile: options.profile }),
    ...(options.kubernetesVersion !== undefined && {
      kubernetesVersion: options.kubernetesVersion,
    }),
  });
  await service.loadFolders([folder], (done, total) =>
    terminal.progress(`reading ${done} of ${total} files`),
  );
  return service;
}

/** Prints what is wrong with the imported cluster; false if none of its objects can be read. */
function tellsOfCluster(
  service: LanguageService,
  environments: readonly Environment[],
  { cluster }: Options,
  terminal: Terminal,
): boolean {
  const [environment] = cluster === undefined ? [] : environments;
  if (environment === undefined) return true;
  for (const text of importProblemTexts(environment, service.analysis(environment).assumed))
    terminal.err(`claimcheck: ${text}\n`);
  return (environment.imported?.objects.length ?? 0) > 0;
}

async function testCommand(
  service: LanguageService,
  { output }: Options,
  terminal: Terminal,
): Promise<ExitCode> {
  const reports = await runScenarios(service, terminal);
  if (reports.length === 0) {
    terminal.err("claimcheck: there is no scenario (*.scenario.yaml) in these paths\n");
    return 2;
  }
  for (const environment of service.environments())
    for (const found of service.environmentDiagnostics(environment).values())
      tellOfProjectFile(service, found, terminal);
  const print = output === "junit" ? testJunit : testText;
  terminal.out(print(reports, service, terminal.cwd));
  return reports.some(({ failures }) => failures.length > 0) ? 1 : 0;
}

function render(
  clusters: readonly ClusterResult[],
  options: Options,
  cwd: string,
  version: string,
): string {
  if (options.output === "json") return jsonReport(clusters, options, cwd);
  if (options.output === "sarif") return sarifReport(clusters, version, cwd);
  if (options.output === "gitlab") return gitlabReport(clusters, cwd);
  switch (options.command) {
    case "check":
      return checkText(clusters, cwd);
    case "predict":
      return clusters.map((cluster) => predictText(cluster, cwd)).join("\n");
    case "simulate":
      return clusters.map((cluster) => simulateText(cluster, cwd)).join("\n");
    case "explain":
      return clusters
        .filter((cluster) => options.object === undefined || hasObject(cluster, options.object))
        .map((cluster) => explainText(cluster, cwd, options.object))
        .join("\n");
    case "test":
      return "";
  }
}

const severityRank = { error: 3, warning: 2, information: 1, hint: 0 } as const;

function exitCode(clusters: readonly ClusterResult[], failOn: FailOn): ExitCode {
  if (clusters.some(({ prediction }) => prediction.limit !== undefined)) return 3;
  if (failOn === "never") return 0;
  const from = severityRank[failOn];
  const fails = clusters.some(({ diagnostics }) =>
    diagnostics.some(({ severity }) => severityRank[severity] >= from),
  );
  return fails ? 1 : 0;
}

function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
