/** Reads the pages of docs/rules, whose example must yield the rule's finding, and whose corrected manifests must not. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Diagnostic } from "../../src/language-server/diagnostics/rule.ts";
import { rules } from "../../src/language-server/diagnostics/rules.ts";
import { createLanguageService, type LanguageService } from "../../src/language-server/service.ts";
import { findingsOf } from "./findings.ts";
import { readFixture } from "./markers.ts";
import { memoryFileSystem, memoryFolder, memoryUri } from "./memory-workspace.ts";

export interface RulePage {
  readonly text: string;
  readonly example: string;
  readonly corrected: string;
}

export const rulePages: string = join(import.meta.dirname, "../../docs/rules");

const sections: readonly string[] = ["## What happens", "## Example", "## What to do"];

/** Throws if a section is missing or out of order, or if manifests are missing. */
export function readRulePage(id: string): RulePage {
  const text = readFileSync(join(rulePages, `${id}.md`), "utf8");
  const headings = text.split("\n").filter((line) => line.startsWith("## "));
  assert.deepEqual(headings, sections, id);
  const [example, corrected, ...rest] = [...text.matchAll(/^```yaml\n([\s\S]*?)^```$/gm)];
  assert.ok(example?.[1] !== undefined && corrected?.[1] !== undefined && rest.length === 0, id);
  const [, toDo] = text.split("## What to do");
  assert.ok(toDo?.includes(corrected[0]) === true, `${id} has no corrected manifests at its end`);
  return { text, example: example[1], corrected: corrected[1] };
}

/** True for rules whose findings need a prediction. */
export function needsPrediction(id: string): boolean {
  return id === "unused-suppression" || rules.some((r) => r.id === id && r.scope === "prediction");
}

/** `#-` starts a file; `#- HEAD:name` starts the file's text in the last commit. */
export function filesOf(manifests: string): ReadonlyMap<string, string> {
  return readFixture(manifests).files;
}

export async function loadFiles(
  all: ReadonlyMap<string, string>,
  predicts: boolean,
): Promise<LanguageService> {
  const files = new Map<string, string>();
  const committed = new Map<string, string>();
  for (const [name, text] of all) {
    if (name.startsWith(head)) committed.set(memoryUri(name.slice(head.length)), text);
    else files.set(name, text);
  }
  const service = createLanguageService({
    fileSystem: {
      ...memoryFileSystem(files),
      committedFiles: () => Promise.resolve(committed),
    },
    pause: () => Promise.resolve(),
  });
  await service.loadFolders([memoryFolder]);
  if (predicts)
    for (const environment of service.environments()) await service.predict(environment);
  return service;
}

const head = "HEAD:";

export async function diagnosticsOf(
  files: ReadonlyMap<string, string>,
  predicts: boolean,
): Promise<readonly Diagnostic[]> {
  const service = await loadFiles(files, predicts);
  return [...files.keys()].flatMap((name) => findingsOf(service, memoryUri(name)));
}
