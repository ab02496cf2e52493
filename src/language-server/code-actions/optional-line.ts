/** In a chart's template that writes a field even if its value is empty: wraps the line in an `if`. */
import type { Diagnostic } from "../diagnostics/rule.ts";
import { targetAt } from "../features/target.ts";
import { templatePlaceOf } from "../workspace/field-place.ts";
import type { ActionContext, CodeAction } from "./code-action.ts";

/** Nothing if the line has anything but one value after the key. */
export function optionalLine(
  { analysis, file }: ActionContext,
  diagnostic: Diagnostic,
): readonly CodeAction[] {
  if (diagnostic.code !== "pvc-class-empty") return [];
  const target = targetAt(analysis.environment, file, diagnostic.start);
  const place = target && templatePlaceOf(target.entry, target.path);
  if (place === undefined) return [];
  const { uri, manifest } = place.file;
  const { text } = manifest;
  const start = text.lastIndexOf("\n", place.start - 1) + 1;
  const lineEnd = text.indexOf("\n", place.end);
  const end = lineEnd < 0 ? text.length : lineEnd;
  const line = text.slice(start, end);
  const [, indent, value] = keyWithValue.exec(line) ?? [];
  if (indent === undefined || value === undefined) return [];
  const made = `${indent}{{- if ${value} }}\n${line}\n${indent}{{- end }}`;
  const title = `Leave the field out where ${value} is empty`;
  return [{ title, kind: "quickfix", edits: [{ uri, start, end, text: made }], diagnostic }];
}

const keyWithValue = /^( *)[\w.-]+: *\{\{-? *(\$?\.[\w.]+) *(?:\| *quote *)?-?\}\} *\r?$/;
