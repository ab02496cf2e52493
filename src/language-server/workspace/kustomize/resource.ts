/** An object during a build, with what kustomize remembers about it. Upstream: kustomize v5.8 api/resource resource.go. */
import type { Json } from "../../../engine/api/json.ts";
import { isRecord, valueAt } from "../../yaml/manifest.ts";
import type { WorkspaceFile, WorkspaceObject, WrittenText } from "../workspace-object.ts";
import { isClusterScoped } from "./cluster-scoped.ts";
import type { EntryPlace } from "./entry-place.ts";
import type { GeneratedObject } from "./generators.ts";
import type { KustomizationEntry } from "./kustomization-file.ts";
import type { Referral } from "./name-references.ts";
import { type Selectable, splitVersion } from "./patch-target.ts";
import type { Written } from "./written.ts";
import { withWords } from "./yaml-words.ts";

/** An entry that has changed an object. */
export interface ChangePlace {
  readonly place: EntryPlace;
  /** The patch's file, or the entry's if the change is inline. */
  readonly file: WorkspaceFile;
  readonly entry: KustomizationEntry;
}

export interface Id {
  readonly kind: string;
  readonly name: string;
  /** "" for cluster-scoped kinds. */
  readonly namespace: string;
}

/** Identifies the object that a patch is for. */
export interface WholeId extends Id {
  readonly apiVersion: string;
}

export class Resource implements Selectable, Referral {
  readonly entry: WorkspaceObject | undefined;
  /** Set if the kustomization generates the object; little is known about its content then. */
  generated: GeneratedObject | undefined;
  /** The ids before each step that may have changed them. */
  readonly previousIds: Id[] = [];
  readonly prefixes: string[] = [];
  readonly suffixes: string[] = [];
  readonly changedBy: ChangePlace[] = [];
  lacksPatch = false;
  #written: Written | undefined;
  #apiVersion: string;
  #id: Id;

  constructor(written: Written, entry?: WorkspaceObject, generated?: GeneratedObject) {
    this.#written = written;
    this.#apiVersion = textAt(written.value, "apiVersion");
    this.#id = idIn(written, this.#apiVersion);
    this.entry = entry;
    this.generated = generated;
  }

  /** Undefined if a patch has removed it. */
  get written(): Written | undefined {
    return this.#written;
  }

  set written(now: Written | undefined) {
    this.#written = now;
    if (now === undefined) return;
    this.#apiVersion = textAt(now.value, "apiVersion");
    this.#id = idIn(now, this.#apiVersion);
  }

  get apiVersion(): string {
    return this.#apiVersion;
  }

  /** The current kind, which a patch may have changed. */
  get kind(): string {
    return this.#id.kind;
  }

  get id(): Id {
    return this.#id;
  }

  get ids(): readonly Id[] {
    return [...this.previousIds, this.#id];
  }

  get name(): string {
    return this.#id.name;
  }

  get namespace(): string {
    return this.#id.namespace;
  }

  get labels(): Readonly<Record<string, string>> {
    return this.#pairs("labels");
  }

  get annotations(): Readonly<Record<string, string>> {
    return this.#pairs("annotations");
  }

  #pairs(field: "labels" | "annotations"): Readonly<Record<string, string>> {
    const found = valueAt(this.#written?.value, ["metadata", field]);
    return isRecord(found) ? (found as Record<string, string>) : {};
  }
}

function idIn({ value }: Written, apiVersion: string): Id {
  const kind = textAt(value, "kind");
  const name = textAt(value, "metadata", "name");
  const namespace = textAt(value, "metadata", "namespace") || "default";
  return { kind, name, namespace: isClusterScoped(apiVersion, kind) ? "" : namespace };
}

export function resourceOf(entry: WorkspaceObject): Resource {
  const written = writtenOf.get(entry) ?? asWritten(entry);
  writtenOf.set(entry, written);
  return new Resource(written, entry);
}

const writtenOf = new WeakMap<WorkspaceObject, Written>();

function asWritten(entry: WorkspaceObject): Written {
  const { object, file, document, patched } = entry;
  const { path, value } = object;
  const offset = file.manifest.slices[entry.documentIndex]?.start ?? 0;
  const text: WrittenText = {
    file,
    yaml: document.yaml,
    inFile: ({ start, end }) => ({ start: start + offset, end: end + offset }),
    holdsObjects: true,
    ...(patched?.rendered !== undefined && { made: entry }),
  };
  return withWords({ text, path, value: value as Written["value"] });
}

export function generatedResource(generated: GeneratedObject, { whole }: EntryPlace): Resource {
  const { kind, namespace, name, literals } = generated;
  const metadata = namespace === "default" ? { name } : { name, namespace };
  const value = { apiVersion: "v1", kind, metadata, data: literals };
  const written = { text: whole.text, path: [], value };
  return new Resource(written, undefined, generated);
}

/**
 * Adds a generated object, or merges it into an existing one if its behavior says so. Returns why kustomize refuses. Upstream:
 * reswrangler.go appendReplaceOrMerge.
 */
export function absorb(resources: Resource[], made: Resource): string | undefined {
  const { generated, kind, apiVersion, id } = made;
  const behavior = generated?.behavior;
  const old = resources.find(
    (one) =>
      one.written !== undefined &&
      one.kind === kind &&
      one.apiVersion === apiVersion &&
      one.ids.some(isSame(id)),
  );
  const isTaken = behavior === "merge" || behavior === "replace";
  if (generated === undefined || old?.written === undefined) {
    resources.push(made);
    return isTaken ? `id ${printForGo(made)} does not exist; cannot merge or replace` : undefined;
  }
  if (!isTaken) {
    resources.push(made);
    return alreadyHeld(made, behavior === "create" ? behavior : "unspecified");
  }
  const [before = heldBy(old)] = generatedNow(old);
  const now = { ...generated, name: old.name, namespace: old.namespace };
  made.generated = behavior === "merge" ? merged(before, now) : now;
  made.written = withData(old.written, made.generated);
  made.previousIds.push(...old.previousIds);
  made.prefixes.push(...old.prefixes);
  made.suffixes.push(...old.suffixes);
  // An object from a file is kept and marked as removed; a generated one is replaced.
  if (old.entry === undefined) resources.splice(resources.indexOf(old), 1, made);
  else {
    old.written = undefined;
    resources.push(made);
  }
  return undefined;
}

function isSame(id: Id): (other: Id) => boolean {
  return ({ name, namespace }) => name === id.name && namespace === id.namespace;
}

/** The contents of an object in a file, as if it were generated. A Secret's `stringData` is lost. */
function heldBy({ kind, name, namespace, written }: Resource): GeneratedObject {
  const fields = ["data", "binaryData"].map((field) => valueAt(written?.value, [field]));
  const keys = [...new Set(fields.flatMap((one) => (isRecord(one) ? Object.keys(one) : [])))];
  const data = isRecord(fields[0]) && kind === "ConfigMap" ? fields[0] : {};
  const literals = Object.fromEntries(
    Object.entries(data).flatMap(([key, value]) =>
      typeof value === "string" ? [[key, value]] : [],
    ),
  );
  return { kind, namespace, name, keys, literals, behavior: undefined };
}

function withData(written: Written, { literals }: GeneratedObject): Written {
  const value = isRecord(written.value) ? written.value : {};
  return { text: written.text, path: written.path, value: { ...value, data: literals } as Json };
}

function merged(old: GeneratedObject, more: GeneratedObject): GeneratedObject {
  const keys = old.keys && more.keys && [...new Set([...old.keys, ...more.keys])];
  return { ...old, keys, literals: { ...old.literals, ...more.literals } };
}

/** The generated object with its final name, and the keys that patches have added. */
export function generatedNow({ generated, id, written }: Resource): readonly GeneratedObject[] {
  if (generated === undefined || written === undefined) return [];
  const data = valueAt(written.value, ["data"]);
  const fields = isRecord(data) ? data : {};
  const unchanged = generated.keys?.filter(
    (key) => Object.hasOwn(fields, key) || !Object.hasOwn(generated.literals, key),
  );
  const keys = unchanged && [...new Set([...unchanged, ...Object.keys(fields)])];
  const literals = Object.entries(fields).flatMap(([key, value]) =>
    typeof value === "string" ? [[key, value] as const] : [],
  );
  return [{ ...generated, ...id, keys, literals: Object.fromEntries(literals) }];
}

/** False if a generated object's field has an unknown value; only `data` of a ConfigMap made from literals is known. */
export function isKnownField({ generated }: Resource, field: string): boolean {
  if (generated === undefined || !fieldsOfGenerated.has(field)) return true;
  const { kind, keys, literals } = generated;
  const hasLiterals = keys?.every((key) => Object.hasOwn(literals, key)) === true;
  return kind === "ConfigMap" && hasLiterals && field === "data";
}

const fieldsOfGenerated: ReadonlySet<string> = new Set([
  ...["apiVersion", "kind", "metadata", "data", "binaryData", "immutable", "type"],
]);

/** Empty if there is no such text. */
export function textAt(value: unknown, ...path: readonly string[]): string {
  const found = valueAt(value, path);
  return typeof found === "string" ? found : "";
}

/** Upstream: kyaml resid.ResId.String. */
export function printId({ apiVersion, kind, name, namespace }: WholeId): string {
  const [group, version] = splitVersion(apiVersion);
  return `${kind}.${version || "[noVer]"}.${group || "[noGrp]"}/${name}.${namespace || "[noNs]"}`;
}

/** Without a namespace if the object does not state it; `id` has a default. Upstream: Resource.CurId. */
export function printCurrentId({ apiVersion, id, written }: Resource): string {
  const namespace = textAt(written?.value, "metadata", "namespace");
  return printId({ ...id, namespace, apiVersion });
}

/** Upstream: reswrangler.go appendReplaceOrMerge. */
export function alreadyHeld(made: Resource, behavior: "create" | "unspecified"): string {
  return `id ${printForGo(made)} exists; can not use behavior: '${behavior}', behavior must be merge or replace`;
}

/** Formats a kyaml resid.ResId with Go's %#v. */
function printForGo({ apiVersion, kind, name, written }: Resource): string {
  const [group, version] = splitVersion(apiVersion);
  const isCluster = isClusterScoped(apiVersion, kind);
  const namespace = textAt(written?.value, "metadata", "namespace");
  const gvk = `resid.Gvk{Group:"${group}", Version:"${version}", Kind:"${kind}", isClusterScoped:${isCluster}}`;
  return `resid.ResId{Gvk:${gvk}, Name:"${name}", Namespace:"${namespace}"}`;
}

/** An id that must be unique; undefined for generated objects, which may be merged. Upstream: resWrangler.Append. */
export function registeredId({ apiVersion, id, written, entry }: Resource): string | undefined {
  if (entry === undefined || written === undefined || id.name === "") return undefined;
  const printed = registeredIds.get(written) ?? printId({ ...id, apiVersion });
  registeredIds.set(written, printed);
  return printed;
}

const registeredIds = new WeakMap<Written, string>();
