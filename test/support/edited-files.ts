/** Compares findings and outcomes after edits with those of a fresh start on the final files. */
import assert from "node:assert/strict";
import fc from "fast-check";
import { createLanguageService, type LanguageService } from "../../src/language-server/service.ts";
import { memoryFileSystem, memoryFolder, memoryUri } from "./memory-workspace.ts";

/** The texts that each file may have, by its name; undefined if the file may be missing. */
export type Texts = Readonly<Record<string, readonly (string | undefined)[]>>;

/** Types the texts into the files in random order, sometimes with time in between for everything to be judged. */
export async function checkEdits(
  textsOf: Texts,
  options: { readonly smallEnvironment: number; readonly seed: number },
): Promise<void> {
  const { smallEnvironment, seed } = options;
  const names = Object.keys(textsOf);
  const someText = (name: string): fc.Arbitrary<string | undefined> =>
    fc.constantFrom(...(textsOf[name] ?? []));
  const someEdit = fc
    .constantFrom(...names)
    .chain((name) => fc.tuple(fc.constant(name), someText(name), fc.boolean()));
  await fc.assert(
    fc.asyncProperty(
      fc.tuple(...names.map(someText)),
      fc.array(someEdit, { minLength: 1, maxLength: 6 }),
      async (texts, edits) => {
        const files = new Map<string, string>();
        // The files exist only in editors: closing one removes it.
        const service = await start(files, smallEnvironment);
        const type = (name: string, text: string | undefined): void => {
          if (text === undefined) {
            files.delete(name);
            service.closeEditor(memoryUri(name));
          } else {
            files.set(name, text);
            service.setEditorText(memoryUri(name), text);
          }
        };
        for (const [index, name] of names.entries()) type(name, texts[index]);
        settle(service);
        for (const [name, text, isQuiet] of edits) {
          type(name, text);
          if (isQuiet) settle(service);
        }
        settle(service);
        const fresh = await start(files, smallEnvironment);
        settle(fresh);
        assert.deepEqual(told(service, names), told(fresh, names));
      },
    ),
    { numRuns: 40, seed },
  );
}

/** A service that has read the files, but not judged anything yet. */
export async function start(
  files: ReadonlyMap<string, string>,
  smallEnvironment: number,
): Promise<LanguageService> {
  const service = createLanguageService({
    fileSystem: memoryFileSystem(files),
    pause: () => Promise.resolve(),
    smallEnvironment,
  });
  await service.loadFolders([memoryFolder]);
  return service;
}

/** Completes all pending work, as happens when nobody types for a while. */
export function settle(service: LanguageService): void {
  for (const environment of service.environments()) for (const _ of service.judge(environment));
}

function told(service: LanguageService, names: readonly string[]): unknown {
  return {
    findings: names.map((name) => service.knownDiagnostics(memoryUri(name))),
    outcomes: service
      .environments()
      .flatMap((environment) => service.prediction(environment)?.verdicts ?? [])
      .map(({ ref, kind, headline }) => `${kind} ${ref} ${headline}`)
      .sort(),
  };
}
