/** A rename leaves everything as it was but for the name: what was found before is found after, and nothing else. */
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { rename } from "../../src/language-server/features/rename.ts";
import { namePlaces } from "../../src/language-server/names/name-places.ts";
import { createLanguageService, type LanguageService } from "../../src/language-server/service.ts";
import { findingsOf } from "../support/findings.ts";
import { memoryFileSystem, memoryFolder, memoryUri } from "../support/memory-workspace.ts";

const examples: string = join(import.meta.dirname, "..", "..", "examples");

function filesOf(example: string): ReadonlyMap<string, string> {
  const names = readdirSync(join(examples, example)).filter((name) => name.endsWith(".yaml"));
  return new Map(names.map((name) => [name, readFileSync(join(examples, example, name), "utf8")]));
}

async function load(files: ReadonlyMap<string, string>): Promise<LanguageService> {
  const pause = (): Promise<void> => Promise.resolve();
  const service = createLanguageService({ fileSystem: memoryFileSystem(files), pause });
  await service.loadFolders([memoryFolder]);
  return service;
}

function findings(service: LanguageService, files: ReadonlyMap<string, string>): readonly string[] {
  return [...files.keys()]
    .flatMap((name) => findingsOf(service, memoryUri(name)).map(({ code }) => `${name} ${code}`))
    .sort();
}

suite("rename in the examples", () => {
  for (const example of readdirSync(examples, { withFileTypes: true })) {
    if (!example.isDirectory()) continue;
    test(`every object of ${example.name} can be renamed, and nothing else changes`, async () => {
      const files = filesOf(example.name);
      const service = await load(files);
      const before = findings(service, files);
      const [environment] = service.environments();
      assert.ok(environment !== undefined);
      const analysis = service.analysis(environment);
      let count = 0;
      for (const place of namePlaces(environment)) {
        const span = place.span();
        if (!place.isDefinition || span === undefined) continue;
        const answer = rename(analysis, place.file, span.start + 1, `${place.name}-x`);
        if (!answer.ok) continue;
        const after = new Map(files);
        for (const { file, start, end, text } of [...answer.value.edits].reverse()) {
          const name = file.uri.slice(memoryUri("").length);
          const old = after.get(name) ?? "";
          after.set(name, old.slice(0, start) + text + old.slice(end));
        }
        assert.deepEqual(findings(await load(after), after), before, answer.value.title);
        count++;
      }
      assert.ok(count > 0);
    });
  }
});
