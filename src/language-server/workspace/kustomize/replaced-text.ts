/**
 * Documents that stand in texts, such as a ConfigMap's, with one of their fields replaced. Comments and the style of YAML are
 * lost. Upstream: kustomize v5.8 api/filters/replacement replacement.go setValueInStructuredData.
 */
import { stringify } from "yaml";
import { compareText } from "../../../engine/api/go/text-order.ts";
import type { Json } from "../../../engine/api/json.ts";
import { isRecord } from "../../yaml/manifest.ts";
import { readYamlDocument } from "../../yaml/yaml-document.ts";

/** The mapping or list that a text holds; undefined where it holds none. */
export function heldBy(text: string): Json | undefined {
  const { value, problems } = readYamlDocument(text);
  const holds = problems.length === 0 && typeof value === "object" && value !== null;
  return holds ? (value as Json) : undefined;
}

/** The text in which it stands now, JSON where it was that. */
export function textHolding(value: Json, before: string): string {
  if (!/^\s*[[{]/.test(before)) return stringify(value, { indentSeq: false, lineWidth: 0 }).trim();
  const isWide = before.includes("\n") && before.includes("  ");
  return JSON.stringify(value, sorted, isWide ? 2 : undefined);
}

function sorted(_name: string, value: unknown): unknown {
  if (!isRecord(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => compareText(a, b)));
}
