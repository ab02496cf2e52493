/**
 * What `kustomize build` makes of the objects of one kustomization: what its patches and transformers make of them, and the
 * names, namespaces, labels, annotations and replicas that it gives them. Upstream: kustomize v5.8 api/internal/target
 * kusttarget.go accumulateTarget, kusttarget_configplugin.go configureBuiltinTransformers (the order), api/resmap
 * reswrangler.go, and the PatchTransformer, PatchStrategicMergeTransformer and PatchJson6902Transformer of
 * api/internal/builtins.
 */
import type { Json } from "../../../engine/api/json.ts";
import { underline } from "../../yaml/locate.ts";
import { isRecord } from "../../yaml/manifest.ts";
import type { Path } from "../../yaml/place.ts";
import { readYamlDocument } from "../../yaml/yaml-document.ts";
import { parentUri, resolveUri } from "../uri.ts";
import type { WorkspaceFile, WorkspaceObject } from "../workspace-object.ts";
import { type EntryPlace, givenAt, kustomizationWhole, spanAt } from "./entry-place.ts";
import type { FieldLists, FieldSpec } from "./field-specs.ts";
import * as fieldSpecs from "./field-specs.ts";
import { followNames } from "./follow-names.ts";
import { applyJsonPatch } from "./json-patch.ts";
import type {
  ForFields,
  GeneratedObject,
  Kustomization,
  KustomizationEntry,
  NamespaceEntry,
  PatchEntry,
  PluginEntry,
  ReplacementEntry,
  ReplicasEntry,
  TextEntry,
  Transformers,
} from "./kustomization-file.ts";
import {
  type KustomizeProblem,
  type LoadedPatch,
  loadPatch,
  refused,
  textsInline,
  textsOfFile,
} from "./loaded-patch.ts";
import { type NameReference, nameReferences, readNameReferences } from "./name-references.ts";
import { type Plugin, readPlugin } from "./plugins.ts";
import { replace } from "./replacements.ts";
import {
  type ChangePlace,
  generatedResource,
  isClusterScoped,
  printId,
  type Resource,
  resourceOf,
  textAt,
  type WholeId,
} from "./resource.ts";
import { changeFields, isOf, setPairs, withTextAnnotations } from "./set-fields.ts";
import { type MergeProblem, mergeStrategically } from "./strategic-merge.ts";
import { mergeVars, mergeVarsOf, resolveVars, type Var, type VarProblem } from "./vars.ts";
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
  /** URIs of those that hold patches, generators and transformers. */
  readonly patches: ReadonlySet<string>;
  /** Whether kustomizations may have changed any of the objects. */
  readonly isChanged: boolean;
  readonly problems: readonly KustomizeProblem[];
}

export function build(root: string, files: BuildFiles): Build {
  const run = new BuildRun(files);
  const { resources: all, vars, fields } = run.accumulate(root, emptyParts(), []);
  const problems = [...run.problems, ...followNames(all, run.nameReferences)];
  for (const { message, place, entry } of resolveVars(
    vars,
    all,
    fields.varReference,
    run.isPartial,
  ))
    problems.push(refusedAt(place, [...entry.path, "name"], `var: ${message}`));
  for (const resource of all) if (hasTextAnnotationsNow(resource)) run.isChanged = true;
  const objects = all.flatMap(({ entry, written, changedBy, lacksPatch }) =>
    entry === undefined ? [] : [{ entry, written, changedBy, lacksPatch }],
  );
  const generated = all.flatMap(({ generated: made, id }) => (made ? [{ ...made, ...id }] : []));
  const { files: made, patches, isChanged } = run;
  return { objects, generated, files: made, patches, isChanged, problems };
}

/** Whether any were something else. */
function hasTextAnnotationsNow(resource: Resource): boolean {
  const { written } = resource;
  if (written === undefined) return false;
  const now = withTextAnnotations(written);
  if (now !== written) resource.written = kept(written, withTextAnnotations, now);
  return now !== written;
}

/** What there is of a kustomization while it is built. */
interface Parts {
  readonly resources: Resource[];
  readonly vars: Map<string, Var>;
  /** Kustomize's own, and those that its configurations and its bases' have added. */
  fields: FieldLists;
}

function emptyParts(): Parts {
  return { resources: [], vars: new Map(), fields: fieldSpecs.usualFields };
}

/** In kustomize's words, which users search for. */
function refusedAt(place: EntryPlace, path: Path, message: string): KustomizeProblem {
  return {
    ...spanAt(place, path),
    message: `kustomize refuses the ${message}`,
    severity: "error",
  };
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
  readonly patches = new Set<string>();
  readonly problems: KustomizeProblem[] = [];
  /** Those of all configurations, beside the usual ones. */
  readonly nameReferences: NameReference[] = [...nameReferences];
  isChanged = false;
  /** Whether there may be objects that are not known here. */
  isPartial = false;
  readonly #from: BuildFiles;
  #stepCount = 0;
  #hasGivenUp = false;

  constructor(from: BuildFiles) {
    this.#from = from;
  }

  /** A component works on what there is of the kustomization that names it. */
  accumulate(uri: string, there: Parts, above: readonly string[]): Parts {
    const kustomization = this.#from.kustomizations.get(uri);
    const file = this.#from.findFile(uri);
    if (
      kustomization === undefined ||
      file === undefined ||
      above.includes(uri) ||
      !this.#mayGoOn(uri)
    ) {
      this.isPartial = true;
      return there;
    }
    this.files.add(uri);
    const inside = [...above, uri];
    const place = { whole: wholeOf(file, kustomization), folder: parentUri(uri) };
    const own = kustomization.isComponent ? there : emptyParts();
    for (const path of kustomization.resources) this.#addResource(uri, path, own, inside);
    for (const path of kustomization.configurations)
      own.fields = this.#configured(resolveUri(place.folder, path), own.fields);
    this.#generate(place, kustomization, own, inside);
    for (const path of kustomization.components)
      this.accumulate(this.#from.kustomizationAt(uri, path) ?? path, own, inside);
    this.#transform(place, kustomization, own);
    for (const entry of kustomization.transformers)
      for (const plugin of this.#plugins(entry, "transformer", place, inside))
        if (plugin.type === "transformer") this.#transform(plugin.place, plugin.transformers, own);
    if (kustomization.vars.length > 0) this.isChanged = true;
    this.#tellVars(mergeVars(kustomization.vars, place, own.resources, own.vars));
    if (!kustomization.isComponent) this.#merge(own, there);
    return there;
  }

  #generate(
    place: EntryPlace,
    kustomization: Kustomization,
    { resources }: Parts,
    inside: readonly string[],
  ): void {
    this.#tellUnknown(kustomization, place);
    for (const one of kustomization.generated) resources.push(generatedResource(one, place));
    for (const entry of kustomization.generators)
      for (const plugin of this.#plugins(entry, "generator", place, inside))
        for (const one of plugin.type === "generator" ? plugin.generated : [])
          resources.push(generatedResource(one, plugin.place));
  }

  #merge(from: Parts, into: Parts): void {
    for (const resource of from.resources) into.resources.push(resource);
    into.fields = fieldSpecs.mergeLists(into.fields, from.fields);
    this.#tellVars(mergeVarsOf(from.vars, into.vars));
  }

  #tellVars(found: readonly VarProblem[]): void {
    for (const { message, place, entry } of found)
      this.problems.push(refusedAt(place, [...entry.path, "name"], `var: ${message}`));
  }

  /** What nobody here can know, so that what it lacks is not taken for missing. */
  #tellUnknown({ remote, charts }: Kustomization, place: EntryPlace): void {
    if (remote.length > 0 || charts !== undefined) this.isPartial = true;
    for (const path of remote)
      this.#inform(
        place,
        path,
        "Not judged: what is at this address is not fetched. Copy it into the workspace, as `kustomize localize` does, and name the copy here",
      );
    if (charts !== undefined)
      this.#inform(
        place,
        charts,
        "Not judged: no charts are rendered here. Save what `helm template` writes, and name that file in `resources`",
      );
  }

  #inform(place: EntryPlace, path: Path, message: string): void {
    this.problems.push({ ...spanAt(place, path), message, severity: "information" });
  }

  /** Those of a file, of a folder with a kustomization of its own, or of a text in the kustomization. */
  #plugins(
    entry: PluginEntry,
    wanted: "transformer" | "generator",
    place: EntryPlace,
    inside: readonly string[],
  ): readonly (Plugin & { readonly place: EntryPlace })[] {
    this.isChanged = true;
    const configs =
      entry.inline === undefined
        ? this.#pluginsIn(entry.file ?? "", place, inside)
        : inlineObjects(entry, place);
    if (configs === undefined) {
      this.isPartial = true;
      const message = `The ${wanted} is not applied: ${entry.file} is not among the files that are read`;
      this.#inform(place, entry.path, message);
      return [];
    }
    return configs.map((whole) => {
      const plugin = readPlugin(whole, wanted);
      const at = { whole, folder: place.folder };
      if (plugin.type === "refused") {
        this.isPartial = true;
        const { message, isProgram } = plugin;
        const advice =
          ". Save what the program makes, and name that file in `resources` or `patches`";
        const problem = refusedAt(at, ["kind"], `${wanted}: ${message}${isProgram ? advice : ""}`);
        this.problems.push(problem);
      }
      if (plugin.type === "unknown") {
        this.isPartial = true;
        this.#inform(at, ["kind"], `Not judged: what a ${plugin.kind} does is not known here`);
      }
      return { ...plugin, place: at };
    });
  }

  /** Undefined where nothing is read there. */
  #pluginsIn(
    path: string,
    { folder, whole }: EntryPlace,
    inside: readonly string[],
  ): readonly Written[] | undefined {
    const { uri } = whole.text.file;
    const own = this.#from.kustomizationAt(uri, path);
    const file = this.#from.findFile(resolveUri(folder, path));
    if (own === undefined && (file === undefined || file.skipped !== undefined)) return undefined;
    const before = new Set(this.files);
    const parts = emptyParts();
    this.#addResource(uri, path, parts, inside);
    for (const one of this.files)
      if (!before.has(one) && !this.#from.kustomizations.has(one)) this.patches.add(one);
    return parts.resources.flatMap(({ written }) => written ?? []);
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

  #addResource(uri: string, path: string, own: Parts, inside: readonly string[]): void {
    const folder = this.#from.kustomizationAt(uri, path);
    if (folder !== undefined) {
      this.#merge(this.accumulate(folder, emptyParts(), inside), own);
      return;
    }
    const fileUri = resolveUri(parentUri(uri), path);
    const file = this.#from.findFile(fileUri);
    const isRead = file?.skipped === undefined && file?.manifest.templateAt === undefined;
    if (file === undefined || !isRead) {
      this.isPartial = true;
      return;
    }
    this.files.add(fileUri);
    if (file.manifest.documents.some(({ yaml }) => yaml.value === undefined)) this.isPartial = true;
    for (const entry of this.#from.objectsOf(file))
      if (this.#mayGoOn(uri)) own.resources.push(resourceOf(entry));
  }

  #configured(uri: string, fields: FieldLists): FieldLists {
    const text = this.#from.findFile(uri)?.manifest.text;
    if (text === undefined) return fields;
    this.files.add(uri);
    const { value } = readYamlDocument(text);
    this.nameReferences.push(...readNameReferences(value));
    return fieldSpecs.withConfigured(fields, value);
  }

  #transform(place: EntryPlace, transformers: Transformers, own: Parts): void {
    const { namespace, namePrefix, nameSuffix } = transformers;
    const { resources: all, fields } = own;
    this.#stepCount += all.length;
    for (const entry of transformers.patches) this.#apply(place, entry, all);
    if (namespace !== undefined) {
      const specs = fieldsFor(namespace, fields);
      for (const resource of all) this.#setNamespace(resource, namespace, specs, place);
      this.#tellConflicts(namespace, place, all);
    }
    if (namePrefix !== undefined) {
      const specs = fieldsFor(namePrefix, fields);
      const change = (name: string): string => namePrefix.text + name;
      for (const one of all) this.#rename(one, one.prefixes, namePrefix, specs, place, change);
    }
    if (nameSuffix !== undefined) {
      const specs = fieldsFor(nameSuffix, fields);
      const change = (name: string): string => name + nameSuffix.text;
      for (const one of all) this.#rename(one, one.suffixes, nameSuffix, specs, place, change);
    }
    for (const entry of transformers.pairs) {
      const specs = fieldsFor(entry, fields);
      for (const resource of all)
        this.#set(resource, entry, place, (written, pairs) => setPairs(written, specs, pairs));
    }
    for (const entry of transformers.latePatches) this.#apply(place, entry, all);
    for (const entry of transformers.replicas)
      this.#scale(entry, fieldsFor(entry, fields), place, all);
    for (const entry of transformers.replacements)
      for (const replacement of this.#replacementsOf(entry, place))
        this.#replace(replacement, entry, place, all);
  }

  /** Upstream: NamespaceTransformerPlugin.Transform. */
  #setNamespace(
    resource: Resource,
    entry: NamespaceEntry,
    specs: readonly FieldSpec[],
    place: EntryPlace,
  ): void {
    const { kind, apiVersion } = resource;
    const others = specs.filter(({ path }) => path.join("/") !== "metadata/namespace");
    const fields = isClusterScoped(apiVersion, kind)
      ? others
      : [...fieldSpecs.ownNamespace, ...others];
    resource.previousIds.push(resource.id);
    this.#set(resource, entry, place, (written, namespace) =>
      changeFields(written, fields, namespace, (old) =>
        entry.unsetOnly && typeof old.value === "string" && old.value !== "" ? old : namespace,
      ),
    );
  }

  /** Objects that had the same name in several namespaces. What is generated may be merged with another. */
  #tellConflicts(entry: KustomizationEntry, place: EntryPlace, all: readonly Resource[]): void {
    const seen = new Set<string>();
    for (const { kind, apiVersion, id, written, entry: own } of all) {
      const printed = printId({ ...id, kind, apiVersion });
      if (own === undefined || written === undefined || id.name === "") continue;
      if (seen.has(printed)) {
        const message = `namespace: namespace transformation produces ID conflict: ${printed}`;
        this.problems.push(refusedAt(place, entry.path, message));
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
    specs: readonly FieldSpec[],
    place: EntryPlace,
    change: (name: string) => string,
  ): void {
    const { kind, written: before } = resource;
    if (fixedNames.has(kind) || before === undefined) return;
    if (specs.some((spec) => spec.path.join("/") === "metadata/name" && isOf(before.value, spec))) {
      affixes.push(entry.text);
      resource.previousIds.push(resource.id);
    }
    this.#set(resource, entry, place, (written, given) =>
      changeFields(written, specs, given, (old) =>
        typeof old.value === "string" ? { ...old, value: change(old.value) } : old,
      ),
    );
  }

  /** What the kustomization gives: `change` gets that part of it. */
  #set(
    resource: Resource,
    entry: KustomizationEntry,
    place: EntryPlace,
    change: (written: Written, given: Written) => Written,
  ): void {
    const { written } = resource;
    if (written === undefined) return;
    this.isChanged = true;
    const given = givenAt(place, entry.path);
    const after = changedOnce(written, entry, () => change(written, given));
    if (after === written) return;
    resource.written = after;
    resource.changedBy.push({ place, file: given.text.file, entry });
  }

  /** Upstream: ReplicaCountTransformerPlugin.Transform. */
  #scale(
    entry: ReplicasEntry,
    specs: readonly FieldSpec[],
    place: EntryPlace,
    all: readonly Resource[],
  ): void {
    const scaled = all.filter(
      ({ written, ids }) =>
        written !== undefined &&
        specs.some((spec) => isOf(written.value, spec)) &&
        ids.some(({ name }) => name === entry.name),
    );
    if (scaled.length === 0 && !this.isPartial) {
      const message = `entry: resource with name ${entry.name} does not match a config with the following GVK [${specs.map(printKinds).join(" ")}]`;
      this.problems.push(refusedAt(place, [...entry.path, "name"], message));
    }
    for (const resource of scaled)
      this.#set(resource, entry, place, (written, given) => {
        const count = partOf(given, "count") ?? { ...given, value: 0 };
        return changeFields(written, specs, count, () => count);
      });
  }

  /** A file may have several. */
  #replacementsOf({ file, path }: ReplacementEntry, place: EntryPlace): readonly Written[] {
    if (file === undefined) return [givenAt(place, path)];
    const uri = resolveUri(place.folder, file);
    const own = this.#from.findFile(uri);
    if (own === undefined || own.skipped !== undefined) {
      const message = `The replacement is not applied: ${file} is not among the files that are read`;
      this.#inform(place, [...path, "path"], message);
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
    place: EntryPlace,
    all: readonly Resource[],
  ): void {
    this.isChanged = true;
    const { replaced, problem } = replace(replacement, all, this.isPartial);
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
      resource.changedBy.push({ place, file: replacement.text.file, entry });
    }
  }

  #apply(place: EntryPlace, entry: PatchEntry, all: Resource[]): void {
    this.isChanged = true;
    const { patch, problems } = loadPatch(entry, place, this.#from.findFile);
    this.problems.push(...problems);
    if (patch === undefined) return;
    this.files.add(patch.file.uri);
    if (entry.file !== undefined) this.patches.add(patch.file.uri);
    const at: ChangePlace = { place, file: patch.file, entry };
    const { target } = patch;
    if (target === undefined) {
      for (const part of patch.parts) this.#mergeById(part, patch, at, all);
      return;
    }
    const selected = all.filter((one) => one.written !== undefined && target.selects(one));
    if (selected.length === 0 && !this.isPartial)
      this.problems.push({
        ...spanAt(place, [...entry.path, "target"]),
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
    else if (found.length > 1 || !this.isPartial) {
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

/** What an entry says itself, and what it goes to in all kustomizations. */
function fieldsFor({ fields, usual }: ForFields, lists: FieldLists): readonly FieldSpec[] {
  return usual === undefined ? fields : fieldSpecs.mergeSpecs(lists[usual], fields);
}

/** Upstream: kyaml resid.Gvk.String. */
function printKinds({ group, version, kind }: FieldSpec): string {
  return `${kind ?? "[noKind]"}.${version ?? "[noVer]"}.${group ?? "[noGrp]"}`;
}

/** The same for as long as the file is: what is known of its parts then holds. */
function wholeOf(file: WorkspaceFile, { yaml }: Kustomization): Written {
  const whole = wholes.get(file) ?? kustomizationWhole(file, yaml);
  wholes.set(file, whole);
  return whole;
}

const wholes = new WeakMap<WorkspaceFile, Written>();

/** Of a plugin that is written out. */
function inlineObjects(entry: PluginEntry, place: EntryPlace): readonly Written[] {
  const { inline } = entry;
  const known = inlinePlugins.get(entry);
  if (inline === undefined || known?.whole === place.whole) return known?.objects ?? [];
  const objects = textsInline(place, inline).flatMap((text) => {
    const { value } = text.yaml;
    return isRecord(value) ? [{ text, path: [], value: value as Json }] : [];
  });
  inlinePlugins.set(entry, { whole: place.whole, objects });
  return objects;
}

const inlinePlugins = new WeakMap<
  PluginEntry,
  { readonly whole: Written; readonly objects: readonly Written[] }
>();

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
