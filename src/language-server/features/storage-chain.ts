/**
 * The storage chain as a call hierarchy: what an object rests on (pod → claim → volume → class → driver), and what rests on it.
 * Predicted bindings count like written ones.
 */
import { push } from "../../engine/api/go/multi-map.ts";
import type { Analysis } from "../analysis.ts";
import { makerOf } from "../names/derived-names.ts";
import { nameAt } from "../names/name-at.ts";
import type { Named } from "../names/object-names.ts";
import type { Prediction } from "../prediction/prediction.ts";
import { placeOf } from "../workspace/field-place.ts";
import { type Reference, referencesOf } from "../workspace/references.ts";
import type { WorkspaceFile, WorkspaceObject } from "../workspace/workspace-object.ts";
import { objectsOf } from "../yaml/manifest.ts";
import type { Path, Span } from "../yaml/place.ts";
import { targetAt } from "./target.ts";

export interface ChainLink {
  readonly entry: WorkspaceObject;
  /** The places where one object names the other, in the file of the one that names. */
  readonly places: readonly Span[];
}

/** The object that the name at the cursor stands for, else the one around it; none if no file holds it. */
export function chainStartsAt(
  analysis: Analysis,
  file: WorkspaceFile,
  offset: number,
): readonly WorkspaceObject[] {
  const found = nameAt(analysis, file, offset)?.place;
  if (found !== undefined && found.kind !== "PodVolume") return entriesOf(analysis, found);
  const target = targetAt(analysis.environment, file, offset);
  if (target === undefined) return [];
  if (target.reference !== undefined) return entriesOf(analysis, target.reference);
  return target.built.object.ref === undefined ? [] : [target.built];
}

/** What the object rests on, in the order of its fields. */
export function restsOn(
  analysis: Analysis,
  prediction: Prediction | undefined,
  entry: WorkspaceObject,
): readonly ChainLink[] {
  const links = new Map<WorkspaceObject, Span[]>();
  for (const { reference, place } of namesIn(prediction, entry)) {
    for (const other of entriesOf(analysis, reference)) {
      if (other.object === entry.object) continue;
      push(links, other, place);
    }
  }
  return [...links].map(([other, places]) => ({ entry: other, places }));
}

/** The objects that rest on this one, in the order of the files. */
export function restsOnIt(
  analysis: Analysis,
  prediction: Prediction | undefined,
  entry: WorkspaceObject,
): readonly ChainLink[] {
  return analysis.environment.objects.flatMap((other): readonly ChainLink[] => {
    if (other.object === entry.object || other.object.ref === undefined) return [];
    const places = namesIn(prediction, other)
      .filter(({ reference }) => isNameOf(analysis, reference, entry))
      .map(({ place }) => place);
    return places.length === 0 ? [] : [{ entry: other, places }];
  });
}

interface NameInObject {
  readonly reference: Reference;
  readonly place: Span;
}

/** Written references at their places, then those that are only predicted, at the object's own name. */
function namesIn(
  prediction: Prediction | undefined,
  entry: WorkspaceObject,
): readonly NameInObject[] {
  const { object } = entry;
  const written = referencesOf(object).filter((reference) => !isBackward(object.kind, reference));
  const final = object.ref === undefined ? undefined : prediction?.facts.objects.get(object.ref);
  const [predicted] = final === undefined ? [] : objectsOf(final).objects;
  const added = (predicted === undefined ? [] : referencesOf(predicted)).filter(
    (reference) =>
      !isBackward(object.kind, reference) && !written.some((one) => isSameName(one, reference)),
  );
  return [
    ...written.map((reference) => ({ reference, place: ownPlace(entry, reference.path) })),
    ...added.map((reference) => ({ reference, place: placeOf(entry, ["metadata", "name"]) })),
  ];
}

/** The place in the object's own file; a field that a patch writes gets the object's name instead. */
function ownPlace(entry: WorkspaceObject, path: Path): Span {
  const place = placeOf(entry, path);
  return place.file.uri === entry.file.uri ? place : placeOf(entry, ["metadata", "name"]);
}

/** A volume refers to its claim, and a content to its snapshot, although claim and snapshot rest on them. */
function isBackward(kind: string, reference: Reference): boolean {
  return (
    (kind === "PersistentVolume" && reference.kind === "PersistentVolumeClaim") ||
    (kind === "VolumeSnapshotContent" && reference.kind === "VolumeSnapshot")
  );
}

function isSameName(a: Named, b: Named): boolean {
  return a.kind === b.kind && a.namespace === b.namespace && a.name === b.name;
}

function isNameOf(analysis: Analysis, named: Named, { object }: WorkspaceObject): boolean {
  if (`${named.kind}/${named.namespace}/${named.name}` === object.ref) return true;
  const mayMake = object.kind === "StatefulSet" || object.kind === "Pod";
  return mayMake && entriesOf(analysis, named).some((entry) => entry.object === object);
}

/** The objects with this name; if there are none, the StatefulSet or pod that makes the object. */
function entriesOf({ environment }: Analysis, named: Named): readonly WorkspaceObject[] {
  const own = environment.byRef.get(`${named.kind}/${named.namespace}/${named.name}`);
  if (own !== undefined) return own;
  const maker = makerOf(named, environment.objects);
  return maker === undefined ? [] : [maker.entry];
}
