/**
 * One kustomization by itself, as far as it matters for what becomes of the manifests beside it. Upstream: kustomize
 * api/types/kustomization.go.
 */

import { isRecord, valueAt } from "../../yaml/manifest.ts";
import type { ManifestFile } from "../../yaml/manifest-file.ts";
import type { Path } from "../../yaml/place.ts";
import { readYamlDocument, type YamlDocument } from "../../yaml/yaml-document.ts";
import { baseName } from "../uri.ts";
import type { FieldSpec } from "./field-specs.ts";
import * as fieldSpecs from "./field-specs.ts";

/** Paths to files are relative to its folder. */
export interface Kustomization {
  readonly yaml: YamlDocument;
  readonly isComponent: boolean;
  /** Files and folders. */
  readonly resources: readonly string[];
  readonly components: readonly string[];
  /** By the lists that they stand in: before the names and labels are changed, and after. */
  readonly patches: readonly PatchEntry[];
  readonly latePatches: readonly PatchEntry[];
  readonly generated: readonly GeneratedObject[];
  /** Files that say which fields are changed beside the usual ones. */
  readonly configurations: readonly string[];
  /** Whether it makes objects that are in no file: of charts, or by programs. */
  readonly makesMore: boolean;
  readonly namespace: TextEntry | undefined;
  readonly namePrefix: TextEntry | undefined;
  readonly nameSuffix: TextEntry | undefined;
  /** Labels, then annotations, in their order. */
  readonly pairs: readonly PairsEntry[];
  readonly replicas: readonly ReplicasEntry[];
  readonly replacements: readonly ReplacementEntry[];
}

/** A part of a kustomization that changes objects; the same until the kustomization changes. */
export interface KustomizationEntry {
  readonly path: Path;
}

export interface TextEntry extends KustomizationEntry {
  readonly text: string;
}

/** A mapping that is laid over those in the fields. */
export interface PairsEntry extends KustomizationEntry {
  readonly fields: readonly FieldSpec[];
}

export interface ReplicasEntry extends KustomizationEntry {
  readonly name: string;
}

export interface ReplacementEntry extends KustomizationEntry {
  /** Where it does not stand in the entry itself. */
  readonly file: string | undefined;
}

/** A kustomization gives it a longer name, and that name to whatever names it. */
export interface GeneratedObject {
  /** ConfigMap or Secret. */
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
  /** Undefined where they are in files that are not read. */
  readonly keys: readonly string[] | undefined;
  /** What it holds, as far as the kustomization itself says it. */
  readonly literals: Readonly<Record<string, string>>;
}

/** A patch that is written out, and where. */
export interface InlinePatch {
  readonly text: string;
  readonly path: Path;
}

export interface PatchEntry extends KustomizationEntry {
  readonly file?: string;
  readonly inline?: InlinePatch;
  /** Where it says itself what it is for; otherwise it holds the object's kind and name. */
  readonly target?: Fields;
  readonly changesName: boolean;
  readonly changesKind: boolean;
}

export type Fields = Readonly<Record<string, unknown>>;

export function readKustomization({ text }: ManifestFile): Kustomization {
  const yaml = readYamlDocument(text);
  const root: Fields = isRecord(yaml.value) ? yaml.value : {};
  return {
    yaml,
    isComponent: root["kind"] === "Component",
    resources: [...textsOf(root["resources"]), ...textsOf(root["bases"])],
    components: textsOf(root["components"]),
    patches: [
      ...entriesOf(root, "patchesStrategicMerge").map(mergePatch),
      ...entriesOf(root, "patches").flatMap(patchOf),
    ],
    latePatches: entriesOf(root, "patchesJson6902").flatMap(patchOf),
    generated: [...generatedBy(root, "ConfigMap"), ...generatedBy(root, "Secret")],
    makesMore: ["generators", "transformers", "helmCharts", "helmChartInflationGenerator"].some(
      (field) => root[field] !== undefined,
    ),
    configurations: textsOf(root["configurations"]),
    namespace: textEntry(root, "namespace"),
    namePrefix: textEntry(root, "namePrefix"),
    nameSuffix: textEntry(root, "nameSuffix"),
    pairs: [
      ...entriesOf(root, "labels").flatMap(labelsOf),
      { path: ["commonLabels"], fields: fieldSpecs.labelsAndSelectors },
      { path: ["commonAnnotations"], fields: fieldSpecs.annotations },
    ].filter(({ path }) => isRecord(valueAt(root, path))),
    replicas: entriesOf(root, "replicas").flatMap(({ value, path }) => {
      const name = isRecord(value) ? textAt(value, "name") : undefined;
      return name === undefined ? [] : [{ path, name }];
    }),
    replacements: entriesOf(root, "replacements").flatMap(({ value, path }) =>
      isRecord(value) ? [{ path, file: textAt(value, "path") }] : [],
    ),
  };
}

interface Entry {
  readonly value: unknown;
  readonly path: Path;
}

function entriesOf(root: Fields, list: string): readonly Entry[] {
  const entries: readonly unknown[] = Array.isArray(root[list]) ? root[list] : [];
  return entries.map((value, index) => ({ value, path: [list, index] }));
}

/** A file, or the patch itself. */
function mergePatch({ value, path }: Entry): PatchEntry {
  const text = typeof value === "string" ? value : "";
  const written = text.includes("\n") || text.includes("{");
  return {
    path,
    ...(written ? { inline: { text, path } } : { file: text }),
    changesName: false,
    changesKind: false,
  };
}

function patchOf({ value, path }: Entry): readonly PatchEntry[] {
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

/** Fields of kinds that kustomize does not know may be named beside those that it does. */
function labelsOf({ value, path }: Entry): readonly PairsEntry[] {
  if (!isRecord(value)) return [];
  const known =
    value["includeSelectors"] === true
      ? fieldSpecs.labelsAndSelectors
      : value["includeTemplates"] === true
        ? fieldSpecs.templateLabels
        : fieldSpecs.ownLabels;
  const own = fieldSpecs.readFieldSpecs(value["fields"]);
  return [{ path: [...path, "pairs"], fields: [...own, ...known] }];
}

function generatedBy(root: Fields, kind: "ConfigMap" | "Secret"): readonly GeneratedObject[] {
  const list = root[kind === "ConfigMap" ? "configMapGenerator" : "secretGenerator"];
  return recordsOf(list).flatMap((fields) => {
    const name = textAt(fields, "name");
    if (name === undefined) return [];
    const namespace = textAt(fields, "namespace") ?? "default";
    return [{ kind, namespace, name, keys: keysOf(fields), literals: literalsOf(fields) }];
  });
}

/** `key=value`, with or without quotes. */
function literalsOf(fields: Fields): Readonly<Record<string, string>> {
  return Object.fromEntries(
    textsOf(fields["literals"]).flatMap((literal) => {
      const [, key = "", , value = ""] = /^([^=]+)=(["']?)(.*)\2$/s.exec(literal) ?? [];
      return key === "" ? [] : [[key, value]];
    }),
  );
}

/** Of the literals, a file's name or `key=file`. */
function keysOf(fields: Fields): readonly string[] | undefined {
  if (fields["env"] !== undefined || fields["envs"] !== undefined) return undefined;
  return [
    ...Object.keys(literalsOf(fields)),
    ...textsOf(fields["files"]).map((file) =>
      file.includes("=") ? (file.split("=")[0] ?? "") : baseName(file),
    ),
  ].filter((key) => key !== "");
}

function textEntry(root: Fields, field: string): TextEntry | undefined {
  const text = textAt(root, field);
  return text === undefined ? undefined : { path: [field], text };
}

/** Undefined where it is empty as well. */
function textAt(fields: Fields, name: string): string | undefined {
  const text = fields[name];
  return typeof text === "string" && text !== "" ? text : undefined;
}

function recordsOf(list: unknown): readonly Fields[] {
  return Array.isArray(list) ? list.filter(isRecord) : [];
}

function textsOf(list: unknown): readonly string[] {
  return Array.isArray(list) ? list.filter((item) => typeof item === "string") : [];
}
