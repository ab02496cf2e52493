/**
 * Which files of a chart's folder Helm ignores. Upstream: pkg/ignore/rules.go, pkg/chart/v2/loader/directory.go LoadDir. Only
 * the file in the outermost chart's folder counts, not those of subcharts.
 */
import type { ChartFile, ChartProblem } from "./chart.ts";
import { pathPattern } from "./path-pattern.ts";

interface Rule {
  readonly isNegative: boolean;
  readonly isOfFolders: boolean;
  matches(path: string): boolean;
}

export interface HelmIgnore {
  /** True if a path below the chart's folder is ignored, either itself or with a folder above it. */
  isIgnored(path: string): boolean;
  /** Lines that Helm refuses, and the whole chart with them. */
  readonly problems: readonly ChartProblem[];
}

export function helmIgnore(file: ChartFile | undefined): HelmIgnore {
  const { rules, problems } = file === undefined ? noRules : rulesIn(file);
  const folders = new Map<string, boolean>([["", false]]);
  const isIgnoredFolder = (path: string): boolean => {
    const known = folders.get(path);
    if (known !== undefined) return known;
    const isIgnored = isIgnoredFolder(parentOf(path)) || applies(rules, path, true);
    folders.set(path, isIgnored);
    return isIgnored;
  };
  return {
    isIgnored: (path) => isIgnoredFolder(parentOf(path)) || applies(rules, path, false),
    problems,
  };
}

interface Rules {
  readonly rules: readonly Rule[];
  readonly problems: readonly ChartProblem[];
}

/** Upstream: rules.go AddDefaults. */
const defaultRules: readonly Rule[] = ["templates/.?*"].flatMap((line) => {
  const rule = ruleOf(line);
  return typeof rule === "object" ? [rule] : [];
});

const noRules: Rules = { rules: defaultRules, problems: [] };

/** Limited, because each file of the chart is compared with each rule. */
const ruleCountMax = 200;

function rulesIn(file: ChartFile): Rules {
  const rules: Rule[] = [];
  const problems: ChartProblem[] = [];
  let at = 0;
  for (const line of file.text.split("\n")) {
    const end = at + line.trimEnd().length;
    const rule = ruleOf(line.trim());
    if (typeof rule === "string") problems.push(refused(file, at, end, rule));
    else if (typeof rule === "object") rules.push(rule);
    if (rules.length + problems.length > ruleCountMax) {
      const message = `More than ${ruleCountMax} rules are not read`;
      problems.push({ ...refused(file, at, end, message), code: "limit" });
      break;
    }
    at += line.length + 1;
  }
  return { rules: [...rules, ...defaultRules], problems };
}

function refused({ uri }: ChartFile, start: number, end: number, message: string): ChartProblem {
  return { code: "chart", uri, start, end, message, severity: "error" };
}

function parentOf(path: string): string {
  return path.slice(0, Math.max(path.lastIndexOf("/"), 0));
}

/** Undefined for an empty line or a comment; a text if Helm refuses the line. */
function ruleOf(line: string): Rule | string | undefined {
  if (line === "" || line.startsWith("#")) return undefined;
  if (line.includes("**")) return "double-star (**) syntax is not supported";
  const isNegative = line.startsWith("!");
  const positive = isNegative ? line.slice(1) : line;
  const isOfFolders = positive.endsWith("/");
  const path = isOfFolders ? positive.slice(0, -1) : positive;
  const isOfPaths = path.includes("/");
  const fits = pathPattern(path.startsWith("/") ? path.slice(1) : path);
  if (fits === undefined) return "syntax error in pattern";
  const matches = isOfPaths ? fits : (name: string) => fits(name.slice(name.lastIndexOf("/") + 1));
  return { isNegative, isOfFolders, matches };
}

/** The first matching rule decides. A negated rule ignores everything that it does not match. */
function applies(rules: readonly Rule[], path: string, isFolder: boolean): boolean {
  for (const rule of rules) {
    if (rule.isNegative) {
      if ((rule.isOfFolders && !isFolder) || !rule.matches(path)) return true;
    } else if ((!rule.isOfFolders || isFolder) && rule.matches(path)) return true;
  }
  return false;
}
