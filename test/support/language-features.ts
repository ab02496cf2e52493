/** Checks of editor features on marked fixtures. The only place that knows the service's API. */
import assert from "node:assert/strict";
import type { Analysis } from "../../src/language-server/analysis.ts";
import type { FilePlace } from "../../src/language-server/features/definition.ts";
import { definition } from "../../src/language-server/features/definition.ts";
import { hover } from "../../src/language-server/features/hover.ts";
import { findReferences } from "../../src/language-server/features/references.ts";
import type { Prediction } from "../../src/language-server/prediction/prediction.ts";
import { createLanguageService, type LanguageService } from "../../src/language-server/service.ts";
import { linesOf } from "../../src/language-server/text-lines.ts";
import type { WorkspaceFile } from "../../src/language-server/workspace/workspace-object.ts";
import { findingsOf } from "./findings.ts";
import { type Fixture, readFixture } from "./markers.ts";
import { memoryFileSystem, memoryFolder, memoryUri } from "./memory-workspace.ts";

/** A service that has read the fixture's files, and predicted if `predicts` is true. */
export async function loadFixture(fixture: Fixture, predicts: boolean): Promise<LanguageService> {
  const service = createLanguageService({
    fileSystem: memoryFileSystem(fixture.files),
    pause: () => Promise.resolve(),
  });
  await service.loadFolders([memoryFolder]);
  if (predicts)
    for (const environment of service.environments()) await service.predict(environment);
  return service;
}

/** Hints about what fixtures leave out on purpose: they are compared only if the fixture labels them. */
const leftOut: ReadonlySet<string> = new Set([
  "csidriver-missing",
  "namespace-missing",
  "provisioner-unknown",

  "pvc-class-absent-explicit",
  "volume-unused",
]);

/** Labels have the form `code: start of the message`; there must be no findings without a label. */
async function check(text: string, predicts: boolean): Promise<void> {
  const fixture = readFixture(text);
  const service = await loadFixture(fixture, predicts);
  const found = [...fixture.files.keys()].flatMap((name) => {
    const file = service.file(memoryUri(name));
    if (file === undefined) return [];
    return findingsOf(service, memoryUri(name)).map(({ start, end, code, message, severity }) => {
      const range = linesOf(file.manifest).rangeOf({ start, end });
      const place = `${name}:${range.start.line}:${range.start.character}-${range.end.character}`;
      const isAside = severity === "hint" && leftOut.has(code);
      return { isAside, line: `${place} ${code}: ${message}` };
    });
  });
  const wanted = fixture.labels.map(
    ({ file, line, start, end, text: label }) => `${file}:${line}:${start}-${end} ${label}`,
  );
  const shortened = found.flatMap(({ isAside, line }) => {
    const label = wanted.find((candidate) => line.startsWith(candidate));
    if (label === undefined && isAside) return [];
    return [label ?? line.split("\n")[0]];
  });
  assert.deepEqual(shortened.sort(), wanted.sort());
}

/** Findings of the rules that read text and compare names; the engine does not run. */
export function checkDiagnostics(text: string): Promise<void> {
  return check(text, false);
}

/** Findings including those from the engine's prediction. */
export function checkPredicted(text: string): Promise<void> {
  return check(text, true);
}

interface AtCursor {
  readonly analysis: Analysis;
  readonly prediction: Prediction | undefined;
  readonly file: WorkspaceFile;
  readonly offset: number;
}

export async function atCursor(text: string, predicts: boolean): Promise<AtCursor> {
  const fixture = readFixture(text);
  const { cursor } = fixture;
  assert.ok(cursor !== undefined, "the fixture has no $0");
  const service = await loadFixture(fixture, predicts);
  const file = service.file(memoryUri(cursor.file));
  const analysis = service.analysisOf(memoryUri(cursor.file));
  assert.ok(file !== undefined && analysis !== undefined);
  return {
    analysis,
    prediction: service.prediction(analysis.environment),
    file,
    offset: cursor.offset,
  };
}

/** Checks that the hover's text contains the lines in this order. */
export async function checkHover(text: string, lines: readonly string[]): Promise<void> {
  const { analysis, prediction, file, offset } = await atCursor(text, true);
  const found = hover(analysis, prediction, file, offset)?.text ?? "";
  let at = 0;
  for (const line of lines) {
    const next = found.indexOf(line, at);
    assert.ok(next >= 0, `${JSON.stringify(line)} is missing in\n${found}`);
    at = next + line.length;
  }
}

/** Places have the form `file:line: text`, with lines counted from one. */
export async function checkDefinition(text: string, wanted: readonly string[]): Promise<void> {
  const { analysis, prediction, file, offset } = await atCursor(text, true);
  assert.deepEqual(definition(analysis, prediction, file, offset).map(printPlace), wanted);
}

/** Like `checkDefinition`, for any feature that returns places. */
export async function checkPlaces(
  find: typeof definition,
  text: string,
  wanted: readonly string[],
): Promise<void> {
  const { analysis, prediction, file, offset } = await atCursor(text, true);
  assert.deepEqual(find(analysis, prediction, file, offset).map(printPlace), wanted);
}

export async function checkReferences(text: string, wanted: readonly string[]): Promise<void> {
  const { analysis, file, offset } = await atCursor(text, false);
  assert.deepEqual(findReferences(analysis, file, offset, true).map(printPlace), wanted);
}

function printPlace({ file, start, end }: FilePlace): string {
  const { line } = linesOf(file.manifest).positionAt(start);
  return `${file.uri.slice(memoryUri("").length)}:${line + 1}: ${file.manifest.text.slice(start, end)}`;
}
