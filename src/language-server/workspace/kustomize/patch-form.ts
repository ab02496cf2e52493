/**
 * Whether a patch is a part of an object or a list of operations. Upstream: kustomize v5.8 api/internal/builtins
 * PatchTransformer.go Config and jsonPatchFromBytes, PatchJson6902Transformer.go, api/resource factory.go
 * inlineAnyEmbeddedLists.
 */
import { parsedJson } from "../../../engine/api/json.ts";
import { valueAt } from "../../yaml/manifest.ts";
import type { WrittenText } from "../workspace-object.ts";
import { itemsOf, partOf, type Written } from "./written.ts";
import { withWords } from "./yaml-words.ts";

export interface PatchForm {
  /** Parts of objects, which are merged into them. */
  readonly parts: readonly Written[];
  /** Lists of operations. */
  readonly operations: readonly Written[];
}

/** Returns a text if kustomize can read it as neither. */
export function formOf(texts: readonly WrittenText[], source: string): PatchForm | string {
  if (isBrokenJson(source)) return "what begins with a bracket is read as JSON";
  const roots = texts.flatMap((text): readonly Written[] => {
    const { value } = text.yaml;
    return value === undefined || value === null ? [] : [{ text, path: [], value }];
  });
  const parts = roots.filter(({ value }) => !Array.isArray(value)).flatMap(itemsOfList);
  const lacking = parts.map(whyNoObject).find((why) => why !== undefined);
  if (lacking !== undefined) return lacking;
  const operations = roots.filter(({ value }) => Array.isArray(value));
  return { parts: parts.map(withWords), operations };
}

/** To kustomize, a text that begins with a bracket is JSON. */
function isBrokenJson(text: string): boolean {
  return text.trimStart().startsWith("[") && parsedJson(text) === undefined;
}

function itemsOfList(whole: Written): readonly Written[] {
  const items = partOf(whole, "items");
  const kind = partOf(whole, "kind")?.value;
  if (typeof kind !== "string" || !kind.endsWith("List") || items === undefined) return [whole];
  return itemsOf(items);
}

/** A name may also be a number. Upstream: api/resource factory.go. */
function whyNoObject({ value }: Written): string | undefined {
  if (valueAt(value, ["kind"]) === undefined) return "missing Resource metadata";
  if (valueAt(value, ["metadata", "name"]) === undefined) return "missing metadata.name in object";
  return undefined;
}

/** Shortened, because readers have the whole patch in front of them. */
function shortened(text: string): string {
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}

/** Where the patch comes from, as kustomize prints it. */
export function printedSource(file: string | undefined, source: string): string {
  return file === undefined
    ? `[patch: ${JSON.stringify(shortened(source.trim()))}]`
    : `[path: ${JSON.stringify(file)}]`;
}
