/**
 * What `kubectl apply` sends of a new object, and what it makes of one that is there. Upstream: kubectl v0.36
 * pkg/cmd/apply/patcher.go; of a new object, cli-runtime v0.36 pkg/resource/helper.go Create. Not modelled: server-side apply.
 */

import { goJson, isLongerThan, sortedMap } from "../go/text.ts";
import { deepEqual, isRecord, parsedJson } from "../json.ts";
import type { KubeObject } from "../meta.ts";
import { annotationBytesMax } from "../validation/object-meta.ts";
import { mergeModelOf } from "./field-merge.ts";
import type { Patched } from "./strategic-patch.ts";
import { mergedFields } from "./three-way-merge.ts";

export const lastAppliedAnnotation = "kubectl.kubernetes.io/last-applied-configuration";

type Fields = Readonly<Record<string, unknown>>;

/** A new object as kubectl sends it: one that `kubectl get -o yaml` gave has a version, with which the API server would refuse it. */
export function created<T extends Fields>(manifest: T): T {
  const { metadata } = manifest;
  if (!isRecord(metadata) || metadata["resourceVersion"] === undefined) return manifest;
  const { resourceVersion: _, ...rest } = metadata;
  return { ...manifest, metadata: rest };
}

/**
 * Whether the API server refuses the object for nothing but the note that kubectl leaves in it. Upstream: kubectl v0.36
 * pkg/util/apply.go CreateApplyAnnotation; apimachinery v0.36 pkg/api/validation/objectmeta.go ValidateAnnotationsSize.
 */
export function isNoteTooLong(manifest: Fields, namespace: string | undefined): boolean {
  const own = textsOf(fieldsOf(manifest["metadata"])["annotations"]);
  const note = { [lastAppliedAnnotation]: noteOf(asSent(manifest, namespace)) };
  return (
    isLongerThan(annotationBytesMax, { ...own, ...note }, true) &&
    !isLongerThan(annotationBytesMax, own, true)
  );
}

/**
 * What kubectl would have the API server store, and the note of it that it leaves in the object. `manifest` is as the user
 * wrote it.
 */
export function applied(current: KubeObject, manifest: Fields): Patched {
  const last = lastApplied(current);
  const next = appliedOver(current, last, manifest);
  if (!next.ok) return next;
  return { ...next, fields: noted(next.fields, current, last, manifest) };
}

/** The same without a note, where somebody else has kept what was applied before; undefined where nothing was. */
export function appliedOver(
  current: KubeObject,
  last: Fields | undefined,
  manifest: Fields,
): Patched {
  const { namespace } = current.metadata;
  const before = last === undefined ? {} : asSent(last, namespace);
  const said = asSent(manifest, namespace);
  const versions = { before, said, current: current as unknown as Fields };
  const next = mergedFields(versions, mergeModelOf(current.kind));
  if (!next.ok) return next;
  // The patch has the note, wherever it is kept.
  return { ...next, left: next.left && noted(next.left, current, last, manifest) };
}

/** With the note of what was applied, where that is not what was applied last. */
function noted(
  fields: Fields,
  current: KubeObject,
  last: Fields | undefined,
  manifest: Fields,
): Fields {
  const { namespace } = current.metadata;
  const said = asSent(manifest, namespace);
  if (last !== undefined && deepEqual(asSent(last, namespace), said)) return fields;
  const metadata = fieldsOf(fields["metadata"]);
  const annotations = {
    ...fieldsOf(metadata["annotations"]),
    [lastAppliedAnnotation]: noteOf(said),
  };
  return { ...fields, metadata: { ...metadata, annotations } };
}

function noteOf(said: Fields): string {
  return `${goJson(inKeyOrder(said))}\n`;
}

function textsOf(value: unknown): Readonly<Record<string, string>> {
  const texts = Object.entries(fieldsOf(value)).flatMap(([key, text]) =>
    typeof text === "string" ? [[key, text] as const] : [],
  );
  return Object.fromEntries(texts);
}

function fieldsOf(value: unknown): Fields {
  return isRecord(value) ? value : {};
}

/** As Go marshals maps. */
function inKeyOrder(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inKeyOrder);
  if (!isRecord(value)) return value;
  const sorted = sortedMap(value) ?? {};
  for (const key in sorted) sorted[key] = inKeyOrder(sorted[key]);
  return sorted;
}

/** kubectl sends the namespace and annotations even where the manifest has none, and no older note. Upstream: GetModifiedConfiguration. */
function asSent({ metadata, ...rest }: Fields, namespace: string | undefined): Fields {
  const placed = namespace === undefined ? {} : { namespace };
  const given = fieldsOf(metadata);
  const { [lastAppliedAnnotation]: _note, ...annotations } = fieldsOf(given["annotations"]);
  return { ...rest, metadata: { ...placed, ...given, annotations } };
}

/** The manifest that kubectl has noted in the object; undefined where it has noted none that can be read. */
export function lastApplied({ metadata }: KubeObject): Fields | undefined {
  const text = metadata.annotations?.[lastAppliedAnnotation];
  // Where somebody has cut it off kubectl refuses to apply, and a person mends it.
  const value = text === undefined ? undefined : parsedJson(text)?.value;
  return isRecord(value) ? value : undefined;
}
