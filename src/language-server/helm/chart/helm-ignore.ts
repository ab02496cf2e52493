/**
 * Which files of a chart's folder Helm leaves out. Upstream: pkg/ignore/rules.go, pkg/chart/v2/loader/directory.go LoadDir. It is
 * asked once, for the folder of the whole chart: what stands in the folder of a subchart is not read.
 */
import { pathPattern } from "./path-pattern.ts";

interface Rule {
  readonly isNegative: boolean;
  readonly isOfFolders: boolean;
  matches(path: string): boolean;
}

/** Whether a path below the chart's folder is left out, itself or with a folder above it. */
export function helmIgnore(text: string | undefined): (path: string) => boolean {
  const lines = [...(text ?? "").split("\n"), "templates/.?*"];
  const rules = lines.flatMap((line) => ruleOf(line.trim()) ?? []);
  const folders = new Map<string, boolean>([["", false]]);
  const isIgnoredFolder = (path: string): boolean => {
    const known = folders.get(path);
    if (known !== undefined) return known;
    const isIgnored = isIgnoredFolder(parentOf(path)) || applies(rules, path, true);
    folders.set(path, isIgnored);
    return isIgnored;
  };
  return (path) => isIgnoredFolder(parentOf(path)) || applies(rules, path, false);
}

function parentOf(path: string): string {
  return path.slice(0, Math.max(path.lastIndexOf("/"), 0));
}

/** Undefined for an empty line, a comment, and what Helm refuses. */
function ruleOf(line: string): Rule | undefined {
  if (line === "" || line.startsWith("#") || line.includes("**")) return undefined;
  const isNegative = line.startsWith("!");
  const positive = isNegative ? line.slice(1) : line;
  const isOfFolders = positive.endsWith("/");
  const path = isOfFolders ? positive.slice(0, -1) : positive;
  const isOfPaths = path.includes("/");
  const fits = pathPattern(path.startsWith("/") ? path.slice(1) : path);
  if (fits === undefined) return undefined;
  const matches = isOfPaths ? fits : (name: string) => fits(name.slice(name.lastIndexOf("/") + 1));
  return { isNegative, isOfFolders, matches };
}

/** The first rule that fits ends it; of one that negates, not to fit does. */
function applies(rules: readonly Rule[], path: string, isFolder: boolean): boolean {
  for (const rule of rules) {
    if (rule.isNegative) {
      if ((rule.isOfFolders && !isFolder) || !rule.matches(path)) return true;
    } else if ((!rule.isOfFolders || isFolder) && rule.matches(path)) return true;
  }
  return false;
}
