/**
 * What `kubectl apply` sends for a new object, and what it makes of an existing one. Upstream: kubectl v0.36
 * pkg/cmd/apply/patcher.go; for new objects, cli-runtime v0.36 pkg/resource/helper.go Create. Not modeled: server-side apply.
 */

import { goJson, isLongerThan, sortedMap } from "../go/text.ts";
import { deepEqual, isRecord, parsedJson, untyped } from "../json.ts";
import type { KubeObject } from "../meta.ts";
import { annotationBytesMax } from "../validation/object-meta.ts";
import { mergeModelOf } from "./field-merge.ts";
import type { Patched } from "./strategic-patch.ts";
import { mergedFields } from "./three-way-merge.ts";

export const lastAppliedAnnotation = "kubectl.kubernetes.io/last-applied-configuration";

type Fields = Readonly<Record<string, unknown>>;

/** A new object as kubectl sends it: without a resourceVersion (from `kubectl get -o yaml`), which would be refused. */
export function created<T extends Fields>(manifest: T): T {
  const { metadata } = manifest;
  if (!isRecord(metadata) || metadata["resourceVersion"] === undefined) return manifest;
  const { resourceVersion: _, ...rest } = metadata;
  return { ...manifest, metadata: rest };
}

/**
 * True if the API server refuses the object only because of the annotation that kubectl adds. Upstream: kubectl v0.36
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
 * What kubectl would have the API server store, including the annotation with the manifest. `manifest` is as the user wrote
 * it.
 */
export function applied(current: KubeObject, manifest: Fields): Patched {
  const last = lastApplied(current);
  const next = appliedOver(current, last, manifest);
  if (!next.ok) return next;
  return { ...next, fields: noted(next.fields, current, last, manifest) };
}

/** The same without the annotation, if the last manifest is kept elsewhere. `last` is undefined if there is none. */
export function appliedOver(
  current: KubeObject,
  last: Fields | undefined,
  manifest: Fields,
): Patched {
  const { namespace } = current.metadata;
  const before = last === undefined ? {} : asSent(last, namespace);
  const said = asSent(manifest, namespace);
  const versions = { before, said, current: untyped(current) };
  const next = mergedFields(versions, mergeModelOf(current.kind));
  if (!next.ok) return next;
  // The patch has the annotation, wherever the last manifest is kept.
  return { ...next, left: next.left && noted(next.left, current, last, manifest) };
}

/** Adds the annotation with the manifest, unless that equals the last one. */
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

/**
 * With namespace and annotations, which kubectl sends even if the manifest has none, and without an older annotation of its
 * own. Upstream: GetModifiedConfiguration.
 */
function asSent({ metadata, ...rest }: Fields, namespace: string | undefined): Fields {
  const placed = namespace === undefined ? {} : { namespace };
  const given = fieldsOf(metadata);
  const { [lastAppliedAnnotation]: _note, ...annotations } = fieldsOf(given["annotations"]);
  return { ...rest, metadata: { ...placed, ...given, annotations } };
}

/** The manifest in kubectl's annotation; undefined if there is none that can be read. */
export function lastApplied({ metadata }: KubeObject): Fields | undefined {
  const text = metadata.annotations?.[lastAppliedAnnotation];
  // If somebody has truncated it, kubectl refuses to apply until a person repairs it.
  const value = text === undefined ? undefined : parsedJson(text)?.value;
  return isRecord(value) ? value : undefined;
}
