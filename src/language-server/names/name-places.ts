/**
 * Every place in an environment where an object's name is written: its own `metadata.name`, fields that refer to it, scenario
 * files, and names tied to it. References, rename and highlights all rely on this list.
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

/** In the order of files and objects, followed by places in patches, scenarios and kustomizations. */
export function* namePlaces(environment: Environment): Iterable<NamePlace> {
  const seen = new Set<WorkspaceObject>();
  for (const entry of environment.objects) {
    const { patched } = entry;
    // If kustomize makes several objects from one, its names are still written only once.
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

/** Names in a kustomization: in patches written there, in selectors, and the namespace that it sets. */
function* namesInKustomization(environment: Environment, file: WorkspaceFile): Iterable<NamePlace> {
  if (!isKustomization(file.uri)) return;
  const { yaml, paths } = inlinePatches(file);
  // A kustomization without a kind is not an object, so its namespace is found here.
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

/** A patch only refers to its target, so none of its names is a definition. */
function* placesOfPatch(
  environment: Environment,
  entries: readonly WorkspaceObject[],
): Iterable<NamePlace> {
  for (const entry of entries)
    for (const place of placesOfObject(entry))
      yield { ...placeInCluster(environment, place), isDefinition: false };
}

/** The places in one file, or in one of its documents, for requests made on each cursor move. */
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
