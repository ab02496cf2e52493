/** Places found without a syntax tree are the same as those found with it. */
import assert from "node:assert/strict";
import fc from "fast-check";
import type { Json } from "../../../src/engine/api/json.ts";
import {
  findPathAt,
  findPlace,
  findUnderline,
  findUnderlineKey,
} from "../../../src/language-server/yaml/locate.ts";
import type { Path } from "../../../src/language-server/yaml/place.ts";
import { simpleLocate, simpleUnderline } from "../../../src/language-server/yaml/simple-places.ts";
import { placeOfWord } from "../../../src/language-server/yaml/word-place.ts";
import { isSimple, readYamlDocument } from "../../../src/language-server/yaml/yaml-document.ts";
import { exampleDocuments, typedYaml } from "../../support/typed-yaml.ts";

/** Every path of a value, and for each one a path below it that does not exist. */
function* pathsOf(value: Json | undefined, path: Path = []): Iterable<Path> {
  yield path;
  yield [...path, "missing"];
  if (typeof value !== "object" || value === null) return;
  const entries: Iterable<readonly [string | number, Json]> = Array.isArray(value)
    ? (value as readonly Json[]).entries()
    : Object.entries(value);
  for (const [name, inner] of entries) yield* pathsOf(inner, [...path, name]);
}

/** How many places of the text are found without a tree, out of how many; zero if the text is not simple. */
function compared(text: string): { readonly found: number; readonly all: number } {
  const document = readYamlDocument(text);
  let [found, all] = [0, 0];
  if (!isSimple(document)) return { found, all };
  for (const path of pathsOf(document.value)) {
    const span = simpleUnderline(text, path);
    const ofKey = simpleUnderline(text, path, "key");
    if (ofKey !== undefined) assert.deepEqual(ofKey, findUnderlineKey(document, path));
    const place = simpleLocate(text, path);
    const what = `${path.join("/")} in\n${text}`;
    if (place !== undefined) assert.deepEqual(place, findPlace(document, path), what);
    all += 2;
    if (place !== undefined) found++;
    if (span === undefined) continue;
    found++;
    assert.deepEqual(span, findUnderline(document, path), what);
  }
  return { found, all };
}

/** How many offsets of the text are in a word whose place is found without a tree. */
function foundWords(text: string): number {
  const document = readYamlDocument(text);
  let found = 0;
  if (!isSimple(document)) return found;
  for (let offset = 0; offset <= text.length; offset++) {
    const place = placeOfWord(text, offset);
    if (place === undefined) continue;
    found++;
    assert.deepEqual(place, findPathAt(document, offset), `${offset} in\n${text}`);
  }
  return found;
}

suite("places without a syntax tree", function (this: Mocha.Suite) {
  this.timeout(60_000);

  test("most of the examples' fields are found, at the same places as in the tree", () => {
    let [found, all] = [0, 0];
    for (const text of exampleDocuments) {
      const counts = compared(text);
      found += counts.found;
      all += counts.all;
    }
    assert.ok(found > 0.8 * all, `${found} of ${all}`);
  });

  test("everything is found in brackets, and in a document that ends with a block text", () => {
    const text = `kind: PersistentVolume # of the archive
spec:
  accessModes: [ReadWriteOnce, "ReadOnlyMany" ] # both
  capacity: { storage: 1Gi }
  nested: [[a, { b: [c] }], []]
data:
  one: |
    first

    # no comment
  two: |-
    last

`;
    const { found, all } = compared(text);
    assert.equal(found, all);
  });

  test("whatever is typed, the places found are those of the tree", () => {
    fc.assert(
      fc.property(typedYaml, (text) => {
        compared(text);
      }),
      { numRuns: 3000 },
    );
  });

  test("keys and values are found at an offset within them", () => {
    for (const text of exampleDocuments.slice(0, 20)) foundWords(text);
    assert.equal(foundWords("kind: Pod\nspec:\n  nodeName: one\n"), 24);
  });

  test("whatever is typed, the key or value at an offset is that of the tree", () => {
    fc.assert(
      fc.property(typedYaml, (text) => {
        foundWords(text);
      }),
      { numRuns: 1000 },
    );
  });
});
