/** Reads one kustomization, as far as it affects the manifests beside it. Upstream: kustomize api/types/kustomization.go. */

import { goPattern, type Matches } from "../../go-pattern.ts";
import { isRecord, valueAt } from "../../yaml/manifest.ts";
import type { ManifestFile } from "../../yaml/manifest-file.ts";
import type { Path } from "../../yaml/place.ts";
import { readYamlDocument, type YamlDocument } from "../../yaml/yaml-document.ts";
import type { FieldList, FieldSpec } from "./field-specs.ts";
import * as fieldSpecs from "./field-specs.ts";
import { type GeneratorEntry, generatorOf } from "./generators.ts";
import { type HelmChartEntry, helmChartOf } from "./helm-charts.ts";
import { withKnownNames } from "./known-names.ts";
import { checkKustomization, type Refusal } from "./kustomization-check.ts";
import { kustomizationType } from "./kustomization-type.ts";

/** Paths to files are relative to its folder. */
export interface Kustomization extends Transformers {
  readonly yaml: YamlDocument;
  readonly isComponent: boolean;
  /** Why kustomize refuses it. */
  readonly refusals: readonly Refusal[];
  /** Files and folders. */
  readonly resources: readonly FileEntry[];
  /** Paths of entries that are a URL instead of a file or folder. */
  readonly remote: readonly Path[];
  readonly helmCharts: readonly HelmChartEntry[];
  /** Path of the deprecated field for charts, if it is used. */
  readonly oldCharts: Path | undefined;
  readonly components: readonly FileEntry[];
  readonly generated: readonly GeneratorEntry[];
  readonly generators: readonly PluginEntry[];
  readonly transformers: readonly PluginEntry[];
  readonly validators: readonly PluginEntry[];
  /** Paths of fields that name schemas: `crds` for custom resources, `openapi` for all. */
  readonly schemas: readonly Path[];
  /** Files that add to the fields that are changed. */
  readonly configurations: readonly FileEntry[];
  readonly vars: readonly VarEntry[];
}

/** How a kustomization, or a separate transformer file, changes all objects. */
export interface Transformers {
  /** Patches before names and labels are changed, and after; from different lists. */
  readonly patches: readonly PatchEntry[];
  readonly latePatches: readonly PatchEntry[];
  readonly namespace: NamespaceEntry | undefined;
  readonly namePrefix: TextEntry | undefined;
  readonly nameSuffix: TextEntry | undefined;
  /** Labels, then annotations, in order. */
  readonly pairs: readonly PairsEntry[];
  readonly replicas: readonly ReplicasEntry[];
  readonly images: readonly ImageEntry[];
  readonly replacements: readonly ReplacementEntry[];
}

/** A part of a kustomization that changes objects; the same object until the kustomization changes. */
export interface KustomizationEntry {
  readonly path: Path;
}

/** A named file or folder. */
export interface FileEntry extends KustomizationEntry {
  readonly file: string;
}

/** The fields that an entry's value is written to. */
export interface ForFields {
  /** Fields in the entry itself. */
  readonly fields: readonly FieldSpec[];
  /** Kustomize's own field lists, with additions from configurations, that also apply. */
  readonly usual?: readonly FieldList[];
}

export interface TextEntry extends KustomizationEntry, ForFields {
  readonly text: string;
}

export interface ImageEntry extends KustomizationEntry, ForFields {
  readonly matches: Matches;
  readonly newName: string | undefined;
  readonly newTag: string | undefined;
  readonly digest: string | undefined;
  readonly tagSuffix: string | undefined;
}

export interface NamespaceEntry extends TextEntry {
  /** True if existing namespaces are kept. */
  readonly unsetOnly: boolean;
}

/** A mapping that is merged into those in the fields. */
export interface PairsEntry extends KustomizationEntry, ForFields {}

export interface ReplicasEntry extends KustomizationEntry, ForFields {
  readonly name: string;
}

/** A file or folder with generators or transformers, or an inline one. */
export interface PluginEntry extends KustomizationEntry {
  readonly file?: string;
  readonly inline?: InlinePatch;
}

/** A variable for the value of a field, used in texts as `$(NAME)`. */
export interface VarEntry extends KustomizationEntry {
  readonly name: string;
  readonly apiVersion: string;
  readonly kind: string;
  readonly objectName: string;
  readonly namespace: string;
  readonly fieldPath: string;
}

export interface ReplacementEntry extends KustomizationEntry {
  /** Set if the replacement is in a separate file. */
  readonly file: string | undefined;
}

/** An inline text, and its path. */
export interface InlinePatch {
  readonly text: string;
  readonly path: Path;
}

export interface PatchEntry extends KustomizationEntry {
  readonly file?: string;
  readonly inline?: InlinePatch;
  /** Which objects it is for; without a target, the patch contains the object's kind and name. */
  readonly target?: Fields;
  readonly changesName: boolean;
  readonly changesKind: boolean;
  /** True in lists that only allow operations (RFC 6902), no merge patch. */
  readonly isOfOperations?: boolean;
  /** True in lists that only allow merge patches. */
  readonly isOfParts?: boolean;
}

export type Fields = Readonly<Record<string, unknown>>;

export function readKustomization({ text }: Pick<ManifestFile, "text">): Kustomization {
  const yaml = withKnownNames(readYamlDocument(text), kustomizationType);
  const root: Fields = isRecord(yaml.value) ? yaml.value : {};
  return {
    yaml,
    isComponent: root["kind"] === "Component",
    refusals: checkKustomization(yaml),
    resources: local([...filesIn(root, "resources"), ...filesIn(root, "bases")]),
    remote: ["resources", "bases", "components"].flatMap((list) =>
      filesIn(root, list)
        .filter(({ file }) => isRemote(file))
        .map(({ path }) => path),
    ),
    helmCharts: entriesOf(root, "helmCharts").map((entry) =>
      helmChartOf(entry, root["helmGlobals"]),
    ),
    oldCharts:
      root["helmChartInflationGenerator"] === undefined
        ? undefined
        : ["helmChartInflationGenerator"],
    components: local(filesIn(root, "components")),
    generated: [
      ...entriesOf(root, "configMapGenerator").map((one) => generatorOf(one, "ConfigMap")),
      ...entriesOf(root, "secretGenerator").map((one) => generatorOf(one, "Secret")),
    ],
    generators: entriesOf(root, "generators").flatMap(pluginOf),
    transformers: entriesOf(root, "transformers").flatMap(pluginOf),
    validators: entriesOf(root, "validators").flatMap(pluginOf),
    schemas: [["crds"], ["openapi", "path"]].filter((path) => valueAt(root, path) !== undefined),
    configurations: filesIn(root, "configurations"),
    vars: entriesOf(root, "vars").flatMap(varOf),
    patches: [
      ...entriesOf(root, "patchesStrategicMerge").map(mergePatch),
      ...entriesOf(root, "patches").flatMap(patchOf),
    ],
    latePatches: entriesOf(root, "patchesJson6902")
      .flatMap(patchOf)
      .map((entry) => ({ ...entry, isOfOperations: true })),
    namespace: textEntry(root, ["namespace"], {
      unsetOnly: false,
      fields: [],
      usual: ["namespace"],
    }),
    namePrefix: textEntry(root, ["namePrefix"], { fields: [], usual: ["namePrefix"] }),
    nameSuffix: textEntry(root, ["nameSuffix"], { fields: [], usual: ["nameSuffix"] }),
    pairs: [
      ...entriesOf(root, "labels").flatMap(labelsOf),
      { path: ["commonLabels"], fields: [], usual: ["commonLabels"] as const },
      { path: ["commonAnnotations"], fields: [], usual: ["commonAnnotations"] as const },
    ].filter(({ path }) => Object.keys(valueAt(root, path) ?? {}).length > 0),
    replicas: entriesOf(root, "replicas").flatMap((entry) =>
      replicasOf(entry, { fields: [], usual: ["replicas"] }),
    ),
    images: ["images", "imageTags"]
      .flatMap((list) => entriesOf(root, list))
      .flatMap((entry) => imagesOf(entry, { fields: [], usual: ["images"] })),
    replacements: replacementsOf(root),
  };
}

function filesIn(root: Fields, list: string): readonly FileEntry[] {
  return entriesOf(root, list).flatMap(({ value, path }) =>
    typeof value === "string" ? [{ path, file: value }] : [],
  );
}

function local(entries: readonly FileEntry[]): readonly FileEntry[] {
  return entries.filter(({ file }) => !isRemote(file));
}

/** Upstream: kustomize api/internal/git repospec.go NewRepoSpecFromURL, api/internal/loader IsRemoteFile. */
function isRemote(path: string): boolean {
  return /^(?:[a-z][a-z+.-]*:|git@|(?:www\.)?github\.com[/:])|\.git(?:$|[/?])|[?&]ref=/i.test(path);
}

export interface Entry {
  readonly value: unknown;
  readonly path: Path;
}

export function entriesOf(root: Fields, list: string): readonly Entry[] {
  const entries: readonly unknown[] = Array.isArray(root[list]) ? root[list] : [];
  return entries.map((value, index) => ({ value, path: [list, index] }));
}

/** The entry is a file name, or the patch itself. */
export function mergePatch({ value, path }: Entry): PatchEntry {
  const text = typeof value === "string" ? value : "";
  const written = text.includes("\n") || text.includes("{");
  return {
    path,
    ...(written ? { inline: { text, path } } : { file: text }),
    changesName: false,
    changesKind: false,
    isOfParts: true,
  };
}

export function patchOf({ value, path }: Entry): readonly PatchEntry[] {
  if (!isRecord(value)) return [];
  const { patch, target, options } = value;
  const file = textAt(value, "path");
  const text = typeof patch === "string" ? patch.trim() : "";
  const asked: Fields = isRecord(options) ? options : {};
  return [
    {
      path,
      ...(file !== undefined && { file }),
      ...(text !== "" && { inline: { text: String(patch), path: [...path, "patch"] } }),
      ...(isRecord(target) && { target }),
      changesName: asked["allowNameChange"] === true,
      changesKind: asked["allowKindChange"] === true,
    },
  ];
}

/** `fields` may add fields of kinds that kustomize does not know. */
function labelsOf({ value, path }: Entry): readonly PairsEntry[] {
  if (!isRecord(value)) return [];
  const own = fieldSpecs.readFieldSpecs(value["fields"]);
  const at = { path: [...path, "pairs"] };
  if (value["includeSelectors"] === true)
    return [{ ...at, fields: own, usual: ["labels", "commonLabels"] }];
  const fields = [...own, ...fieldSpecs.ownLabels];
  if (value["includeTemplates"] === true)
    return [{ ...at, fields, usual: ["labels", "templateLabels"] }];
  return [{ ...at, fields, usual: ["labels"] }];
}

export function replicasOf({ value, path }: Entry, fields: ForFields): readonly ReplicasEntry[] {
  const name = isRecord(value) ? textAt(value, "name") : undefined;
  return name === undefined ? [] : [{ path, name, ...fields }];
}

/** The name is a pattern; an invalid one matches nothing. Upstream: api/internal/image IsImageMatched. */
export function imagesOf({ value, path }: Entry, fields: ForFields): readonly ImageEntry[] {
  const name = isRecord(value) ? textAt(value, "name") : undefined;
  if (!isRecord(value) || name === undefined) return [];
  const pattern = `^${name}(:[a-zA-Z0-9_.{}-]*)?(@sha256:[a-zA-Z0-9_.{}-]*)?$`;
  const matches = goPattern(pattern, "part");
  if (typeof matches === "string") return [];
  const [newName, newTag, digest, tagSuffix] = [
    textAt(value, "newName"),
    textAt(value, "newTag"),
    textAt(value, "digest"),
    textAt(value, "tagSuffix"),
  ];
  return [{ path, matches, newName, newTag, digest, tagSuffix, ...fields }];
}

export function replacementsOf(root: Fields): readonly ReplacementEntry[] {
  return entriesOf(root, "replacements").flatMap(({ value, path }) =>
    isRecord(value) ? [{ path, file: textAt(value, "path") }] : [],
  );
}

/** A path is a single line; an inline object is not. */
function pluginOf({ value, path }: Entry): readonly PluginEntry[] {
  if (typeof value !== "string") return [];
  const isInline = value.includes("\n") || value.includes("{");
  return [{ path, ...(isInline ? { inline: { text: value, path } } : { file: value }) }];
}

/** Upstream: kustomize api/types/var.go. */
function varOf({ value, path }: Entry): readonly VarEntry[] {
  const name = isRecord(value) ? textAt(value, "name") : undefined;
  if (!isRecord(value) || name === undefined) return [];
  const object: Fields = isRecord(value["objref"]) ? value["objref"] : {};
  const field: Fields = isRecord(value["fieldref"]) ? value["fieldref"] : {};
  const [group, version = ""] = [textAt(object, "group"), textAt(object, "version")];
  const apiVersion = group === undefined ? version : `${group}/${version}`;
  return [
    {
      path,
      name,
      apiVersion: textAt(object, "apiVersion") ?? apiVersion,
      kind: textAt(object, "kind") ?? "",
      objectName: textAt(object, "name") ?? "",
      namespace: textAt(object, "namespace") ?? "",
      fieldPath: textAt(field, "fieldpath") ?? textAt(field, "fieldPath") ?? "metadata.name",
    },
  ];
}

/** Undefined if there is no such text. */
export function textEntry<T extends object>(
  root: Fields,
  path: Path,
  more: T,
): (KustomizationEntry & { readonly text: string } & T) | undefined {
  const text = valueAt(root, path);
  return typeof text === "string" && text !== "" ? { path, text, ...more } : undefined;
}

/** Also undefined if the text is empty. */
function textAt(fields: Fields, name: string): string | undefined {
  const text = fields[name];
  return typeof text === "string" && text !== "" ? text : undefined;
}
