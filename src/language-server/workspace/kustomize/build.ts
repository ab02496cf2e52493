/**
 * What `kustomize build` makes of the objects of one kustomization: those of its resources and components, what it generates,
 * and how transformers change all of these. Upstream: kustomize v5.8 api/internal/target kusttarget.go accumulateTarget.
 */
import type { Json } from "../../../engine/api/json.ts";
import { isRecord } from "../../yaml/manifest.ts";
import { notText } from "../../yaml/not-text.ts";
import type { Path } from "../../yaml/place.ts";
import { readYamlDocument, type YamlDocument } from "../../yaml/yaml-document.ts";
import { baseName, isBelow, parentUri, resolveUri } from "../files/uri.ts";
import type { WorkspaceFile, WorkspaceObject } from "../workspace-object.ts";
import { BuildLog } from "./build-log.ts";
import { type EntryPlace, kustomizationWhole } from "./entry-place.ts";
import type { FieldLists } from "./field-specs.ts";
import * as fieldSpecs from "./field-specs.ts";
import { followNames } from "./follow-names.ts";
import type { GeneratedObject, GeneratorEntry } from "./generators.ts";
import type { HelmChartEntry } from "./helm-charts.ts";
import { addChart, type Inflate } from "./inflated-chart.ts";
import { withKnownNames } from "./known-names.ts";
import { checkConfiguration } from "./kustomization-check.ts";
import type { FileEntry, Kustomization, PluginEntry, Transformers } from "./kustomization-file.ts";
import { configurationType } from "./kustomization-type.ts";
import { type KustomizeProblem, outside, textsInline } from "./loaded-patch.ts";
import { type NameReference, nameReferences, readNameReferences } from "./name-references.ts";
import { type Plugin, readPlugin } from "./plugins.ts";
import {
  absorb,
  type ChangePlace,
  generatedNow,
  generatedResource,
  printCurrentId,
  type Resource,
  registeredId,
  resourceOf,
} from "./resource.ts";
import { withTextAnnotations } from "./set-fields.ts";
import { transform } from "./transform.ts";
import { mergeVars, mergeVarsOf, resolveVars, type Var, type VarProblem } from "./vars.ts";
import { kept, type Written } from "./written.ts";

/** What the files contain. */
export interface BuildFiles {
  readonly kustomizations: ReadonlyMap<string, Kustomization>;
  /** The kustomization in the folder that an entry of `resources` or `components` refers to; undefined if there is none. */
  kustomizationAt(from: string, path: string): string | undefined;
  /** All kustomizations in a folder; more than one is a mistake. */
  kustomizationsIn(folder: string): readonly string[];
  findFile(uri: string): WorkspaceFile | undefined;
  objectsOf(file: WorkspaceFile): readonly WorkspaceObject[];
  /** What Helm renders for an entry of a kustomization; undefined if there is no such chart. */
  readonly inflate: Inflate;
}

export interface BuiltObject {
  readonly entry: WorkspaceObject;
  /** Undefined if a patch removes it. */
  readonly written: Written | undefined;
  /** The entries that have changed it, in order. */
  readonly changedBy: readonly ChangePlace[];
  /** True if a patch for it could not be applied, so that its changes are missing. */
  readonly lacksPatch: boolean;
}

export interface Build {
  readonly objects: readonly BuiltObject[];
  /** Objects that are in no file; their names lack the content hash that kustomize appends. */
  readonly generated: readonly GeneratedObject[];
  /** URIs of all kustomizations and files that were read. */
  readonly files: ReadonlySet<string>;
  /** URIs of the files that contain patches, generators and transformers. */
  readonly patches: ReadonlySet<string>;
  /** True if any object may have been changed. */
  readonly isChanged: boolean;
  readonly problems: readonly KustomizeProblem[];
}

export function build(root: string, from: BuildFiles): Build {
  const run = new BuildRun(from);
  const { log } = run;
  const { resources, vars, fields } = run.accumulate(root, emptyParts(), []);
  for (const problem of followNames(resources, run.nameReferences)) log.problems.push(problem);
  tellVars(resolveVars(vars, resources, fields.varReference, log.isPartial), log);
  for (const resource of resources) {
    setTextAnnotations(resource);
    if (isForKustomizeAlone(resource)) resource.written = undefined;
    if (isOtherNow(resource)) log.isChanged = true;
  }
  const objects = resources.flatMap(({ entry, written, changedBy, lacksPatch }) =>
    entry === undefined ? [] : [{ entry, written, changedBy, lacksPatch }],
  );
  const generated = resources.flatMap(generatedNow);
  const { files, patches, isChanged, problems } = log;
  return { objects, generated, files, patches, isChanged, problems };
}

function tellVars(found: readonly VarProblem[], log: BuildLog): void {
  for (const { message, place, entry } of found)
    log.refuse(place, [...entry.path, "name"], `var: ${message}`);
}

function setTextAnnotations(resource: Resource): void {
  const { written } = resource;
  if (written === undefined) return;
  const now = withTextAnnotations(written);
  if (now !== written) resource.written = kept(written, withTextAnnotations, now);
}

/** True for objects that only provide values for others and do not reach the cluster. Upstream: kyaml kio/filters local.go. */
function isForKustomizeAlone({ annotations }: Resource): boolean {
  const local = annotations["config.kubernetes.io/local-config"];
  return local !== undefined && String(local) !== "false";
}

/** True if it differs from its file. */
function isOtherNow({ entry, written }: Resource): boolean {
  return entry !== undefined && written?.value !== entry.object.value;
}

/** What has been accumulated for a kustomization so far. */
interface Parts {
  readonly resources: Resource[];
  readonly vars: Map<string, Var>;
  /** Kustomize's own field lists, with additions by its configurations and those of its bases. */
  fields: FieldLists;
}

function emptyParts(): Parts {
  return { resources: [], vars: new Map(), fields: fieldSpecs.usualFields };
}

/** Kustomizations that name each other twice over make more objects than anybody can have meant. */
const stepCountMax = 100_000;

class BuildRun {
  readonly log = new BuildLog();
  /** The usual name references, and those from all configurations. */
  readonly nameReferences: NameReference[] = [...nameReferences];
  readonly #from: BuildFiles;
  #stepCount = 0;
  #hasGivenUp = false;

  constructor(from: BuildFiles) {
    this.#from = from;
  }

  /** Accumulates a kustomization into `there`. A component works directly on what the kustomization naming it has so far. */
  accumulate(uri: string, there: Parts, above: readonly string[]): Parts {
    const kustomization = this.#from.kustomizations.get(uri);
    const file = this.#from.findFile(uri);
    if (
      kustomization === undefined ||
      file === undefined ||
      above.includes(uri) ||
      !this.#mayGoOn(uri)
    ) {
      this.log.isPartial = true;
      return there;
    }
    this.log.files.add(uri);
    const inside = [...above, uri];
    const place = { whole: wholeOf(file, kustomization), folder: parentUri(uri) };
    this.#check(kustomization, place, above.length === 0);
    const own = kustomization.isComponent ? there : emptyParts();
    this.#addResources(kustomization, place, own, inside);
    for (const entry of kustomization.configurations)
      own.fields = this.#configured(entry, place, own.fields);
    this.#generate(place, kustomization, own, inside);
    for (const { file, path } of kustomization.components) {
      const component = this.#from.kustomizationAt(uri, file);
      if (component !== undefined) {
        this.#checkFolder(component, "component", place, path, inside);
        this.accumulate(component, own, inside);
      } else {
        this.log.isPartial = true;
        this.log.tellUnread(place, path, `Not judged: ${file}`);
      }
    }
    this.#transform(kustomization, place, own);
    for (const entry of kustomization.transformers)
      for (const plugin of this.#plugins(entry, "transformer", place, inside))
        if (plugin.type === "transformer") this.#transform(plugin.transformers, plugin.place, own);
    for (const entry of kustomization.validators) this.#validate(entry, place, inside);
    if (kustomization.vars.length > 0) this.log.isChanged = true;
    tellVars(mergeVars(kustomization.vars, place, own.resources, own.vars), this.log);
    if (!kustomization.isComponent) this.#merge(own, there);
    return there;
  }

  #check({ refusals, yaml }: Kustomization, place: EntryPlace, isRoot: boolean): void {
    for (const { path, message, isOfRoot } of refusals)
      if (isRoot || isOfRoot !== true) this.log.refuse(place, path, `kustomization: ${message}`);
    if (yaml.value === undefined) this.#tellUnreadable(yaml, place);
    if (this.#from.kustomizationsIn(place.folder).length > 1)
      this.log.refuse(place, [], "kustomization: Found multiple kustomization files in its folder");
  }

  /** Only reports the first mistake, because it causes the others. */
  #tellUnreadable({ problems, templateAt }: YamlDocument, { whole }: EntryPlace): void {
    const [first] = problems;
    const isTold = whole.text.file.manifest.isKubernetes;
    if (first === undefined || templateAt !== undefined || isTold) return;
    this.log.isPartial = true;
    const { message, start, end } = first;
    this.log.problems.push({
      ...{ uri: whole.text.file.uri, start, end, severity: "error" },
      message: `kustomize refuses the kustomization: it is no YAML. ${message}`,
    });
  }

  /** Upstream: KustTarget.accumulateDirectory, fileLoader.errIfGitContainmentViolation and seenBefore. */
  #checkFolder(
    uri: string,
    role: "component" | "resource",
    place: EntryPlace,
    path: Path,
    inside: readonly string[],
  ): void {
    const folder = parentUri(uri);
    const isComponent = this.#from.kustomizations.get(uri)?.isComponent === true;
    const name = baseName(folder);
    if (inside.some((one) => parentUri(one) === folder || isBelow(one, folder)))
      this.log.refuse(
        place,
        path,
        `${role}: cycle detected: '${name}' is or contains a folder that names it`,
      );
    else if (isComponent && role === "resource")
      this.log.refuse(place, path, `resource: expected kind != 'Component' for path '${name}'`);
    else if (!isComponent && role === "component")
      this.log.refuse(
        place,
        path,
        `component: expected kind 'Component' for path '${name}' but got 'Kustomization'`,
      );
  }

  #generate(
    place: EntryPlace,
    kustomization: Kustomization,
    { resources }: Parts,
    inside: readonly string[],
  ): void {
    const { uri } = place.whole.text.file;
    const add = (entry: HelmChartEntry, at: EntryPlace): void =>
      addChart(entry, {
        ...{ place: at, resources, log: this.log, from: this.#from },
        mayGoOn: () => this.#mayGoOn(uri),
      });
    this.#tellUnknown(kustomization, place);
    for (const one of kustomization.generated) this.#absorb(one, place, resources);
    // Entries of an unreadable kustomization are unknown.
    const isRead = kustomization.refusals.length === 0;
    if (!isRead && kustomization.helmCharts.length > 0) this.log.isPartial = true;
    for (const entry of isRead ? kustomization.helmCharts : []) add(entry, place);
    for (const entry of kustomization.generators)
      for (const plugin of this.#plugins(entry, "generator", place, inside))
        if (plugin.type === "generator") this.#absorb(plugin.generator, plugin.place, resources);
        else if (plugin.type === "chart") add(plugin.chart, plugin.place);
  }

  #absorb(generator: GeneratorEntry, place: EntryPlace, resources: Resource[]): void {
    const { path, object, refusals } = generator;
    for (const refusal of refusals)
      this.log.refuse(place, refusal.path, `generator: ${refusal.message}`);
    if (object === undefined) return;
    const why = absorb(resources, generatedResource(object, place));
    if (why !== undefined && !this.log.isPartial)
      this.log.refuse(place, [...path, "name"], `generator: ${why}`);
  }

  /** What a validator does is unknown here; only checks whether kustomize accepts it. Upstream: KustTarget.runValidators. */
  #validate(entry: PluginEntry, place: EntryPlace, inside: readonly string[]): void {
    const plugins = this.#plugins(entry, "validator", place, inside);
    if (plugins.some(({ type }) => type === "transformer"))
      this.log.inform(
        place,
        entry.path,
        "Not heeded: a validator changes nothing, and whether it would is not looked at here",
      );
  }

  #merge(from: Parts, into: Parts): void {
    for (const resource of from.resources) into.resources.push(resource);
    into.fields = fieldSpecs.mergeLists(into.fields, from.fields);
    tellVars(mergeVarsOf(from.vars, into.vars), this.log);
  }

  /** Reports parts that cannot be known here; the build is then partial, so that nothing they may contain counts as missing. */
  #tellUnknown({ remote, oldCharts, schemas }: Kustomization, place: EntryPlace): void {
    if (remote.length > 0 || oldCharts !== undefined) this.log.isPartial = true;
    for (const path of remote)
      this.log.inform(
        place,
        path,
        "Not judged: what is at this address is not fetched. Copy it into the workspace, as `kustomize localize` does, and name the copy here",
      );
    if (oldCharts !== undefined)
      this.log.inform(
        place,
        oldCharts,
        "Not judged: charts are rendered where `helmCharts` names them, which has taken this field's place",
      );
    for (const path of schemas)
      this.log.inform(
        place,
        path,
        path[0] === "crds"
          ? "Not heeded: where custom resources have names, labels and annotations. What kustomize changes in them is not judged"
          : "Not heeded: patches are merged by Kubernetes' own schema here. Lists that this file gives no merge keys are replaced by kustomize",
      );
  }

  /** The plugins in a file, in a folder with its own kustomization, or inline in the kustomization. */
  #plugins(
    entry: PluginEntry,
    role: "transformer" | "generator" | "validator",
    place: EntryPlace,
    inside: readonly string[],
  ): readonly (Plugin & { readonly place: EntryPlace })[] {
    const mayChange = role !== "validator";
    this.log.isChanged ||= mayChange;
    const configs =
      entry.inline === undefined
        ? this.#pluginsIn(entry.file ?? "", place, inside)
        : inlineObjects(entry, place);
    if (configs === undefined) {
      this.log.isPartial ||= mayChange;
      this.log.tellUnread(place, entry.path, `The ${role} is not applied: ${entry.file}`);
      return [];
    }
    return configs.map((whole) => {
      const plugin = readPlugin(whole, role === "validator" ? "transformer" : role);
      const at = { whole, folder: place.folder };
      if (plugin.type === "refused") {
        this.log.isPartial ||= mayChange;
        const { message, isProgram } = plugin;
        const advice =
          ". Save what the program makes, and name that file in `resources` or `patches`";
        this.log.refuse(at, ["kind"], `${role}: ${message}${isProgram && mayChange ? advice : ""}`);
      }
      if (plugin.type === "unknown") {
        this.log.isPartial ||= mayChange;
        this.log.inform(at, ["kind"], `Not judged: what a ${plugin.kind} does is not known here`);
      }
      return { ...plugin, place: at };
    });
  }

  /** Undefined if nothing can be read there. */
  #pluginsIn(
    path: string,
    { folder, whole }: EntryPlace,
    inside: readonly string[],
  ): readonly Written[] | undefined {
    const { uri } = whole.text.file;
    const own = this.#from.kustomizationAt(uri, path);
    const file = this.#from.findFile(resolveUri(folder, path));
    if (own === undefined && (file === undefined || file.skipped !== undefined)) return undefined;
    const before = new Set(this.log.files);
    const parts = emptyParts();
    this.#addResource(uri, path, parts, inside);
    for (const one of this.log.files)
      if (!before.has(one) && !this.#from.kustomizations.has(one)) this.log.patches.add(one);
    return parts.resources.flatMap(({ written }) => written ?? []);
  }

  #mayGoOn(uri: string): boolean {
    this.#stepCount++;
    if (this.#stepCount >= stepCountMax && !this.#hasGivenUp) {
      this.#hasGivenUp = true;
      this.log.problems.push({
        uri,
        start: 0,
        end: 0,
        message: "Kustomizations name each other so often that not all are followed",
        severity: "warning",
      });
    }
    return !this.#hasGivenUp && !this.log.isSpent;
  }

  /** Upstream: KustTarget.accumulateResources. */
  #addResources(
    { resources }: Kustomization,
    place: EntryPlace,
    own: Parts,
    inside: readonly string[],
  ): void {
    const { uri } = place.whole.text.file;
    const seen = new Set<string>(own.resources.flatMap((there) => registeredId(there) ?? []));
    for (const { file, path } of resources) {
      const before = own.resources.length;
      const folder = this.#from.kustomizationAt(uri, file);
      const named = this.#from.findFile(resolveUri(place.folder, file));
      if (folder !== undefined) this.#checkFolder(folder, "resource", place, path, inside);
      else if (named !== undefined) this.#checkFile(named, place, path);
      if (!this.#addResource(uri, file, own, inside))
        this.log.tellUnread(place, path, `Not judged: ${file}`);
      const twice = own.resources.slice(before).find((added) => {
        const id = registeredId(added);
        return id !== undefined && seen.size === seen.add(id).size;
      });
      if (twice !== undefined) this.log.refuse(place, path, `resource: ${alreadyThere(twice)}`);
    }
  }

  #checkFile(file: WorkspaceFile, place: EntryPlace, path: Path): void {
    this.log.problems.push(...outside(place, path, file));
    if (file.manifest.text.includes(notText))
      this.log.refuse(place, path, "resource: MalformedYAMLError: bytes that are no UTF-8");
  }

  /** Returns false if there is nothing at the path. */
  #addResource(uri: string, path: string, own: Parts, inside: readonly string[]): boolean {
    const folder = this.#from.kustomizationAt(uri, path);
    if (folder !== undefined) {
      this.#merge(this.accumulate(folder, emptyParts(), inside), own);
      return true;
    }
    const file = this.#from.findFile(resolveUri(parentUri(uri), path));
    const isRead = file?.skipped === undefined && file?.manifest.templateAt === undefined;
    if (file === undefined || !isRead) {
      this.log.isPartial = true;
      return file !== undefined;
    }
    this.log.files.add(file.uri);
    if (file.manifest.documents.some(({ yaml }) => yaml.value === undefined))
      this.log.isPartial = true;
    for (const entry of this.#from.objectsOf(file))
      if (this.#mayGoOn(uri)) own.resources.push(resourceOf(entry));
    return true;
  }

  #configured({ file: name, path }: FileEntry, place: EntryPlace, fields: FieldLists): FieldLists {
    const file = this.#from.findFile(resolveUri(place.folder, name));
    if (file === undefined) {
      this.log.tellUnread(place, path, `Not heeded: ${name}`);
      return fields;
    }
    this.log.files.add(file.uri);
    const yaml = withKnownNames(readYamlDocument(file.manifest.text), configurationType);
    const own: EntryPlace = { whole: kustomizationWhole(file, yaml), folder: place.folder };
    for (const refusal of checkConfiguration(yaml))
      this.log.refuse(own, refusal.path, `configuration: ${refusal.message}`);
    for (const list of fieldSpecs.conflictsIn(fields, yaml.value))
      this.log.refuse(
        own,
        [list],
        `configuration: failed to merge ${list} fieldSpec: conflicting fieldspecs`,
      );
    for (const reference of readNameReferences(yaml.value)) this.nameReferences.push(reference);
    return fieldSpecs.withConfigured(fields, yaml.value);
  }

  #transform(transformers: Transformers, place: EntryPlace, { resources, fields }: Parts): void {
    this.#stepCount += resources.length;
    const { findFile } = this.#from;
    transform(transformers, { place, resources, fields, log: this.log, findFile });
  }
}

function alreadyThere(resource: Resource): string {
  return `may not add resource with an already registered id: ${printCurrentId(resource)}`;
}

/** The same object as long as the file is, so that caches keyed by its parts stay valid. */
function wholeOf(file: WorkspaceFile, { yaml }: Kustomization): Written {
  const whole = wholes.get(file) ?? kustomizationWhole(file, yaml);
  wholes.set(file, whole);
  return whole;
}

const wholes = new WeakMap<WorkspaceFile, Written>();

/** The objects of an inline plugin. */
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
