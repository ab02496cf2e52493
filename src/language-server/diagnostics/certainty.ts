/**
 * Whether a finding may be an error, which fails a pipeline: the files cannot work as they stand. For that the objects must be
 * meant for each other, and nothing may depend on assumptions.
 */
import type { ProfileOrigin } from "../prediction/scenario-of.ts";
import { projectFileName } from "../project/project-file.ts";
import type { Environment } from "../workspace/environment.ts";
import { baseName } from "../workspace/files/uri.ts";
import { hasAssumedValues } from "../workspace/workspace-object.ts";
import type { ObjectReport } from "./rule.ts";

export function isCertain(
  report: ObjectReport,
  environment: Environment,
  profileFrom: ProfileOrigin,
): boolean {
  const { entry, related = [], restsOn = related.map((place) => place.entry), assumes } = report;
  const { imported } = environment;
  const isKnown = imported === undefined ? isNamed(profileFrom) : !imported.isPartial;
  if (assumes === true && !isKnown) return false;
  // If an object is defined twice, nobody knows which definition counts.
  const isAlternative = [entry, ...restsOn].some(
    ({ object }) =>
      object.ref !== undefined && (environment.byRef.get(object.ref)?.length ?? 0) > 1,
  );
  if (isAlternative || [entry, ...restsOn].some(hasAssumedValues)) return false;
  return restsOn.every(({ file }) => file === entry.file) || isProject(environment);
}

/** True if a project file or the settings name the cluster. */
export function isNamed(profileFrom: ProfileOrigin): boolean {
  return profileFrom === "project" || profileFrom === "settings";
}

/** A folder may hold anything, such as several examples. A project file says that it describes one cluster. */
function isProject({ files }: Environment): boolean {
  const known = areProjects.get(files);
  if (known !== undefined) return known;
  const found = files.some(({ uri }) => baseName(uri) === projectFileName);
  areProjects.set(files, found);
  return found;
}

// Cached because it is asked for each finding.
const areProjects = new WeakMap<Environment["files"], boolean>();
