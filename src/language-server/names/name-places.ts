/**
 * Every place of an environment where an object's name stands: its own `metadata.name`, the fields that name it, scenario
 * files, and names that are tied to it. References, rename and highlights read this list and no other.
 */
import type { Environment, WorkspaceFile } from "../workspace/workspace.ts";
import { type NamePlace, placesOfObject } from "./object-names.ts";
import { scenarioNames } from "./scenario-names.ts";

/** In the order of files and objects. */
export function* namePlaces(environment: Environment): Iterable<NamePlace> {
  for (const entry of environment.objects) yield* placesOfObject(entry);
  for (const file of environment.files) yield* scenarioNames(file);
}

/** The places of one file, for what is asked while the cursor moves. */
export function* namePlacesOfFile(
  environment: Environment,
  file: WorkspaceFile,
): Iterable<NamePlace> {
  for (const entry of environment.objects)
    if (entry.file.uri === file.uri) yield* placesOfObject(entry);
  yield* scenarioNames(file);
}
