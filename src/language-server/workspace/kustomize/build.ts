/**
 * What `kustomize build` makes of the objects of one kustomization: what its patches make of them, and the names,
 * namespaces, labels, annotations and replicas that it gives them. Upstream: kustomize v5.8 api/internal/target
 * kusttarget.go accumulateTarget, kusttarget_configplugin.go configureBuiltinTransformers (the order), api/resmap
 * reswrangler.go, and the PatchTransformer, PatchStrategicMergeTransformer and PatchJson6902Transformer of
 * api/internal/builtins.
 */
import type { Json } from "../../../engine/api/json.ts";
import { underline } from "../../yaml/locate.ts";
import { valueAt } from "../../yaml/manifest.ts";
import type { Path } from "../../yaml/place.ts";
import { readYamlDocument } from "../../yaml/yaml-document.ts";
import { parentUri, resolveUri } from "../uri.ts";
import type { WorkspaceFile, WorkspaceObject } from "../workspace-object.ts";
import * as fieldSpecs from "./field-specs.ts";
import { followNames } from "./follow-names.ts";
import { applyJsonPatch } from "./json-patch.ts";
import type {
  GeneratedObject,
  Kustomization,
  KustomizationEntry,
  PatchEntry,
  ReplacementEntry,
  ReplicasEntry,
  TextEntry,
} from "./kustomization-file.ts";
import {
  type EntryPlace,
  type KustomizeProblem,
  type LoadedPatch,
  loadPatch,
  refused,
  textsOfFile,
} from "./loaded-patch.ts";
import { type NameReference, nameReferences, readNameReferences } from "./name-references.ts";
import { replace } from "./replacements.ts";
import {
  type ChangePlace,
  generatedResource,
  isClusterScoped,
  kustomizationText,
  printId,
  type Resource,
  resourceOf,
  textAt,
  type WholeId,
} from "./resource.ts";
import { changeFields, setPairs } from "./set-fields.ts";
import { type MergeProblem, mergeStrategically } from "./strategic-merge.ts";
import { itemsOf, kept, partOf, type Written, type WrittenText } from "./written.ts";

/** What the files hold. */
export interface BuildFiles {
  readonly kustomizations: ReadonlyMap<string, Kustomization>;
  /** The one in the folder that an entry of another one's `resources` or `components` leads to; undefined where none is. */
  kustomizationAt(from: string, path: string): string | undefined;
  findFile(uri: string): WorkspaceFile | undefined;
  objectsOf(file: WorkspaceFile): readonly WorkspaceObject[];
}

export interface BuiltObject {
  readonly entry: WorkspaceObject;
  /** Undefined where a patch removes it. */
  readonly written: Written | undefined;
  /** What has changed it, in its order. */
  readonly changedBy: readonly ChangePlace[];
  /** Whether a patch for it could not be applied, so that it lacks what that would have brought. */
  readonly lacksPatch: boolean;
}

export interface Build {
  readonly objects: readonly BuiltObject[];
  /** Objects that are in no file, without what kustomize adds to their names for what they hold. */
  readonly generated: readonly GeneratedObject[];
  /** URIs of all kustomizations and files that it is made of. */
  readonly files: ReadonlySet<string>;
  /** Whether kustomizations may have changed any of the objects. */
  readonly isChanged: boolean;
  readonly problems: readonly KustomizeProblem[];
}

export function build(root: string, files: BuildFiles): Build {
  const run = new BuildRun(files);
  const all = run.accumulate(root, [], []);
  const problems = [...run.problems, ...followNames(all, run.nameReferences)];
  const objects = all.flatMap(({ entry, written, changedBy, lacksPatch }) =>
    entry === undefined ? [] : [{ entry, written, changedBy, lacksPatch }],
  );
  const generated = all.flatMap(({ generated: made, id }) => (made ? [{ ...made, ...id }] : []));
  return { objects, generated, files: run.files, isChanged: run.isChanged, problems };
}

/** Kinds whose names get no prefix and no suffix. Upstream: prefixFieldSpecsToSkip. */
const fixedNames: ReadonlySet<string> = new Set([
  "CustomResourceDefinition",
  "APIService",
  "Namespace",
]);

/** Kustomizations that name each other twice over make more objects than anybody can have meant. */
const stepCountMax = 500_000;

class BuildRun {
  readonly files = new Set<string>();
  readonly problems: KustomizeProblem[] = [];
  /** Those of all configurations, beside the usual ones. */
  readonly nameReferences: NameReference[] = [...nameReferences];
  isChanged = false;
  readonly #from: BuildFiles;
  /** Whether there may be objects that are not known here. */
  #isPartial = false;
  #stepCount = 0;
  #hasGivenUp = false;

  constructor(from: BuildFiles) {
    this.#from = from;
  }

  /** A component works on what there is of the kustomization that names it. */
  accumulate(uri: string, there: Resource[], above: readonly string[]): Resource[] {
    const kustomization = this.#from.kustomizations.get(uri);
    const file = this.#from.findFile(uri);
    if (
      kustomization === undefined ||
      file === undefined ||
      above.includes(uri) ||
      !this.#mayGoOn(uri)
    ) {
      this.#isPartial = true;
      return there;
    }
    this.files.add(uri);
    const inside = [...above, uri];
    const place = { file, yaml: kustomization.yaml, folder: parentUri(uri) };
    const own = kustomization.isComponent ? there : [];
    for (const path of kustomization.resources) this.#addResource(uri, path, own, inside);
    for (const generated of kustomization.generated) own.push(generatedResource(generated, place));
    if (kustomization.makesMore) this.#isPartial = true;
    for (const path of kustomization.configurations)
      this.#configure(resolveUri(place.folder, path));
    for (const path of kustomization.components)
      this.accumulate(this.#from.kustomizationAt(uri, path) ?? path, own, inside);
    this.#transform(place, kustomization, own);
    if (!kustomization.isComponent) for (const resource of own) there.push(resource);
    return there;
  }

  #mayGoOn(uri: string): boolean {
    this.#stepCount++;
    if (this.#stepCount >= stepCountMax && !this.#hasGivenUp) {
      this.#hasGivenUp = true;
      this.problems.push({
        uri,
        start: 0,
        end: 0,
        message: "Kustomizations name each other so often that not all are followed",
        severity: "warning",
      });
    }
    return !this.#hasGivenUp;
  }

  #addResource(uri: string, path: string, own: Resource[], inside: readonly string[]): void {
    const folder = this.#from.kustomizationAt(uri, path);
    if (folder !== undefined) {
      for (const resource of this.accumulate(folder, [], inside)) own.push(resource);
      return;
    }
    const fileUri = resolveUri(parentUri(uri), path);
    const file = this.#from.findFile(fileUri);
    const isRead = file?.skipped === undefined && file?.manifest.templateAt === undefined;
    if (file === undefined || !isRead) {
      this.#isPartial = true;
      return;
    }
    this.files.add(fileUri);
    for (const entry of this.#from.objectsOf(file))
      if (this.#mayGoOn(uri)) own.push(resourceOf(entry));
  }

  #configure(uri: string): void {
    const text = this.#from.findFile(uri)?.manifest.text;
    if (text === undefined) return;
    this.files.add(uri);
    this.nameReferences.push(...readNameReferences(readYamlDocument(text).value));
  }

  #transform(place: EntryPlace, kustomization: Kustomization, all: Resource[]): void {
    const { namespace, namePrefix, nameSuffix } = kustomization;
    this.#stepCount += all.length;
    for (const entry of kustomization.patches) this.#apply(place, entry, all);
    if (namespace !== undefined) {
      for (const resource of all) this.#setNamespace(resource, namespace, place);
      this.#tellConflicts(namespace, place, all);
    }
    if (namePrefix !== undefined)
      for (const resource of all) {
        const { text } = namePrefix;
        this.#rename(resource, resource.prefixes, namePrefix, place, (name) => text + name);
      }
    if (nameSuffix !== undefined)
      for (const resource of all) {
        const { text } = nameSuffix;
        this.#rename(resource, resource.suffixes, nameSuffix, place, (name) => name + text);
      }
    for (const entry of kustomization.pairs)
      for (const resource of all)
        this.#set(resource, entry, place, (written, pairs) =>
          setPairs(written, entry.fields, pairs),
        );
    for (const entry of kustomization.latePatches) this.#apply(place, entry, all);
    for (const entry of kustomization.replicas) this.#scale(entry, place, all);
    for (const entry of kustomization.replacements)
      for (const replacement of this.#replacementsOf(entry, place))
        this.#replace(replacement, entry, place, all);
  }

  /** Upstream: NamespaceTransformerPlugin.Transform. */
  #setNamespace(resource: Resource, entry: KustomizationEntry, place: EntryPlace): void {
    const { kind, apiVersion } = resource;
    const fields = isClusterScoped(apiVersion, kind)
      ? fieldSpecs.namespaces
      : [...fieldSpecs.ownNamespace, ...fieldSpecs.namespaces];
    resource.previousIds.push(resource.id);
    this.#set(resource, entry, place, (written, namespace) =>
      changeFields(written, fields, namespace, () => namespace),
    );
  }

  /** Objects that had the same name in several namespaces. What is generated may be merged with another. */
  #tellConflicts(entry: KustomizationEntry, place: EntryPlace, all: readonly Resource[]): void {
    const seen = new Set<string>();
    for (const { kind, apiVersion, id, written, entry: own } of all) {
      const printed = printId({ ...id, kind, apiVersion });
      if (own === undefined || written === undefined || id.name === "") continue;
      if (seen.has(printed)) {
        this.problems.push({
          uri: place.file.uri,
          ...underline(place.yaml, entry.path),
          message: `kustomize refuses the namespace: namespace transformation produces ID conflict: ${printed}`,
          severity: "error",
        });
        return;
      }
      seen.add(printed);
    }
  }

  /** The name keeps its place: what is wrong with it is mended there. Upstream: PrefixTransformerPlugin.Transform. */
  #rename(
    resource: Resource,
    affixes: string[],
    entry: TextEntry,
    place: EntryPlace,
    change: (name: string) => string,
  ): void {
    if (fixedNames.has(resource.kind)) return;
    affixes.push(entry.text);
    resource.previousIds.push(resource.id);
    this.#set(resource, entry, place, (written, given) =>
      changeFields(written, fieldSpecs.ownName, given, (old) =>
        typeof old.value === "string" ? { ...old, value: change(old.value) } : old,
      ),
    );
  }

  /** What the kustomization gives: `change` gets that part of it. */
  #set(
    resource: Resource,
    entry: KustomizationEntry,
    { file, yaml }: EntryPlace,
    change: (written: Written, given: Written) => Written,
  ): void {
    const { written } = resource;
    if (written === undefined) return;
    this.isChanged = true;
    const after = changedOnce(written, entry, () => {
      const value = (valueAt(yaml.value, entry.path) ?? null) as Json;
      return change(written, { text: kustomizationText(file, yaml), path: entry.path, value });
    });
    if (after === written) return;
    resource.written = after;
    resource.changedBy.push({ kustomization: file, file, entry });
  }

  /** Upstream: ReplicaCountTransformerPlugin.Transform. */
  #scale(entry: ReplicasEntry, place: EntryPlace, all: readonly Resource[]): void {
    const scaled = all.filter(
      ({ kind, ids }) =>
        fieldSpecs.replicas.some((spec) => spec.kind === kind) &&
        ids.some(({ name }) => name === entry.name),
    );
    if (scaled.length === 0 && !this.#isPartial) {
      const kinds = fieldSpecs.replicas.map(({ kind }) => `${kind}.[noVer].[noGrp]`).join(" ");
      this.problems.push({
        uri: place.file.uri,
        ...underline(place.yaml, [...entry.path, "name"]),
        message: `kustomize refuses the entry: resource with name ${entry.name} does not match a config with the following GVK [${kinds}]`,
        severity: "error",
      });
    }
    for (const resource of scaled)
      this.#set(resource, entry, place, (written, given) => {
        const count = partOf(given, "count") ?? { ...given, value: 0 };
        return changeFields(written, fieldSpecs.replicas, count, () => count);
      });
  }

  /** A file may have several. */
  #replacementsOf({ file, path }: ReplacementEntry, place: EntryPlace): readonly Written[] {
    const text = kustomizationText(place.file, place.yaml);
    const here = { text, path, value: (valueAt(place.yaml.value, path) ?? null) as Json };
    if (file === undefined) return [here];
    const uri = resolveUri(place.folder, file);
    const own = this.#from.findFile(uri);
    if (own === undefined || own.skipped !== undefined) {
      const span = underline(place.yaml, [...path, "path"]);
      const message = `The replacement is not applied: ${file} is not among the files that are read`;
      this.problems.push({ uri: place.file.uri, ...span, message, severity: "information" });
      return [];
    }
    this.files.add(uri);
    return textsOfFile(own).flatMap((part) => {
      const whole = { text: part, path: [], value: (part.yaml.value ?? null) as Json };
      return Array.isArray(whole.value) ? itemsOf(whole) : [whole];
    });
  }

  #replace(
    replacement: Written,
    entry: ReplacementEntry,
    { file: kustomization }: EntryPlace,
    all: readonly Resource[],
  ): void {
    this.isChanged = true;
    const { replaced, problem } = replace(replacement, all, this.#isPartial);
    if (problem !== undefined) {
      const { text, path } = problem.at;
      const span = text.inFile(underline(text.yaml, path));
      const message = `kustomize refuses the replacement: ${problem.message}`;
      this.problems.push({ uri: text.file.uri, ...span, message, severity: "error" });
    }
    for (const { resource, written } of replaced) {
      if (resource.written === undefined) continue;
      if (written === undefined) resource.lacksPatch = true;
      else resource.written = kept(resource.written, entry, written);
      resource.changedBy.push({ kustomization, file: replacement.text.file, entry });
    }
  }

  #apply(place: EntryPlace, entry: PatchEntry, all: Resource[]): void {
    this.isChanged = true;
    const { file, yaml } = place;
    const { patch, problems } = loadPatch(entry, place, this.#from.findFile);
    this.problems.push(...problems);
    if (patch === undefined) return;
    this.files.add(patch.file.uri);
    const at: ChangePlace = { kustomization: file, file: patch.file, entry };
    const { target } = patch;
    if (target === undefined) {
      for (const part of patch.parts) this.#mergeById(part, patch, at, all);
      return;
    }
    const selected = all.filter((one) => one.written !== undefined && target.selects(one));
    if (selected.length === 0 && !this.#isPartial)
      this.problems.push({
        uri: file.uri,
        ...underline(yaml, [...entry.path, "target"]),
        message: "The target selects nothing that the kustomization has",
        severity: "warning",
      });
    for (const resource of selected) this.#change(resource, patch, at);
  }

  /** A part of an object says itself which one it is for. */
  #mergeById(part: Written, patch: LoadedPatch, at: ChangePlace, all: Resource[]): void {
    const id = idOf(part);
    if (typeof id === "string") {
      this.#report(part.text, [], id);
      return;
    }
    const found = all.filter((one) => one.written !== undefined && isMeant(one, id));
    const [first] = found;
    if (first !== undefined && found.length === 1)
      this.#change(first, { ...patch, parts: [part] }, at);
    else if (found.length > 1 || !this.#isPartial) {
      const matches = found.length > 1 ? "multiple matches" : "no matches";
      const printed = printId(id);
      const message = `${matches} for Id ${printed}; failed to find unique target for patch ${printed}`;
      this.#report(part.text, ["metadata", "name"], message);
    }
  }

  #change(resource: Resource, { parts, operations, entry }: LoadedPatch, at: ChangePlace): void {
    if (resource.entry === undefined) return;
    resource.changedBy.push(at);
    if (operations.length > 0 || entry.changesName || entry.changesKind)
      resource.previousIds.push(resource.id);
    if (parts.length === 0 && operations.length === 0) resource.lacksPatch = true;
    for (const patch of [...parts, ...operations]) {
      if (resource.written === undefined) return;
      const before = resource.written;
      const { after, problem } = changedOnce(before, patch, () =>
        patchedBy(before, patch, resource.kind, entry),
      );
      resource.written = after;
      if (problem === undefined) continue;
      resource.lacksPatch = true;
      this.#report(problem.at.text, problem.at.path, problem.message);
    }
  }

  #report(text: WrittenText, path: Path, message: string): void {
    const span = text.inFile(underline(text.yaml, path));
    this.problems.push({
      uri: text.file.uri,
      ...span,
      message: refused(message),
      severity: "error",
    });
  }
}

/** Whoever types in one object waits for that one, and not for all that the same part of a kustomization changes. */
function changedOnce<T>(before: Written, by: object, change: () => T): T {
  const ofObject = changedBefore.get(before) ?? new WeakMap<object, unknown>();
  changedBefore.set(before, ofObject);
  const known = ofObject.get(by) as T | undefined;
  if (known !== undefined) return known;
  const made = change();
  ofObject.set(by, made);
  return made;
}

// One `by` makes things of one kind.
const changedBefore = new WeakMap<Written, WeakMap<object, unknown>>();

/** What a patch makes of an object; as it was where there is a problem. */
interface Patched {
  /** Undefined where the patch removes it. */
  readonly after: Written | undefined;
  readonly problem?: MergeProblem | undefined;
}

function patchedBy(
  before: Written,
  patch: Written,
  kind: string,
  { changesName, changesKind }: PatchEntry,
): Patched {
  if (Array.isArray(patch.value)) {
    const { patched, problem } = applyJsonPatch(before, patch);
    return { after: patched, problem };
  }
  const keeps = { name: !changesName, kind: !changesKind };
  const { merged, problem } = mergeStrategically(before, patch, kind, keeps);
  return { after: merged, problem };
}

/** Of a patch; a text says what it lacks. */
function idOf({ value }: Written): WholeId | string {
  const kind = textAt(value, "kind");
  const name = textAt(value, "metadata", "name");
  if (kind === "") return "missing Resource metadata";
  if (name === "") return "missing metadata.name in object";
  const namespace = textAt(value, "metadata", "namespace");
  return { apiVersion: textAt(value, "apiVersion"), kind, name, namespace };
}

function isMeant(resource: Resource, { apiVersion, kind, name, namespace }: WholeId): boolean {
  if (resource.apiVersion !== apiVersion || resource.kind !== kind) return false;
  const wanted = isClusterScoped(apiVersion, kind) ? "" : namespace || "default";
  return resource.ids.some((id) => id.name === name && id.namespace === wanted);
}
