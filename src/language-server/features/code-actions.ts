/** Quick fixes: the changes that would help an object that does not get there, and the names that were meant. */
import type { Analysis } from "../analysis.ts";
import { placeOf } from "../diagnostics/diagnose.ts";
import type { Diagnostic } from "../diagnostics/rule.ts";
import type { Prediction } from "../prediction/predictor.ts";
import { rootCauses } from "../prediction/root-causes.ts";
import { sourceOf } from "../prediction/source-of.ts";
import { documentStart, type WorkspaceFile, type WorkspaceObject } from "../workspace/workspace.ts";
import { removeField, setField } from "../yaml/edits.ts";
import type { Path, Span } from "../yaml/locate.ts";
import { documentAt } from "../yaml/manifest-file.ts";

export interface FileEdit extends Span {
  readonly uri: string;
  readonly text: string;
}

export interface CodeAction {
  readonly title: string;
  readonly edits: readonly FileEdit[];
  readonly diagnostic?: Diagnostic;
}

/** Actions for the findings that touch the range. */
export function codeActions(
  analysis: Analysis,
  prediction: Prediction | undefined,
  file: WorkspaceFile,
  diagnostics: readonly Diagnostic[],
  range: Span,
): readonly CodeAction[] {
  const touched = diagnostics.filter(({ start, end }) => start <= range.end && end >= range.start);
  return touched.flatMap((diagnostic) => [
    ...meantName(file, diagnostic),
    ...ownFix(file, diagnostic),
    ...(prediction?.environment === analysis.environment ? fixesOf(prediction, diagnostic) : []),
  ]);
}

/** `did you mean “x”?`: yes. */
function meantName(file: WorkspaceFile, diagnostic: Diagnostic): readonly CodeAction[] {
  const name = /did you mean “([^”]+)”\?/.exec(diagnostic.message)?.[1];
  if (name === undefined) return [];
  const { start, end } = diagnostic;
  const edit = { uri: file.uri, start, end, text: name };
  return [{ title: `Change to “${name}”`, edits: [edit], diagnostic }];
}

/** The change that the finding itself knows. */
function ownFix(file: WorkspaceFile, diagnostic: Diagnostic): readonly CodeAction[] {
  const { fix } = diagnostic;
  const at = documentAt(file.manifest, diagnostic.start);
  if (fix === undefined || at === undefined) return [];
  const { yaml } = at.document;
  const edit =
    fix.value === null ? removeField(yaml, fix.path) : setField(yaml, fix.path, fix.value);
  if (edit === undefined) return [];
  const edits = [
    { uri: file.uri, start: at.start + edit.start, end: at.start + edit.end, text: edit.text },
  ];
  return [{ title: fix.title, edits, diagnostic }];
}

function fixesOf(prediction: Prediction, diagnostic: Diagnostic): readonly CodeAction[] {
  const cause = rootCauses(prediction).find(({ source }) => {
    if (source === undefined || source.entry.file.uri !== diagnostic.uri) return false;
    return placeOf(source.entry, source.path).start === diagnostic.start;
  });
  return (cause?.verdict.fixes ?? []).flatMap(({ text, at, value }): CodeAction[] => {
    if (at === undefined || value === undefined || at.field === undefined) return [];
    const target = sourceOf(prediction, at.ref, at.field);
    const edit = target === undefined ? undefined : fieldEdit(target.entry, target.path, value);
    const title = text.charAt(0).toUpperCase() + text.slice(1);
    return edit === undefined ? [] : [{ title, edits: [edit], diagnostic }];
  });
}

function fieldEdit(entry: WorkspaceObject, path: Path, value: string | null): FileEdit | undefined {
  const { yaml } = entry.document;
  const inDocument = [...entry.object.path, ...path];
  const edit = value === null ? removeField(yaml, inDocument) : setField(yaml, inDocument, value);
  if (edit === undefined) return undefined;
  const offset = documentStart(entry);
  return {
    uri: entry.file.uri,
    start: offset + edit.start,
    end: offset + edit.end,
    text: edit.text,
  };
}
