/**
 * Every place of an environment where an object's name stands: its own `metadata.name`, the fields that name it, scenario
 * files, and names that are tied to it. References, rename and highlights read this list and no other.
 */
import { type Environment, objectsOfFile, type WorkspaceFile } from "../workspace/workspace.ts";
import { type NamePlace, placesOfObject } from "./object-names.ts";
import { scenarioNames } from "./scenario-names.ts";

/** In the order of files and objects. */
export function* namePlaces(environment: Environment): Iterable<NamePlace> {
  for (const entry of environment.objects) yield* placesOfObject(entry);
  for (const file of environment.files) yield* scenarioNames(file);
}

/** The places of one file, or of one of its documents, for what is asked while the cursor moves. */
export function* namePlacesOfFile(
  { patches }: Environment,
  file: WorkspaceFile,
  documentIndex?: number,
): Iterable<NamePlace> {
  const objects = patches.has(file.uri) ? [] : objectsOfFile(file);
  for (const entry of objects)
    if (documentIndex === undefined || entry.documentIndex === documentIndex)
      yield* placesOfObject(entry);
  yield* scenarioNames(file);
}
