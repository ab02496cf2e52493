/** What a chart needs besides the given paths: the rest of its files, and values from the command line. */
import { stat } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { givenValues, type ValuesSource } from "../language-server/helm/chart/given-values.ts";
import { type SetKind, setValues } from "../language-server/helm/chart/set-values.ts";
import { ValueBudget } from "../language-server/helm/chart/value-budget.ts";
import { projectFileName, readProjectFile } from "../language-server/project/project-file.ts";
import { diskFileSystem } from "../language-server/workspace/files/disk-workspace.ts";
import { chartFileName } from "../language-server/workspace/helm/chart-folders.ts";
import { isNamedBelow, isWithin } from "./is-within.ts";
import { readNamedFile } from "./named-file.ts";

/** Values for charts, which take precedence over those of the charts and of claimcheck.yaml. */
export interface ChartOptions {
  /** Paths of values files. */
  readonly values: readonly string[];
  /** The arguments of `--set` and its variants, as `helm template` takes them. */
  readonly lines: readonly SetOption[];
}

export interface SetOption {
  readonly type: SetKind;
  readonly line: string;
}

/**
 * URIs of the Chart.yaml and values files of the charts that the project files of some folders install, as far as they are
 * within the working directory.
 */
export async function installedCharts(
  projects: Iterable<string>,
  cwd: string,
): Promise<readonly string[]> {
  const found: string[] = [];
  for (const folder of projects) {
    const text = await diskFileSystem.readFile(pathToFileURL(join(folder, projectFileName)).href);
    for (const { chart, values } of readProjectFile(text ?? "").charts ?? [])
      for (const name of [join(chart, chartFileName), ...values]) {
        const path = resolve(folder, name);
        const info = await stat(path).catch(() => undefined);
        if (info?.isFile() === true && (await isWithin(path, [cwd])))
          found.push(pathToFileURL(path).href);
      }
  }
  return found;
}

/** The folders of the outermost charts around the files, not above the working directory. */
export async function chartsAround(
  uris: Iterable<string>,
  cwd: string,
): Promise<readonly string[]> {
  const folders = new Set([...uris].map((uri) => dirname(fileURLToPath(uri))));
  const charts = new Map<string, string | undefined>();
  for (const folder of folders) charts.set(folder, await outermostChart(folder, cwd));
  return [...new Set(charts.values())].filter((folder) => folder !== undefined);
}

async function outermostChart(folder: string, cwd: string): Promise<string | undefined> {
  let found: string | undefined;
  for (let at = folder; at === cwd || isNamedBelow(at, cwd); at = dirname(at)) {
    const info = await stat(join(at, chartFileName)).catch(() => undefined);
    if (info?.isFile() === true) found = at;
    if (at === cwd) break;
  }
  return found;
}

export type ChartValuesResult =
  | { readonly ok: true; readonly values: readonly ValuesSource[] }
  | { readonly ok: false; readonly message: string };

/** Reads the values that the options give to charts; fails if a file or an argument cannot be read. */
export async function chartValues(
  { values, lines }: ChartOptions,
  cwd: string,
): Promise<ChartValuesResult> {
  const given: ValuesSource[] = [];
  for (const path of values) {
    const uri = pathToFileURL(resolve(cwd, path)).href;
    const text = await readNamedFile(uri);
    if (text === undefined) return { ok: false, message: `cannot read ${path}` };
    given.push({ type: "file", file: { uri, text } });
  }
  for (const { type, line } of lines) {
    if (type !== "set-file") {
      given.push({ type, line });
      continue;
    }
    const { files, unreadable } = await filesOf(line, cwd);
    if (unreadable !== undefined) return { ok: false, message: `cannot read ${unreadable}` };
    given.push({ type, line, files });
  }
  // Mistakes in a file are reported as findings in that file.
  const refused = givenValues(given, new ValueBudget()).problems.find(({ uri }) => uri === "");
  return refused === undefined
    ? { ok: true, values: given }
    : { ok: false, message: refused.message };
}

interface NamedFiles {
  /** Texts by path, without files that do not exist. */
  readonly files: ReadonlyMap<string, string>;
  /** The path of a file that exists but cannot be read. */
  readonly unreadable?: string;
}

/** Reads the files that an argument of `--set-file` names. */
async function filesOf(line: string, cwd: string): Promise<NamedFiles> {
  const paths = new Set<string>();
  setValues(line, new Map(), "set-file", (path) => {
    paths.add(path);
    return "";
  });
  const files = new Map<string, string>();
  for (const path of paths) {
    const at = resolve(cwd, path);
    const text = await readNamedFile(pathToFileURL(at).href);
    if (text !== undefined) files.set(path, text);
    else if ((await stat(at).catch(() => undefined)) !== undefined)
      return { files, unreadable: path };
  }
  return { files };
}
