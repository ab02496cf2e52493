/** What stands at a place in a file: the object, its field, and the object that the field refers to. */
import { makeRef, type Ref } from "../../engine/api/meta.ts";
import type { Environment } from "../workspace/environment.ts";
import { type Reference, referencesOf } from "../workspace/references.ts";
import {
  objectsOfFile,
  type WorkspaceFile,
  type WorkspaceObject,
} from "../workspace/workspace-object.ts";
import { printPath } from "../yaml/field-path.ts";
import { pathAt, underline, underlineKey } from "../yaml/locate.ts";
import { documentAt } from "../yaml/manifest-file.ts";
import type { Path, Span } from "../yaml/place.ts";

export interface Target {
  /** As written in its file. */
  readonly entry: WorkspaceObject;
  /** As its kustomization builds it; the same as `entry` if there is none. */
  readonly built: WorkspaceObject;
  /** From the object's root. */
  readonly path: Path;
  readonly part: "key" | "value";
  /** The reference at the place, or inside the list item there; its name is the one in the cluster. */
  readonly reference?: Reference;
  /** The key or value at the place. Offsets in the file. */
  readonly span: Span;
}

/** Undefined between objects, and in files from which no object is made. */
export function targetAt(
  { kustomized, charts }: Pick<Environment, "kustomized" | "charts">,
  file: WorkspaceFile,
  offset: number,
): Target | undefined {
  if (file.manifest.templateAt !== undefined) return undefined;
  const found = documentAt(file.manifest, offset);
  if (found === undefined) return renderedTarget(charts.renderedIn(file.uri), file, offset);
  const { document, index: documentIndex, start } = found;
  const position = pathAt(document.yaml, offset - start);
  const object = document.objects.find((candidate) => isPrefix(candidate.path, position.path));
  if (object === undefined) return undefined;
  const path = position.path.slice(object.path.length);
  const entry = objectsOfFile(file).find(
    (known) => known.object === object && known.documentIndex === documentIndex,
  ) ?? { file, document, documentIndex, object };
  const at = position.part === "key" ? underlineKey : underline;
  const span = at(document.yaml, position.path);
  const [built = entry] = kustomized.built(entry);
  const reference = referenceIn(built, referenceAt(entry, path));
  return {
    entry,
    built,
    path,
    part: position.part,
    span: { start: start + span.start, end: start + span.end },
    ...(reference !== undefined && { reference }),
  };
}

/** In a template or values file: the first object that is made with the text at the offset. */
function renderedTarget(
  entries: readonly WorkspaceObject[],
  { uri }: WorkspaceFile,
  offset: number,
): Target | undefined {
  for (const entry of entries) {
    const rendered = entry.patched?.rendered;
    const at = rendered?.offsetOf(uri, offset);
    if (rendered === undefined || at === undefined) continue;
    const { yaml } = entry.document;
    const { path: whole, part } = pathAt(yaml, at);
    if (!isPrefix(entry.object.path, whole)) continue;
    const path = whole.slice(entry.object.path.length);
    const span = (part === "key" ? underlineKey : underline)(yaml, whole);
    const reference = referenceAt(entry, path);
    const found = { entry, built: entry, path, part, span: rendered.spanAt(uri, offset, span) };
    return { ...found, ...(reference !== undefined && { reference }) };
  }
  return undefined;
}

/** True if the place is one of the fields that identify the object. */
export function isHead({ path }: Target): boolean {
  return heads.includes(path.join("."));
}

const heads: readonly string[] = ["", "apiVersion", "kind", "metadata", "metadata.name"];

/** The same reference in the built object: kustomize may have changed the name. */
function referenceIn(
  { object }: WorkspaceObject,
  written: Reference | undefined,
): Reference | undefined {
  return (
    written &&
    (referencesOf(object).find(
      ({ kind, path }) => kind === written.kind && printPath(path) === printPath(written.path),
    ) ??
      written)
  );
}

/** The reference at the path; within a pod's volume, the one that the volume holds. */
function referenceAt({ object }: WorkspaceObject, path: Path): Reference | undefined {
  const references = referencesOf(object);
  const exact = references.find((reference) => isPrefix(reference.path, path));
  if (exact !== undefined) return exact;
  const volumes = path.lastIndexOf("volumes");
  if (volumes < 0 || path.length < volumes + 2) return undefined;
  const volume = path.slice(0, volumes + 2);
  return references.find((reference) => isPrefix(volume, reference.path));
}

function isPrefix(prefix: Path, path: Path): boolean {
  return prefix.length <= path.length && prefix.every((segment, i) => segment === path[i]);
}

export function refOfReference({ kind, namespace, name }: Reference): Ref {
  return makeRef(kind, namespace, name);
}
