/**
 * What a patch is: parts of objects, or a list of operations. Upstream: kustomize v5.8 api/internal/builtins PatchTransformer.go
 * Config and jsonPatchFromBytes, PatchJson6902Transformer.go, api/resource factory.go inlineAnyEmbeddedLists.
 */
import { parsedJson } from "../../../engine/api/json.ts";
import { valueAt } from "../../yaml/manifest.ts";
import type { WrittenText } from "../workspace-object.ts";
import { itemsOf, partOf, type Written } from "./written.ts";
import { withWords } from "./yaml-words.ts";

export interface PatchForm {
  /** Parts of objects, to be laid over them. */
  readonly parts: readonly Written[];
  /** Lists of operations. */
  readonly operations: readonly Written[];
}

/** A text says why kustomize reads neither. */
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

/** What begins so is no YAML to kustomize. */
function isBrokenJson(text: string): boolean {
  return text.trimStart().startsWith("[") && parsedJson(text) === undefined;
}

function itemsOfList(whole: Written): readonly Written[] {
  const items = partOf(whole, "items");
  const kind = partOf(whole, "kind")?.value;
  if (typeof kind !== "string" || !kind.endsWith("List") || items === undefined) return [whole];
  return itemsOf(items);
}

/** Upstream: api/resource factory.go, which a number may name as well. */
function whyNoObject({ value }: Written): string | undefined {
  if (valueAt(value, ["kind"]) === undefined) return "missing Resource metadata";
  if (valueAt(value, ["metadata", "name"]) === undefined) return "missing metadata.name in object";
  return undefined;
}

/** The whole would be told to somebody who has it before their eyes. */
function shortened(text: string): string {
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}

/** Where the patch is from, as kustomize prints it. */
export function printedSource(file: string | undefined, source: string): string {
  return file === undefined
    ? `[patch: ${JSON.stringify(shortened(source.trim()))}]`
    : `[path: ${JSON.stringify(file)}]`;
}
