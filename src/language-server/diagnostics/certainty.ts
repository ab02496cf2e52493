/**
 * Whether a finding may stop a pipeline. An error says that the files cannot work as they stand, which takes more than that
 * a rule applies: the objects must be meant for each other, and nothing may hang on what was only assumed.
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
  // Of an object that is defined twice nobody knows which one counts.
  const isAlternative = [entry, ...restsOn].some(
    ({ object }) =>
      object.ref !== undefined && (environment.byRef.get(object.ref)?.length ?? 0) > 1,
  );
  if (isAlternative || [entry, ...restsOn].some(hasAssumedValues)) return false;
  return restsOn.every(({ file }) => file === entry.file) || isProject(environment);
}

/** Somebody has said which cluster is meant. */
export function isNamed(profileFrom: ProfileOrigin): boolean {
  return profileFrom === "project" || profileFrom === "settings";
}

/** A folder may hold anything, several examples say. A project file says that what is below it is one cluster's. */
function isProject({ files }: Environment): boolean {
  const known = areProjects.get(files);
  if (known !== undefined) return known;
  const found = files.some(({ uri }) => baseName(uri) === projectFileName);
  areProjects.set(files, found);
  return found;
}

// Each finding asks it anew.
const areProjects = new WeakMap<Environment["files"], boolean>();
