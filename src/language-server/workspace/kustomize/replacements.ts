/**
 * Copies values from one object to fields of others. Upstream: kustomize v5.8 api/filters/replacement replacement.go, kyaml
 * utils pathsplitter.go, kyaml yaml/match.go PathMatcher.
 */
import type { Json } from "../../../engine/api/json.ts";
import { goPattern } from "../../go-pattern.ts";
import { isRecord, plainText } from "../../yaml/manifest.ts";
import { readYamlDocument } from "../../yaml/yaml-document.ts";
import { readKinds } from "./field-specs.ts";
import { isTooLarge, objectSizeMax, tooLarge } from "./object-size.ts";
import { type PatchTarget, readTarget } from "./patch-target.ts";
import { heldBy, textHolding } from "./replaced-text.ts";
import { type Id, isKnownField, printId, type Resource, textAt } from "./resource.ts";
import { isOf } from "./set-fields.ts";
import { fieldsOf, itemsOf, partOf, type Written, withFields, withItems } from "./written.ts";

export interface ReplacementProblem {
  readonly message: string;
  readonly at: Written;
}

/** An object that gets a value. */
export interface Replaced {
  readonly resource: Resource;
  /** Undefined if the value is not known here. */
  readonly written: Written | undefined;
}

export interface ReplacementResult {
  readonly replaced: readonly Replaced[];
  readonly problem?: ReplacementProblem | undefined;
}

const defaultPath = "metadata.name";

/** Either replaces in all targets, or nothing if there is a problem. */
export function replace(
  replacement: Written,
  all: readonly Resource[],
  isPartial: boolean,
): ReplacementResult {
  const fail = (message: string, at: Written): ReplacementResult => ({
    replaced: [],
    problem: { message, at },
  });
  const source = partOf(replacement, "source");
  const literal = partOf(replacement, "sourceValue");
  const targets = partOf(replacement, "targets");
  if (
    (source === undefined && literal === undefined) ||
    targets === undefined ||
    itemsOf(targets).length === 0
  )
    return fail("replacements must specify a source and at least one target", replacement);
  if (source !== undefined && literal !== undefined)
    return fail("value and resource selectors are mutually exclusive", replacement);
  const value = source === undefined ? literal?.value : sourceValue(source, all);
  if (value instanceof Refusal)
    return isPartial ? { replaced: [] } : fail(value.message, source ?? replacement);
  const now = new Map<Resource, Written | undefined>();
  for (const target of itemsOf(targets)) {
    const problem = copyTo(target, value, all, now);
    if (problem !== undefined) return { replaced: [], problem };
  }
  return { replaced: [...now].map(([resource, written]) => ({ resource, written })) };
}

/** `now` has the state of each changed object so far, or undefined if it is unknown. */
function copyTo(
  target: Written,
  value: Json | undefined,
  all: readonly Resource[],
  now: Map<Resource, Written | undefined>,
): ReplacementProblem | undefined {
  const selects = selection(target);
  if (typeof selects === "string") return { message: selects, at: target };
  for (const resource of all) {
    const { written, entry } = resource;
    if (written === undefined || !selects(resource)) continue;
    const before = now.has(resource) ? now.get(resource) : written;
    const after =
      value === undefined || before === undefined ? undefined : copied(before, value, target);
    if (after === undefined || !("message" in after)) now.set(resource, after);
    else if (
      entry !== undefined ||
      pathsOf(target).every(({ value }) => isKnownField(resource, firstOf(value)))
    )
      return after;
  }
  return undefined;
}

/** Why there is no value. */
class Refusal {
  readonly message: string;

  constructor(message: string) {
    this.message = message;
  }
}

/** Undefined if the value is in a file that is not read. */
function sourceValue(source: Written, all: readonly Resource[]): Json | Refusal | undefined {
  const { value } = source;
  const [name, namespace] = ["name", "namespace"].map((field) => textAt(value, field));
  const isMeant = (id: Id): boolean =>
    (name === "" || id.name === name) && (namespace === "" || id.namespace === namespace);
  const kinds = isRecord(value) ? readKinds(value) : {};
  const found = all.filter(
    ({ written, ids }) => written !== undefined && isOf(written.value, kinds) && ids.some(isMeant),
  );
  const [only, ...others] = found;
  const printed = printSelector(value);
  const given = textAt(value, "fieldPath");
  const withPath = given === "" ? printed : `${printed}:${given}`;
  if (only?.written === undefined) return new Refusal(`nothing selected by ${withPath}`);
  if (others.length > 0) return new Refusal(`multiple matches for selector ${withPath}`);
  const path = given || defaultPath;
  const at = valueAtFieldPath(only.written, path);
  if (at === undefined || isEmpty(at.value))
    return isKnownField(only, firstOf(path))
      ? new Refusal(`fieldPath \`${path}\` is missing for replacement source ${printed}`)
      : undefined;
  const options = partOf(source, "options");
  const delimiter = textAt(options?.value, "delimiter");
  if (delimiter === "") return at.value;
  if (typeof at.value === "object") return new Refusal(onlyScalars);
  const parts = plainText(at.value).split(delimiter);
  const index = indexOf(options);
  return (
    parts[index] ??
    new Refusal(`options.index ${index} is out of bounds for value ${plainText(at.value)}`)
  );
}

function firstOf(path: Json): string {
  const [field = ""] = plainText(path).split(".");
  return field;
}

/** Upstream: kyaml yaml RNode.IsNilOrEmpty. */
function isEmpty(value: Json): boolean {
  if (typeof value === "object" && value !== null) return Object.keys(value).length === 0;
  return value === null || value === "";
}

/**
 * Returns what a target selects, or why kustomize cannot read it. Rejection by labels ignores the kind and name given with
 * them, and vice versa. Upstream: replacement.go selectByAnnoAndLabel, api/types/replacement.go RejectsAny.
 */
function selection(target: Written): ((resource: Resource) => boolean) | string {
  const select = partOf(target, "select")?.value;
  if (!isRecord(select)) return "target must specify resources to select";
  const wanted = readTarget(select);
  if (typeof wanted === "string") return wanted;
  const list = partOf(target, "reject");
  const rejected = (list === undefined ? [] : itemsOf(list)).map(({ value }) =>
    readTarget(isRecord(value) ? value : {}),
  );
  const unread = rejected.find((one) => typeof one === "string");
  if (unread !== undefined) return unread;
  return (resource) => {
    const { apiVersion, previousIds, id, written } = resource;
    // For namespace patterns, an object without a namespace is in none until something may have changed it.
    const namespace = textAt(written?.value, "metadata", "namespace");
    const ids = [...previousIds, { ...id, namespace }];
    const isOneOf = ({ fitsId }: PatchTarget): boolean => ids.some((id) => fitsId(apiVersion, id));
    const isRejected = (one: PatchTarget | string): boolean =>
      typeof one !== "string" &&
      ((one.hasMetadata && one.fitsMetadata(resource)) || (one.hasId && isOneOf(one)));
    return wanted.fitsMetadata(resource) && isOneOf(wanted) && !rejected.some(isRejected);
  };
}

function pathsOf(target: Written): readonly Written[] {
  const list = partOf(target, "fieldPaths");
  const given = list === undefined ? [] : itemsOf(list);
  return given.length > 0 ? given : [{ ...target, value: defaultPath }];
}

function copied(object: Written, value: Json, target: Written): Written | ReplacementProblem {
  const options = partOf(target, "options");
  const creates = isRecord(options?.value) && options.value["create"] === true;
  // Items of a List have lost their types at this point, and annotations are texts.
  const hasTypes = object.path.length === 0;
  let now = object;
  for (const by of pathsOf(target)) {
    let count = 0;
    const isTyped = hasTypes && !plainText(by.value).startsWith("metadata.annotations.");
    let refusal: string | undefined;
    const segments = segmentsOf(plainText(by.value));
    const withText = changedText(now, segments, value, { by, creates });
    if (withText !== undefined) {
      now = withText;
      if (isTooLarge(now.value)) return { message: tooLarge, at: by };
      continue;
    }
    now = changed(now, segments, { by, creates }, (old) => {
      count++;
      const set = valueIn(old, value, options, isTyped);
      if (set instanceof Refusal) refusal ??= set.message;
      return { text: by.text, path: by.path, value: set instanceof Refusal ? (old ?? null) : set };
    });
    if (refusal !== undefined) return { message: refusal, at: by };
    if (isTooLarge(now.value)) return { message: tooLarge, at: by };
    if (count > 0) continue;
    const verb = creates ? "find or create" : "find";
    const message = `unable to ${verb} field ${JSON.stringify(by.value)} in replacement target`;
    return { message, at: by };
  }
  return now;
}

/** Continues a path inside the text that it leads to. Undefined if it does not lead to a text, or leads nowhere there. */
function changedText(
  object: Written,
  segments: readonly string[],
  value: Json,
  setting: Setting,
): Written | undefined {
  const { text, path } = setting.by;
  let at: Written | undefined = object;
  for (const [index, segment] of segments.slice(0, -1).entries()) {
    at = at === undefined ? undefined : childOf(at, segment);
    if (typeof at?.value !== "string") continue;
    const before = at.value;
    const held = heldBy(before);
    if (held === undefined) return undefined;
    let count = 0;
    const whole = { text, path, value: held };
    const now = changed(whole, segments.slice(index + 1), setting, (old) => {
      count++;
      const set = valueIn(old, value, undefined, false);
      return { text, path, value: set instanceof Refusal ? (old ?? null) : set };
    });
    if (count === 0) return undefined;
    const after = { text, path, value: textHolding(now.value, before) };
    return changed(
      object,
      segments.slice(0, index + 1),
      { ...setting, creates: false },
      () => after,
    );
  }
  return undefined;
}

const onlyScalars = "delimiter option can only be used with scalar nodes";

/**
 * A value that replaces a text becomes text, a mapping or list an empty one; where another scalar was, that text is read as
 * YAML. Where there was no scalar, or null is replaced by a mapping or list, the value is copied as it is.
 */
function valueIn(
  old: Json | undefined,
  value: Json,
  options: Written | undefined,
  isTyped: boolean,
): Json | Refusal {
  const isScalar = old !== undefined && (typeof old !== "object" || old === null);
  if (!isScalar && textAt(options?.value, "delimiter") !== "") return new Refusal(onlyScalars);
  if (!isScalar || (old === null && typeof value === "object")) return value;
  const text = withDelimiter(old, typeof value === "object" ? "" : plainText(value), options);
  if (typeof old === "string") return text;
  const read = readYamlDocument(text).value;
  if (isTyped && old !== null && typeof read !== typeof old) {
    const type = typeof old === "boolean" ? "bool" : Number.isInteger(old) ? "int" : "float";
    return new Refusal(`yaml: cannot decode !!str \`${text}\` as a !!${type}`);
  }
  return read === undefined || typeof read === "object" ? text : read;
}

function withDelimiter(old: Json | undefined, text: string, options: Written | undefined): string {
  const delimiter = textAt(options?.value, "delimiter");
  if (delimiter === "") return text;
  const parts = plainText(old ?? "").split(delimiter);
  const index = indexOf(options);
  if (index < 0) parts.unshift(text);
  else if (index >= parts.length) parts.push(text);
  else parts[index] = text;
  const joined = parts.reduce((sum, part) => sum + part.length + delimiter.length, 0);
  // The result will be refused, so it need not be built.
  return joined > objectSizeMax ? "x".repeat(objectSizeMax + 1) : parts.join(delimiter);
}

function indexOf(options: Written | undefined): number {
  const index = options === undefined ? undefined : partOf(options, "index")?.value;
  return typeof index === "number" ? index : 0;
}

interface Setting {
  readonly by: Written;
  readonly creates: boolean;
}

/** Returns the same part if the path leads nowhere. */
function changed(
  at: Written,
  [segment, ...path]: readonly string[],
  setting: Setting,
  change: (old: Json | undefined) => Written,
): Written {
  if (segment === undefined) return change(at.value);
  if (Array.isArray(at.value)) {
    const fits = fitting(segment);
    const chosen = (item: Written, index: number): boolean =>
      segment === "*" || segment === String(index) || fits(item);
    const before = itemsOf(at);
    const added =
      setting.creates && !before.some(chosen)
        ? newItem(segment, before.length, path[0])
        : undefined;
    const { text, path: place } = setting.by;
    const items = added === undefined ? before : [...before, { text, path: place, value: added }];
    const now = items.map((item, index) =>
      chosen(item, index) ? changed(item, path, setting, change) : item,
    );
    const isSame = added === undefined && now.every((item, index) => item === items[index]);
    return isSame ? at : withItems(at, now);
  }
  if (!isRecord(at.value) || segment === "*") return at;
  const there = partOf(at, segment);
  if (there === undefined && !setting.creates) return at;
  const { text, path: place } = setting.by;
  const old = there ?? { text, path: place, value: valueFor(path[0]) };
  const now = changed(old, path, setting, change);
  return now === old ? at : withFields(at, new Map(fieldsOf(at)).set(segment, now));
}

/** The empty value that is created for the next segment. Upstream: kyaml yaml fns.go getPathPartKind. */
function valueFor(next: string | undefined): Json {
  if (next === undefined) return null;
  return /^\[.*=.*\]$|^\d+$/.test(next) ? [] : {};
}

/**
 * The item to add to a list if none is selected: at the index after the last, or with the field value that the segment
 * requires.
 */
function newItem(segment: string, length: number, next: string | undefined): Json | undefined {
  if (segment === String(length)) return valueFor(next);
  const [, field = "", wanted] = /^\[([^=]*)=(.*)\]$/.exec(segment) ?? [];
  if (wanted === undefined) return undefined;
  return field === "" ? wanted : { [field]: wanted };
}

/** Undefined if the path leads nowhere. */
export function valueAtFieldPath(object: Written, path: string): Written | undefined {
  let at: Written | undefined = object;
  for (const segment of segmentsOf(path)) at = at === undefined ? undefined : childOf(at, segment);
  return at;
}

function childOf(at: Written, segment: string): Written | undefined {
  if (!Array.isArray(at.value)) return partOf(at, segment);
  const items = itemsOf(at);
  if (segment === "-") return items.at(-1);
  return items[Number(segment)] ?? items.find((item) => hasField(item, segment, isEqual));
}

/** True if the item matches a segment such as `[name=web]`. */
function hasField(
  item: Written,
  segment: string,
  compare: (found: string, wanted: string) => boolean,
): boolean {
  const [, field = "", wanted] = /^\[([^=]*)=(.*)\]$/.exec(segment) ?? [];
  if (wanted === undefined) return false;
  const found = field === "" ? item.value : partOf(item, field)?.value;
  return found !== undefined && compare(String(found), wanted);
}

/** In a source, the value in brackets is compared literally. */
function isEqual(found: string, wanted: string): boolean {
  return found === wanted;
}

/** In a target, the value in brackets is a pattern for any part of the text. */
function fitting(segment: string): (item: Written) => boolean {
  const wanted = /^\[[^=]*=(.*)\]$/.exec(segment)?.[1];
  if (wanted === undefined) return () => false;
  const matches = goPattern(wanted, "part");
  return (item) => typeof matches !== "string" && hasField(item, segment, matches);
}

/** Longer paths lead to nothing that exists. */
const pathMax = 4096;

/** Splits at dots, except escaped ones and those in brackets. */
function segmentsOf(path: string): readonly string[] {
  if (path.length > pathMax) return [path];
  return (path.match(/(?:\[[^\]]*\]|\\.|[^.[\\]|\[|\\)+/g) ?? []).map((part) => {
    const inner = /^\[([^=]*)\]$/.exec(part)?.[1];
    return (inner ?? part).replaceAll("\\.", ".");
  });
}

/** Upstream: kyaml resid.ResId.String. */
function printSelector(value: Json): string {
  const { group = "", version = "", kind = "" } = isRecord(value) ? readKinds(value) : {};
  const apiVersion = group === "" ? version : `${group}/${version}`;
  return printId({
    apiVersion,
    kind: kind || "[noKind]",
    name: textAt(value, "name") || "[noName]",
    namespace: textAt(value, "namespace"),
  });
}
