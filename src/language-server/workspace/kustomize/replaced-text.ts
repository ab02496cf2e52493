/**
 * Replaces a field of a document that is inside a text, for example in a ConfigMap. Comments and the style of the YAML are
 * lost. Upstream: kustomize v5.8 api/filters/replacement replacement.go setValueInStructuredData.
 */
import { stringify } from "yaml";
import { compareText } from "../../../engine/api/go/text-order.ts";
import type { Json } from "../../../engine/api/json.ts";
import { isRecord } from "../../yaml/manifest.ts";
import { readYamlDocument } from "../../yaml/yaml-document.ts";

/** The mapping or list in a text; undefined if there is none. */
export function heldBy(text: string): Json | undefined {
  const { value, problems } = readYamlDocument(text);
  const holds = problems.length === 0 && typeof value === "object" && value !== null;
  return holds ? (value as Json) : undefined;
}

/** The text with the new value, as JSON if it was JSON before. */
export function textHolding(value: Json, before: string): string {
  if (!/^\s*[[{]/.test(before)) return stringify(value, { indentSeq: false, lineWidth: 0 }).trim();
  const isWide = before.includes("\n") && before.includes("  ");
  return JSON.stringify(value, sorted, isWide ? 2 : undefined);
}

function sorted(_name: string, value: unknown): unknown {
  if (!isRecord(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => compareText(a, b)));
}
