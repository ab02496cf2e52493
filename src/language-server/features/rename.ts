/**
 * Rename: changes an object, a pod's volume or a StatefulSet's claim template wherever the environment names it, and the names
 * that Kubernetes derives from it. In a derived name like `data-web-0`, only the parts that somebody chose can be changed.
 */
import { isStanding } from "../../engine/api/admission/namespace-lifecycle.ts";
import { compareText } from "../../engine/api/go/text-order.ts";
import { isInTreeName } from "../../engine/matching/csi-migration.ts";
import type { Analysis } from "../analysis.ts";
import { answerOf } from "../diagnostics/api-answer.ts";
import { aliasedStart } from "../names/aliased-name.ts";
import { isSame, type Maker, makerOf, type Rewrite, rewriteFor } from "../names/derived-names.ts";
import { nameAt } from "../names/name-at.ts";
import { namePlaces } from "../names/name-places.ts";
import { type Named, type NamePlace, podScope } from "../names/object-names.ts";
import { own } from "../own.ts";
import { isScenarioUri } from "../scenarios/scenario-file.ts";
import type { Environment } from "../workspace/environment.ts";
import { fieldsOf, listAt, textAt } from "../workspace/manifest-fields.ts";
import { isRendered, type WorkspaceFile } from "../workspace/workspace-object.ts";
import { printScalar } from "../yaml/edits.ts";
import type { ManifestObject } from "../yaml/manifest.ts";
import { isRecord } from "../yaml/manifest.ts";
import type { Path, Span } from "../yaml/place.ts";

/** The result, or why there is none. */
export type RenameAnswer<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly message: string };

export interface RenamePlace extends Span {
  readonly placeholder: string;
}

/** Why the place is changed. "kept": it would have followed the new name through an alias, and is written out instead. */
export type RenameGroup = "object" | "reference" | "derived" | "scenario" | "kept";

export interface RenameEdit extends Span {
  readonly file: WorkspaceFile;
  readonly text: string;
  readonly group: RenameGroup;
}

export interface Rename {
  /** `claim "data" to "db"`. */
  readonly title: string;
  /** By file, then by place. */
  readonly edits: readonly RenameEdit[];
}

/** The text that a rename at the cursor would change. */
export function prepareRename(
  analysis: Analysis,
  file: WorkspaceFile,
  offset: number,
): RenameAnswer<RenamePlace> {
  const found = nameAt(analysis, file, offset);
  if (found === undefined) return refuse("There is no name here that can be changed");
  const { place, span } = found;
  const refusal =
    makerOf(place, analysis.environment.objects) === undefined
      ? fixedName(analysis, place)
      : undefined;
  return refusal === undefined
    ? { ok: true, value: { ...span, placeholder: place.written ?? place.name } }
    : refuse(refusal);
}

export function rename(
  analysis: Analysis,
  file: WorkspaceFile,
  offset: number,
  newName: string,
): RenameAnswer<Rename> {
  const found = nameAt(analysis, file, offset);
  if (found === undefined) return refuse("There is no name here that can be changed");
  const { place } = found;
  if (newName === (place.written ?? place.name))
    return { ok: true, value: { title: `${describe(place)} to "${newName}"`, edits: [] } };
  const chosen = subjectOf(analysis, place, newName);
  if (!chosen.ok) return chosen;
  const { subject, to } = chosen.value;
  const fixed = fixedName(analysis, subject);
  if (fixed !== undefined) return refuse(fixed);
  const { environment } = analysis;
  const rewrite = rewriteFor(subject, to, environment.objects);
  const changed = [...namePlaces(environment)].flatMap((place): readonly Changed[] => {
    const text = rewrite(place);
    return text === undefined ? [] : [{ place, text, written: writtenOf(place, text) }];
  });
  const rendered = changed.find(({ place: { entry } }) => entry !== undefined && isRendered(entry));
  if (rendered !== undefined)
    return refuse(
      `Objects that a chart renders refer to ${describe(subject)}; change it in the templates`,
    );
  const refusal = clash(analysis, subject, to, changed, rewrite) ?? complaint(analysis, changed);
  if (refusal !== undefined) return refuse(refusal);
  const title = `${describe(subject)} to "${to}"`;
  return { ok: true, value: { title, edits: editsOf(environment, subject, changed) } };
}

interface Changed {
  readonly place: NamePlace;
  readonly text: string;
  /** `text` without what kustomize adds to it. */
  readonly written: string;
}

/** Prefix and suffix that kustomize adds to a name. */
function affixesOf({ name, written = name }: NamePlace): readonly [before: string, after: string] {
  const at = name.indexOf(written);
  return at < 0 ? ["", ""] : [name.slice(0, at), name.slice(at + written.length)];
}

function writtenOf(place: NamePlace, text: string): string {
  const [before, after] = affixesOf(place);
  const isLonger = text.length > before.length + after.length;
  return isLonger && text.startsWith(before) && text.endsWith(after)
    ? text.slice(before.length, text.length - after.length)
    : text;
}

function refuse(message: string): { readonly ok: false; readonly message: string } {
  return { ok: false, message };
}

/** Why the name cannot be changed; undefined if it can. */
function fixedName({ environment, names, assumed }: Analysis, named: Named): string | undefined {
  const { kind, namespace, name } = named;
  if (kind === "PodVolume") return undefined;
  if (kind === "Namespace" && isStanding(name)) return `Every cluster has the namespace "${name}"`;
  if (
    kind === "CSIDriver" &&
    (isInTreeName(name) || environment.project.drivers.find(name) !== undefined)
  )
    return `"${name}" is the name that the driver itself registers under; no manifest can change it`;
  const isOwn = environment.byRef.has(`${kind}/${namespace}/${name}`);
  if (isOwn || !names.has(kind, namespace, name)) return undefined;
  return `${describe(named)} belongs to the assumed cluster "${assumed.cluster.name}": no file in the workspace defines it`;
}

interface Subject {
  readonly subject: Named;
  readonly to: string;
}

/** What to rename, and to what, so that the place reads `newName`: the named object, or one part of a derived name. */
function subjectOf(
  { environment }: Analysis,
  place: NamePlace,
  newName: string,
): RenameAnswer<Subject> {
  const { kind, namespace, name } = place;
  const maker = makerOf(place, environment.objects);
  const [first, last] = affixesOf(place);
  if (maker === undefined)
    return { ok: true, value: { subject: { kind, namespace, name }, to: first + newName + last } };
  for (const { subject, before, after } of partsOf(maker)) {
    const to = newName.slice(before.length, newName.length - after.length);
    const keepsRest = newName.startsWith(before) && newName.endsWith(after) && to !== "";
    if (keepsRest && newName.length > before.length + after.length)
      return { ok: true, value: { subject, to } };
  }
  const parts = partsOf(maker).map(({ subject }) => describe(subject));
  return refuse(
    `"${name}" is composed of ${parts.join(" and ")}: change one of them and keep the rest`,
  );
}

interface Part {
  readonly subject: Named;
  readonly before: string;
  readonly after: string;
}

function partsOf({ entry, volume, ordinal }: Maker): readonly Part[] {
  const { kind, namespace, name } = entry.object;
  const owner: Named = { kind: kind === "Pod" ? "Pod" : "StatefulSet", namespace, name };
  if (volume === undefined) return [{ subject: owner, before: "", after: `-${ordinal}` }];
  const ofVolume: Named = { kind: "PodVolume", namespace: podScope(entry), name: volume };
  if (isTemplate(entry.object, volume)) {
    return [
      { subject: ofVolume, before: "", after: `-${name}-${ordinal}` },
      { subject: owner, before: `${volume}-`, after: `-${ordinal}` },
    ];
  }
  const middle = ordinal === "" ? "" : `-${ordinal}`;
  return [
    { subject: ofVolume, before: `${name}${middle}-`, after: "" },
    { subject: owner, before: "", after: `${middle}-${volume}` },
  ];
}

function isTemplate({ value }: ManifestObject, volume: string): boolean {
  return listAt(value, "spec", "volumeClaimTemplates").some(
    (template) => textAt(fieldsOf(template), "metadata", "name") === volume,
  );
}

/** A message if a new name is already taken. */
function clash(
  { environment, names }: Analysis,
  subject: Named,
  to: string,
  changed: readonly Changed[],
  rewrite: Rewrite,
): string | undefined {
  if (subject.kind === "PodVolume") {
    const taken = { ...subject, name: to };
    for (const place of namePlaces(environment))
      if (isSame(place, taken)) return `The pod already has a volume "${to}"`;
  } else if (names.has(subject.kind, subject.namespace, to)) {
    return `${describe({ ...subject, name: to })} already exists`;
  } else if (
    subject.kind === "Namespace" &&
    environment.objects.some(({ object }) => object.namespace === to)
  ) {
    return `${describe({ ...subject, name: to })} already has objects`;
  }
  for (const { place, text } of changed) {
    const { kind, namespace } = place;
    if (kind === "PodVolume" || isSame(place, subject)) continue;
    const taken = environment.byRef.has(`${kind}/${namespace}/${text}`);
    // Not taken if the object with that name is renamed as well.
    if (taken && rewrite({ kind, namespace, name: text }) === undefined)
      return `${describe({ kind, namespace, name: text })}, which would be derived from the new name, already exists`;
  }
  return undefined;
}

/** A message that the API server would have for the renamed objects and does not have for the present ones. */
function complaint({ version }: Analysis, changed: readonly Changed[]): string | undefined {
  const objects = new Map<ManifestObject, { readonly path: Path; readonly text: string }[]>();
  for (const { place, written } of changed) {
    if (place.entry === undefined || place.path === undefined) continue;
    const edits = objects.get(place.entry.object) ?? [];
    edits.push({ path: place.path, text: written });
    objects.set(place.entry.object, edits);
  }
  for (const [object, edits] of objects) {
    const before = complaintsOf(object, version);
    const value = edits.reduce<unknown>(
      (at, { path, text }) => withText(at, path, text),
      object.value,
    );
    const after = complaintsOf({ ...object, value: value as ManifestObject["value"] }, version);
    const added = [...after].find((message) => !before.has(message));
    if (added !== undefined) return added;
  }
  return undefined;
}

/** Without the rejected values, so that the same complaint about the old and the new name is the same text. */
function complaintsOf(object: ManifestObject, version: Analysis["version"]): ReadonlySet<string> {
  const answer = answerOf(object, version);
  if (answer === undefined || answer.ok) return new Set();
  const { causes = [], message } = answer.error;
  return new Set(
    causes.length === 0 ? [message] : causes.map((cause) => `${cause.field}: ${cause.message}`),
  );
}

function withText(value: unknown, path: Path, text: string): unknown {
  const [segment, ...rest] = path;
  if (segment === undefined) return text;
  if (Array.isArray(value))
    return value.map((item: unknown, i) => (i === segment ? withText(item, rest, text) : item));
  if (!isRecord(value)) return value;
  return { ...value, [segment]: withText(value[segment], rest, text) };
}

function editsOf(
  environment: Environment,
  subject: Named,
  changed: readonly Changed[],
): readonly RenameEdit[] {
  const edits = new Map<string, RenameEdit>();
  const add = ({ file }: NamePlace, span: Span, name: string, group: RenameGroup): void => {
    edits.set(`${file.uri}#${span.start}`, {
      file,
      ...span,
      text: scalarFor(file, span, name),
      group,
    });
  };
  const behindAliases: Behind[] = [];
  for (const { place, written } of changed) {
    const span = place.span();
    if (span === undefined) continue;
    const from = aliasedStart(place.file.manifest.text, span);
    if (from === undefined) add(place, span, written, groupOf(subject, place));
    else behindAliases.push({ place, written, span, from });
  }
  const kept = tiedNames(environment, behindAliases, edits);
  // An alias needs no edit if its anchor gets the same text.
  for (const { place, written, span, from } of behindAliases)
    if (edits.get(`${place.file.uri}#${from}`)?.text !== scalarFor(place.file, span, written))
      add(place, span, written, groupOf(subject, place));
  for (const { place, span } of kept) add(place, span, place.written ?? place.name, "kept");
  return [...edits.values()].sort(
    (a, b) => compareText(a.file.uri, b.file.uri) || a.start - b.start,
  );
}

interface Behind {
  readonly place: NamePlace;
  readonly written: string;
  readonly span: Span;
  /** Start of the anchored text that the alias repeats. */
  readonly from: number;
}

/** Other names that repeat, through an alias, a text that is changed: they get their present text written out. */
function tiedNames(
  environment: Environment,
  behindAliases: readonly Behind[],
  edits: ReadonlyMap<string, RenameEdit>,
): readonly { readonly place: NamePlace; readonly span: Span }[] {
  const anchored = new Set(
    [...edits.values()].map(({ file }) => file).filter(({ manifest }) => /&\S/.test(manifest.text)),
  );
  if (anchored.size === 0) return [];
  const renamed = new Set(
    behindAliases.map(({ place, span }) => `${place.file.uri}#${span.start}`),
  );
  return [...namePlaces(environment)].flatMap((place) => {
    const { file } = place;
    const span = anchored.has(file) ? place.span() : undefined;
    if (span === undefined || renamed.has(`${file.uri}#${span.start}`)) return [];
    const from = aliasedStart(file.manifest.text, span);
    return from !== undefined && edits.has(`${file.uri}#${from}`) ? [{ place, span }] : [];
  });
}

function groupOf(subject: Named, place: NamePlace): RenameGroup {
  if (isScenarioUri(place.file.uri)) return "scenario";
  if (!isSame(subject, place)) return "derived";
  return place.isDefinition ? "object" : "reference";
}

/** Quotes a name that YAML would read as a number or boolean, unless the text is quoted already. */
function scalarFor({ manifest: { text } }: WorkspaceFile, { start }: Span, name: string): string {
  const isWhole = /[\s[{,:]/.test(text.charAt(start - 1));
  return isWhole ? printScalar(name) : name;
}

const shortKinds: Readonly<Record<string, string>> = {
  PersistentVolumeClaim: "Claim",
  PersistentVolume: "Volume",
  StorageClass: "Class",
  PodVolume: "Pod volume",
};

function describe({ kind, name }: Named): string {
  return `${own(shortKinds, kind) ?? kind} "${name}"`;
}
