/**
 * Every place of an environment where an object's name stands: its own `metadata.name`, the fields that name it, scenario
 * files, and names that are tied to it. References, rename and highlights read this list and no other.
 */
import type { Environment } from "../workspace/environment.ts";
import { inlinePatches, isKustomization } from "../workspace/kustomize.ts";
import {
  objectsOfFile,
  type WorkspaceFile,
  type WorkspaceObject,
} from "../workspace/workspace-object.ts";
import { embeddedManifests } from "../yaml/embedded-manifests.ts";
import { isRecord } from "../yaml/manifest.ts";
import type { Span } from "../yaml/place.ts";
import { namesInEmbedded } from "./embedded-names.ts";
import { nameSpan } from "./name-span.ts";
import { placeInCluster, placesInCluster } from "./names-in-cluster.ts";
import { type NamePlace, placesOfObject } from "./object-names.ts";
import { scenarioNames } from "./scenario-names.ts";
import { selectedNames } from "./selected-names.ts";

/** In the order of files and objects; those of patches after the objects that they are for. */
export function* namePlaces(environment: Environment): Iterable<NamePlace> {
  const seen = new Set<WorkspaceObject>();
  for (const entry of environment.objects) {
    const { patched } = entry;
    // Where kustomize makes several objects of one, its names are written once.
    if (patched !== undefined && seen.has(patched.written)) continue;
    if (patched !== undefined) seen.add(patched.written);
    yield* placesInCluster(environment, entry);
  }
  const { patches } = environment.kustomized;
  for (const file of environment.files) {
    if (patches.has(file.uri)) yield* placesOfPatch(environment, objectsOfFile(file));
    yield* scenarioNames(file);
    yield* namesInKustomization(environment, file);
  }
}

/** Of patches that are written out in a kustomization, what it selects, and the namespace that it gives. */
function* namesInKustomization(environment: Environment, file: WorkspaceFile): Iterable<NamePlace> {
  if (!isKustomization(file.uri)) return;
  const { yaml, paths } = inlinePatches(file);
  // One without a kind is no object.
  const name = isRecord(yaml.value) ? yaml.value["namespace"] : undefined;
  if (objectsOfFile(file).length === 0 && typeof name === "string" && name !== "") {
    const span = (): Span | undefined => nameSpan(yaml, ["namespace"], name, 0);
    yield { kind: "Namespace", namespace: "", name, file, isDefinition: false, span };
  }
  for (const place of selectedNames(environment, file, yaml))
    yield placeInCluster(environment, place);
  for (const path of paths) {
    const embedded = embeddedManifests(yaml, path);
    if (embedded === undefined) continue;
    for (const place of namesInEmbedded(file, embedded))
      yield { ...placeInCluster(environment, place), isDefinition: false };
  }
}

/** A patch names the object that it is for, and defines none. */
function* placesOfPatch(
  environment: Environment,
  entries: readonly WorkspaceObject[],
): Iterable<NamePlace> {
  for (const entry of entries)
    for (const place of placesOfObject(entry))
      yield { ...placeInCluster(environment, place), isDefinition: false };
}

/** The places of one file, or of one of its documents, for what is asked while the cursor moves. */
export function* namePlacesOfFile(
  environment: Environment,
  file: WorkspaceFile,
  documentIndex?: number,
): Iterable<NamePlace> {
  const { kustomized } = environment;
  const entries = objectsOfFile(file).filter(
    (entry) => documentIndex === undefined || entry.documentIndex === documentIndex,
  );
  if (kustomized.patches.has(file.uri)) yield* placesOfPatch(environment, entries);
  else
    for (const entry of entries)
      yield* placesInCluster(environment, kustomized.built(entry)[0] ?? entry);
  yield* scenarioNames(file);
  yield* namesInKustomization(environment, file);
}
