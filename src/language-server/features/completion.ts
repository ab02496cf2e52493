/** Completion: finds out where the cursor is, then asks each part in completion/ what may stand there. */
import { isKind } from "../../engine/api/meta.ts";
import { newestVersion } from "../../engine/scenario.ts";
import type { Analysis } from "../analysis.ts";
import { inPlace } from "../completion/in-place.ts";
import type { Item, Source } from "../completion/item.ts";
import { kustomizationItems } from "../completion/kustomization-items.ts";
import { labelItems } from "../completion/label-items.ts";
import { mapKeyItems } from "../completion/map-key-items.ts";
import { namespaceItems, podVolumeItems, referenceItems } from "../completion/name-items.ts";
import { parameterItems } from "../completion/parameter-items.ts";
import { type Probe, probe } from "../completion/probe.ts";
import { projectItems } from "../completion/project-items.ts";
import { quantityItems } from "../completion/quantity-items.ts";
import { scenarioItems } from "../completion/scenario-items.ts";
import {
  enumItems,
  fieldItems,
  firstFields,
  kindItems,
  versionItems,
} from "../completion/schema-items.ts";
import { snippetItems } from "../completion/snippet-items.ts";
import { projectFileName } from "../project/project-file.ts";
import { isScenarioUri } from "../scenarios/scenario-file.ts";
import { lastUpTo } from "../sorted.ts";
import { baseName } from "../workspace/files/uri.ts";
import { isKustomization } from "../workspace/kustomize.ts";
import type { WorkspaceFile } from "../workspace/workspace-object.ts";
import { contentSpan } from "../yaml/locate.ts";
import { documentAt } from "../yaml/manifest-file.ts";
import type { Span } from "../yaml/place.ts";
import { type ItemDocument, itemsOf, type YamlDocument } from "../yaml/yaml-document.ts";

export interface Completion extends Item {
  /** The text that is replaced; offsets in the file. */
  readonly replace: Span;
}

/** Returns nothing at a place where no part has anything to offer. */
export function completions(
  analysis: Analysis | undefined,
  file: WorkspaceFile,
  offset: number,
): readonly Completion[] {
  const { text } = file.manifest;
  if (baseName(file.uri) === projectFileName)
    return fromProbes(file, probe(text, offset), 0, (at) => projectItems(analysis, at));
  if (isScenarioUri(file.uri))
    return fromProbes(file, probe(text, offset), 0, (at) => scenarioItems(analysis, file, at));
  if (isKustomization(file.uri))
    return fromProbes(file, probe(text, offset), 0, (at) => kustomizationItems(analysis, file, at));
  const found = documentAt(file.manifest, offset);
  const start = found?.start ?? 0;
  const source = found === undefined ? text : found.document.yaml.text;
  const item = found && itemHolding(found.document.yaml, offset - start);
  if (item !== undefined) {
    const from = start + item.start;
    return fromProbes(file, probe(item.yaml.text, offset - from), from, (at) =>
      manifestItems(analysis, inList(at)),
    );
  }
  return fromProbes(file, probe(source, offset - start), start, (at) =>
    manifestItems(analysis, at),
  );
}

/** The item of a long List that holds the offset; an indented place after the item's last line still belongs to it. */
function itemHolding(document: YamlDocument, offset: number): ItemDocument | undefined {
  const items = itemsOf(document) ?? [];
  const item = items[lastUpTo(offset, items, ({ start }) => start)];
  if (item === undefined) return undefined;
  const { text } = item.yaml;
  const inItem = offset - item.start;
  const column = contentSpan(text).start;
  const before = text.slice(text.lastIndexOf("\n", inItem - 1) + 1, inItem);
  const isInside = before.length >= column || before.trim() !== "";
  return inItem <= text.length && isInside ? item : undefined;
}

/** Pretends that the item is the first of its List: the other items do not change what may stand here. */
function inList(at: Probe): Probe {
  const { object } = at;
  const path = ["items", 0];
  const there = object !== undefined && { object: { ...object, path } };
  return { ...at, path: [...path, ...at.path], ...there };
}

/** The items of the first probe that has any. */
function fromProbes(
  { uri, manifest: { text } }: WorkspaceFile,
  probes: Iterable<Probe>,
  offset: number,
  items: (at: Probe) => readonly Item[],
): readonly Completion[] {
  for (const at of probes) {
    const replace = { start: at.word.start + offset, end: at.word.end + offset };
    const isJson = uri.endsWith(".json");
    const found = items(at).filter(({ kind }) => !isJson || kind !== "snippet");
    if (found.length > 0)
      return found.map((item) => ({
        ...item,
        insert: written(item, at, isJson, (insert) => inPlace(insert, text, replace.start)),
        replace,
      }));
  }
  return [];
}

/** The insert text, adjusted to the quotes and the colon that are already there, and to JSON. */
function written(
  { insert, kind }: Item,
  at: Probe,
  isJson: boolean,
  indented: (insert: string) => string,
): string {
  if (kind === "snippet") return insert;
  if (at.part === "value") {
    if (at.isQuoted) return insert.replace(/^"(.*)"$/s, "$1");
    return isJson ? inJson(insert) : insert;
  }
  if (!isJson && !at.isQuoted && !at.hasColon) return indented(insert);
  const name = insert.replace(/:(?=\s|$).*$/s, "");
  if (at.isQuoted) return name;
  return (isJson ? JSON.stringify(name) : name) + (at.hasColon ? "" : ": ");
}

function inJson(insert: string): string {
  return /^(?:true|false|".*")$/s.test(insert) ? insert : JSON.stringify(insert);
}

function manifestItems(analysis: Analysis | undefined, at: Probe): readonly Item[] {
  const [field] = at.path;
  if (at.part === "value" && at.path.length === 1) {
    if (field === "kind") return kindItems(at.value, analysis?.version ?? newestVersion);
    if (field === "apiVersion") return versionItems(at.value);
  }
  const { object } = at;
  if (object === undefined) {
    if (at.path.length > 1) return [];
    const isEmpty =
      at.part === "value" ? at.path.length === 0 : Object.keys(at.value as object).length === 1;
    return [
      ...(at.part === "key" ? firstFields(at.value) : []),
      ...(isEmpty ? snippetItems(analysis) : []),
    ];
  }
  if (!isKind(object.kind)) return [];
  const path = at.path.slice(object.path.length);
  const sources = at.part === "key" ? keySources : valueSources;
  for (const source of sources) {
    const items = source({ analysis, probe: at, object, path });
    if (items.length > 0) return items;
  }
  return [];
}

/** The first source that knows the place answers, so specific sources come before those that know only the schema. */
const keySources: readonly Source[] = [parameterItems, labelItems, fieldItems, mapKeyItems];
const valueSources: readonly Source[] = [
  referenceItems,
  namespaceItems,
  podVolumeItems,
  parameterItems,
  labelItems,
  quantityItems,
  enumItems,
];
