/** Removes a comment, an annotation or an entry of claimcheck.yaml that suppresses nothing, or corrects its misspelled rule. */
import type { Diagnostic } from "../diagnostics/rule.ts";
import {
  suppressionWord,
  unusedRule,
  unusedSuppression,
} from "../diagnostics/rules/suppression.ts";
import { ruleIds } from "../diagnostics/rules.ts";
import { nearestName } from "../nearest-name.ts";
import { projectFileName } from "../project/project-file.ts";
import { baseName } from "../workspace/files/uri.ts";
import type { WorkspaceFile } from "../workspace/workspace-object.ts";
import { removeAt } from "../yaml/edits.ts";
import { pathAt } from "../yaml/locate.ts";
import { documentAt } from "../yaml/manifest-file.ts";
import type { Span } from "../yaml/place.ts";
import { readYamlDocument } from "../yaml/yaml-document.ts";
import type { CodeAction, FileEdit } from "./code-action.ts";
import { editFrom } from "./field-edit.ts";

export function needlessSuppression(
  file: WorkspaceFile,
  diagnostic: Diagnostic,
): readonly CodeAction[] {
  const rule = diagnostic.code === unusedSuppression.id ? unusedRule(diagnostic) : undefined;
  if (rule === undefined) return [];
  const action = (title: string, edit: FileEdit | undefined): readonly CodeAction[] =>
    edit === undefined ? [] : [{ title, kind: "quickfix", edits: [edit], diagnostic }];
  const meant = ruleIds.includes(rule) ? undefined : nearestName(rule, ruleIds);
  return [
    ...(meant === undefined
      ? []
      : action(`Change to “${meant}”`, renamed(file, diagnostic, rule, meant))),
    ...action(`Remove “${rule}”`, removed(file, diagnostic, rule)),
  ];
}

/** The rule ids in a comment or an annotation; a colon begins the reason. */
function idsIn(text: string): readonly (Span & { readonly id: string })[] {
  const [head = ""] = text.split(":");
  return [...head.matchAll(/[^\s,"'#]+/g)]
    .map(({ 0: id, index }) => ({ id, start: index, end: index + id.length }))
    .filter(({ id }) => id !== suppressionWord);
}

function renamed(
  { uri, manifest }: WorkspaceFile,
  { start, end }: Diagnostic,
  rule: string,
  meant: string,
): FileEdit | undefined {
  const found = idsIn(manifest.text.slice(start, end)).find(({ id }) => id === rule);
  return found && { uri, start: start + found.start, end: start + found.end, text: meant };
}

/** Removes the rule; if it is the only one, the whole comment, annotation or entry. */
function removed(file: WorkspaceFile, diagnostic: Diagnostic, rule: string): FileEdit | undefined {
  const { start, end } = diagnostic;
  const ids = idsIn(file.manifest.text.slice(start, end));
  const index = ids.findIndex(({ id }) => id === rule);
  const [before, own, next] = [ids[index - 1], ids[index], ids[index + 1]];
  if (own === undefined) return undefined;
  const cut = (from: number, to: number): FileEdit => ({
    uri: file.uri,
    start: start + from,
    end: start + to,
    text: "",
  });
  if (next !== undefined) return cut(own.start, next.start);
  if (before !== undefined) return cut(before.end, own.end);
  return file.manifest.text[start] === "#"
    ? withoutComment(file, diagnostic)
    : withoutField(file, diagnostic);
}

/** Removes the comment; if it is alone in its line, the line. */
function withoutComment({ uri, manifest }: WorkspaceFile, { start, end }: Span): FileEdit {
  const { text } = manifest;
  const lineStart = text.lastIndexOf("\n", start - 1) + 1;
  const before = text.slice(lineStart, start);
  if (before.trim() !== "")
    return { uri, start: lineStart + before.trimEnd().length, end, text: "" };
  const lineEnd = text.indexOf("\n", end);
  return { uri, start: lineStart, end: lineEnd < 0 ? text.length : lineEnd + 1, text: "" };
}

/** Removes an annotation, or an entry of claimcheck.yaml, which has no documents as manifests have. */
function withoutField(file: WorkspaceFile, { start }: Span): FileEdit | undefined {
  const { uri, manifest } = file;
  if (baseName(uri) === projectFileName) {
    const yaml = readYamlDocument(manifest.text);
    const edit = removeAt(yaml, pathAt(yaml, start).path.slice(0, 2));
    return edit && { uri, ...edit };
  }
  const at = documentAt(manifest, start);
  if (at === undefined) return undefined;
  const edit = removeAt(at.document.yaml, pathAt(at.document.yaml, start - at.start).path);
  return edit && editFrom(file, at.start, edit);
}
