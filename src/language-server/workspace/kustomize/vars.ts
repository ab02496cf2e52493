/**
 * Variables for the value of a field, which texts contain as `$(NAME)`; they are substituted once, after names have been
 * followed. Upstream: kustomize v5.8 api/internal/accumulator resaccumulator.go MergeVars and ResolveVars, api/filters/refvar
 * refvar.go and expand.go.
 */
import type { Json } from "../../../engine/api/json.ts";
import { isRecord, plainText } from "../../yaml/manifest.ts";
import { isClusterScoped } from "./cluster-scoped.ts";
import type { EntryPlace } from "./entry-place.ts";
import type { FieldSpec } from "./field-specs.ts";
import type { VarEntry } from "./kustomization-file.ts";
import { objectSizeMax } from "./object-size.ts";
import { valueAtFieldPath } from "./replacements.ts";
import { printId, type Resource } from "./resource.ts";
import { changeFields } from "./set-fields.ts";
import { fieldsOf, itemsOf, kept, type Written, withFields, withItems } from "./written.ts";

/** A variable of a kustomization, and the object that its value comes from. */
export interface Var {
  readonly entry: VarEntry;
  readonly place: EntryPlace;
  readonly resource: Resource | undefined;
}

export interface VarProblem {
  readonly message: string;
  readonly entry: VarEntry;
  readonly place: EntryPlace;
}

/** Adds the variables of a kustomization, which refer to its own objects. */
export function mergeVars(
  entries: readonly VarEntry[],
  place: EntryPlace,
  all: readonly Resource[],
  known: Map<string, Var>,
): readonly VarProblem[] {
  return entries.flatMap((entry) => {
    const fail = (message: string): readonly VarProblem[] => [{ message, entry, place }];
    const found = all.filter((one) => one.written !== undefined && isMeant(one, entry));
    if (found.length > 1)
      return fail(
        `found ${found.length} resId matches for var ${printVar(entry)} (unable to disambiguate)`,
      );
    return addVar({ entry, place, resource: found[0] }, known) ? [] : fail(alreadyThere(entry));
  });
}

/** Adds the variables of a base. */
export function mergeVarsOf(base: ReadonlyMap<string, Var>, known: Map<string, Var>): VarProblem[] {
  return [...base.values()].flatMap((one) =>
    addVar(one, known) ? [] : [{ ...one, message: alreadyThere(one.entry) }],
  );
}

function addVar(one: Var, known: Map<string, Var>): boolean {
  const { name } = one.entry;
  if (known.has(name)) return false;
  known.set(name, one);
  return true;
}

function alreadyThere({ name }: VarEntry): string {
  return `var '${name}' already encountered`;
}

/** Compares the object's original name; matches any namespace if none is given. */
function isMeant(
  resource: Resource,
  { apiVersion, kind, objectName, namespace }: VarEntry,
): boolean {
  const [original = resource.id] = resource.ids;
  return (
    resource.apiVersion === apiVersion &&
    resource.kind === kind &&
    original.name === objectName &&
    (namespace === "" || isClusterScoped(apiVersion, kind) || original.namespace === namespace)
  );
}

/** Substitutes the values in the fields of all objects. */
export function resolveVars(
  vars: ReadonlyMap<string, Var>,
  all: readonly Resource[],
  fields: readonly FieldSpec[],
  isPartial: boolean,
): readonly VarProblem[] {
  if (vars.size === 0) return [];
  const problems: VarProblem[] = [];
  const values = new Map<string, Json>();
  const unknown = new Set<string>();
  for (const [name, { entry, place, resource }] of vars) {
    const value = valueOfVar(entry, resource);
    if (value !== undefined) values.set(name, value);
    else if (resource?.generated !== undefined || (resource === undefined && isPartial))
      unknown.add(name);
    else problems.push({ message: whyMissing(entry, resource), entry, place });
  }
  for (const resource of all) {
    const { written } = resource;
    if (written === undefined || resource.entry === undefined) continue;
    const now = changeFields(written, fields, written, (old) =>
      mapTexts(old, (text) => {
        const expanded = expand(text, values);
        if (typeof expanded === "string" && namesIn(expanded).some((one) => unknown.has(one)))
          resource.lacksPatch = true;
        return expanded;
      }),
    );
    if (now !== written) resource.written = kept(written, resolveVars, now);
  }
  return problems;
}

/** A mapping or list is not a usable value: kustomize leaves the text unchanged. */
function valueOfVar({ fieldPath }: VarEntry, resource: Resource | undefined): Json | undefined {
  if (resource?.written === undefined) return undefined;
  const path = fieldPath.replace(/\[(\d+)\]/g, ".$1");
  return valueAtFieldPath(resource.written, path)?.value;
}

function whyMissing(entry: VarEntry, resource: Resource | undefined): string {
  return resource === undefined
    ? `var '${printVar(entry)}' cannot be mapped to a field in the set of known resources`
    : `field specified in var '${printVar(entry)}' not found in corresponding resource`;
}

/** As Go prints the struct. */
function printVar({ name, apiVersion, kind, fieldPath }: VarEntry): string {
  const [id = ""] = printId({ apiVersion, kind, name: "", namespace: "" }).split("/");
  return `{${name} ${id} {${fieldPath}}}`;
}

/** Changes a text, the items of a list, or the values of a mapping. */
function mapTexts(old: Written, change: (text: string) => Json): Written {
  const { value } = old;
  const mapped = (one: Written): Written => {
    if (typeof one.value !== "string") return one;
    const now = change(one.value);
    return now === one.value ? one : { text: one.text, path: one.path, value: now };
  };
  if (Array.isArray(value)) {
    const items = itemsOf(old);
    const now = items.map(mapped);
    return now.every((item, index) => item === items[index]) ? old : withItems(old, now);
  }
  if (!isRecord(value)) return mapped(old);
  const now = new Map([...fieldsOf(old)].map(([name, field]) => [name, mapped(field)]));
  return [...fieldsOf(old)].every(([name, field]) => now.get(name) === field)
    ? old
    : withFields(old, now);
}

/** A text that consists of one variable becomes its value with the original type; `$$` is a dollar sign. */
function expand(text: string, values: ReadonlyMap<string, Json>): Json {
  const [, only] = /^\$\(([^)]*)\)$/.exec(text) ?? [];
  const whole = only === undefined ? undefined : values.get(only);
  if (whole !== undefined) return typeof whole === "object" ? text : whole;
  let size = text.length;
  return text.replace(/\$(?:\$|\(([^)]{0,256})\))/g, (found: string, name: string | undefined) => {
    if (name === undefined) return "$";
    const value = values.get(name);
    if (value === undefined || typeof value === "object") return found;
    const plain = plainText(value);
    size += plain.length;
    return size > objectSizeMax ? found : plain;
  });
}

function namesIn(text: string): readonly string[] {
  return [...text.matchAll(/\$\(([^)]{0,256})\)/g)].map(([, name = ""]) => name);
}
