/** Half-written and wrong manifests: everything gets an answer, nothing throws. */
import assert from "node:assert/strict";
import fc from "fast-check";
import { kindSchemas, modelSchemas } from "../../src/engine/api/schema.ts";
import { completions } from "../../src/language-server/features/completion.ts";
import { definition } from "../../src/language-server/features/definition.ts";
import { documentLinks } from "../../src/language-server/features/document-links.ts";
import { foldingRanges } from "../../src/language-server/features/folding-ranges.ts";
import { hover } from "../../src/language-server/features/hover.ts";
import {
  declaration,
  implementation,
  typeDefinition,
} from "../../src/language-server/features/origin.ts";
import {
  documentHighlights,
  findReferences,
} from "../../src/language-server/features/references.ts";
import { prepareRename, rename } from "../../src/language-server/features/rename.ts";
import { selectionRanges } from "../../src/language-server/features/selection-ranges.ts";
import { symbolTree } from "../../src/language-server/features/symbols.ts";
import { createLanguageService, type LanguageService } from "../../src/language-server/service.ts";
import { memoryFileSystem, memoryFolder, memoryUri } from "../support/memory-workspace.ts";

const uri: string = memoryUri("a.yaml");

/** A value that mostly has the shape the API wants, and now and then another one. */
function anyValue(type: string, depth: number): fc.Arbitrary<unknown> {
  const wrong = fc.oneof(
    fc.string(),
    fc.integer(),
    fc.constant(null),
    fc.constant([]),
    fc.constant({}),
    fc.constant([[null]]),
  );
  return fc.oneof(
    { weight: 9, arbitrary: rightValue(type, depth) },
    { weight: 1, arbitrary: wrong },
  );
}

function rightValue(type: string, depth: number): fc.Arbitrary<unknown> {
  if (type.startsWith("[]")) return fc.array(anyValue(type.slice(2), depth), { maxLength: 2 });
  if (type.startsWith("map[]")) {
    const key = fc.constantFrom(
      "storage",
      "a",
      "kubernetes.io/hostname",
      "csi.storage.k8s.io/provisioner-secret-name",
    );
    return fc.dictionary(key, anyValue(type.slice(5), depth), { maxKeys: 2 });
  }
  const model = modelSchemas[type];
  if (model === undefined || depth === 0) {
    return fc.constantFrom<unknown>(
      "x",
      "data",
      "1Gi",
      "0",
      "ReadWriteOnce",
      "Block",
      true,
      3,
      -1,
      "2026-01-01T00:00:00Z",
    );
  }
  const fields = Object.entries(model).map(
    ([name, [of]]) => [name, anyValue(of, depth - 1)] as const,
  );
  return fc.record(Object.fromEntries(fields), { requiredKeys: [] }).map((object) =>
    // All fields at once would be a forest; a handful is enough to meet each combination.
    Object.fromEntries(Object.entries(object).slice(0, 8)),
  );
}

const manifest: fc.Arbitrary<string> = fc
  .constantFrom(...kindSchemas)
  .chain(({ apiVersion, kind, model }) =>
    fc.tuple(anyValue(model, 4), fc.constantFrom("a", "data", "")).map(([value, name]) => {
      const fields =
        typeof value === "object" && value !== null && !Array.isArray(value) ? value : {};
      const object = { ...fields, apiVersion, kind };
      return JSON.stringify(name === "" ? object : { ...object, metadata: { name } });
    }),
  );

async function start(): Promise<LanguageService> {
  const service = createLanguageService({
    fileSystem: memoryFileSystem(new Map()),
    pause: () => Promise.resolve(),
  });
  await service.loadFolders([memoryFolder]);
  return service;
}

function askEverything(service: LanguageService, offset: number): void {
  const file = service.file(uri);
  const analysis = service.analysisOf(uri);
  if (file === undefined || analysis === undefined) return;
  const at = Math.min(offset, file.manifest.text.length);
  for (const { start: from, end } of service.diagnostics(uri)) {
    assert.ok(from >= 0 && from <= end && end <= file.manifest.text.length);
  }
  const prediction = service.prediction(analysis.environment);
  hover(analysis, prediction, file, at);
  definition(analysis, prediction, file, at);
  for (const follow of [declaration, typeDefinition, implementation])
    follow(analysis, prediction, file, at);
  findReferences(analysis, file, at, true);
  documentHighlights(analysis, file, at);
  prepareRename(analysis, file, at);
  rename(analysis, file, at, "other");
  symbolTree(file, { version: analysis.version });
  foldingRanges(file);
  selectionRanges(file, at);
  documentLinks(analysis.environment, file);
  completions(analysis, file, at);
}

suite("half-written and wrong manifests", () => {
  test("objects of every kind with fields of every type are answered", async function (this: Mocha.Context) {
    this.timeout(20_000);
    const service = await start();
    fc.assert(
      fc.property(
        fc.array(manifest, { minLength: 1, maxLength: 3 }),
        fc.nat(400),
        (documents, offset) => {
          service.setEditorText(uri, documents.join("\n---\n"));
          askEverything(service, offset);
        },
      ),
      { seed: 21, numRuns: 300 },
    );
  });

  test("a manifest cut off anywhere is answered", async () => {
    const service = await start();
    const whole =
      "apiVersion: v1\nkind: Pod\nmetadata:\n  name: web\nspec:\n  containers:\n    - name: c\n      image: i\n  volumes:\n    - name: v\n      persistentVolumeClaim: { claimName: data }\n";
    for (let length = 0; length <= whole.length; length++) {
      service.setEditorText(uri, whole.slice(0, length));
      askEverything(service, length);
    }
  });
});
