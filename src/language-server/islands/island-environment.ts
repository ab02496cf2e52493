/** An island as an environment of its own, for rules and the engine. */
import { compareText } from "../../engine/api/go/text-order.ts";
import type { Ref } from "../../engine/api/meta.ts";
import { type Environment, objectsByRef } from "../workspace/environment.ts";
import { isRendered, type WorkspaceObject } from "../workspace/workspace-object.ts";
import type { ManifestObject } from "../yaml/manifest.ts";
import type { Island } from "./parting/islands.ts";

export function islandEnvironment(environment: Environment, island: Island): Environment {
  if (isWhole(island, environment)) return environment;
  const { members, context } = island;
  const objects = context.length === 0 ? members : [...members, ...context].sort(byPlace);
  const byRef = objectsByRef(objects);
  return { ...plain(environment), objects, byRef, committed: committedOf(environment, byRef) };
}

/** True if the island holds all objects of the environment. */
export function isWhole({ members }: Island, { objects }: Environment): boolean {
  return members.length === objects.length;
}

/** Copies without calling the getters, as a spread would. */
function plain(environment: Environment): Omit<Environment, "objects" | "byRef" | "committed"> {
  const { id, name, project, folderProblems, revision, files, kustomized, charts, imported } =
    environment;
  const plainly = { id, name, project, folderProblems, revision, files, kustomized, charts };
  return imported === undefined ? plainly : { ...plainly, imported };
}

function committedOf(
  { committed }: Environment,
  byRef: ReadonlyMap<Ref, unknown>,
): ReadonlyMap<Ref, ManifestObject> {
  if (committed.size === 0) return committed;
  return new Map([...committed].filter(([ref]) => byRef.has(ref)));
}

/** Sorts objects in the order of the whole environment. */
export function byPlace(a: WorkspaceObject, b: WorkspaceObject): number {
  const [first, second] = [isRendered(a), isRendered(b)];
  // Rendered objects keep the order in which Helm installs them.
  if (first && second) return a.documentIndex - b.documentIndex || indexInList(a) - indexInList(b);
  return (
    Number(first) - Number(second) ||
    compareText(a.file.uri, b.file.uri) ||
    a.documentIndex - b.documentIndex ||
    indexInList(a) - indexInList(b)
  );
}

function indexInList({ object }: WorkspaceObject): number {
  const index = object.path[1];
  return typeof index === "number" ? index : 0;
}
