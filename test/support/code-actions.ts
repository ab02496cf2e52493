/** The code actions offered at a place, and the files after one of them. */
import assert from "node:assert/strict";
import type { CodeAction } from "../../src/language-server/code-actions/code-action.ts";
import { codeActions } from "../../src/language-server/features/code-actions.ts";
import type { LanguageService } from "../../src/language-server/service.ts";
import type { Span } from "../../src/language-server/yaml/place.ts";
import { findingsOf } from "./findings.ts";
import type { Fixture } from "./markers.ts";
import { memoryFolder, memoryUri } from "./memory-workspace.ts";

type Files = ReadonlyMap<string, string>;

export function actionsIn(
  service: LanguageService,
  name: string,
  range: Span,
): readonly CodeAction[] {
  const uri = memoryUri(name);
  const file = service.file(uri);
  const analysis = service.analysisOf(uri);
  assert.ok(file !== undefined && analysis !== undefined);
  return codeActions({
    analysis,
    prediction: service.prediction(analysis.environment),
    file,
    diagnostics: findingsOf(service, uri),
    range,
    findFile: (other) => service.file(other),
  });
}

export function actionsAtCursor(
  service: LanguageService,
  { cursor }: Fixture,
): readonly CodeAction[] {
  assert.ok(cursor !== undefined);
  const { file, offset } = cursor;
  return actionsIn(service, file, { start: offset, end: offset });
}

export function afterAction(files: Files, { edits }: CodeAction): Files {
  const changed = new Map(files);
  for (const { uri, start, end, text } of [...edits].sort((a, b) => b.start - a.start)) {
    const name = uri.slice(memoryFolder.length + 1);
    const before = changed.get(name) ?? "";
    changed.set(name, before.slice(0, start) + text + before.slice(end));
  }
  return changed;
}
