/** `claimcheck test`: loads the scenarios that paths name, and runs them one after the other. */
import { dirname } from "node:path";
import { isScenarioUri } from "../language-server/scenarios/scenario-file.ts";
import type { ScenarioReport } from "../language-server/scenarios/scenario-report.ts";
import type { LanguageService } from "../language-server/service.ts";
import { type LoadedPaths, type LoadResult, loadPaths } from "./load-paths.ts";
import type { Terminal } from "./terminal.ts";

/** Also reads the folder of a scenario that is named by itself, as it applies files from there. */
export async function loadScenarioPaths(
  paths: readonly string[],
  terminal: Terminal,
): Promise<LoadResult> {
  const named = await loadPaths(paths, terminal);
  if (!named.ok) return named;
  const { loaded } = named;
  const besides = paths.filter((path) => isScenarioUri(path)).map((path) => dirname(path));
  if (besides.length === 0) return named;
  const wanted = new Set(await scenarioUris(loaded));
  const all = await loadPaths([...paths, ...besides], terminal);
  if (!all.ok) return all;
  const { fileSystem } = all.loaded;
  const listFiles = async (below: string) =>
    (await fileSystem.listFiles(below)).filter(({ uri }) => !isScenarioUri(uri) || wanted.has(uri));
  return { ok: true, loaded: { ...all.loaded, fileSystem: { ...fileSystem, listFiles } } };
}

async function scenarioUris({ folder, fileSystem }: LoadedPaths): Promise<readonly string[]> {
  return (await fileSystem.listFiles(folder)).map(({ uri }) => uri).filter(isScenarioUri);
}

export async function runScenarios(
  service: LanguageService,
  terminal: Terminal,
): Promise<readonly ScenarioReport[]> {
  const reports: ScenarioReport[] = [];
  const files = service.scenarioFiles();
  for (const [index, { uri }] of files.entries()) {
    terminal.progress(`running ${index + 1} of ${files.length} scenarios`);
    const report = await service.runScenario(uri);
    if (report !== undefined) reports.push(report);
  }
  terminal.progress("");
  return reports;
}
