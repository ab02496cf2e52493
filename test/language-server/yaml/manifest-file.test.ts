import assert from "node:assert/strict";
import fc from "fast-check";
import { locate, pathAt } from "../../../src/language-server/yaml/locate.ts";
import { documentAt, readManifestFile } from "../../../src/language-server/yaml/manifest-file.ts";
import { splitDocuments } from "../../../src/language-server/yaml/split-documents.ts";
import { dedent } from "../../support/markers.ts";

function namesOf(text: string): readonly string[] {
  return readManifestFile(text).documents.flatMap(({ objects }) =>
    objects.map((o) => `${o.kind}/${o.namespace}/${o.name}`),
  );
}

const pod = (name: string): string => `apiVersion: v1\nkind: Pod\nmetadata: { name: ${name} }\n`;

suite("reading a file of manifests", () => {
  test("every document counts except empty ones and comments", () => {
    assert.deepEqual(namesOf(`# head\n---\n${pod("a")}---\n\n--- # next\n${pod("b")}`), [
      "Pod/default/a",
      "Pod/default/b",
    ]);
  });

  test("a byte order mark and Windows line ends change nothing", () => {
    assert.deepEqual(namesOf(`\uFEFF${pod("a")}---\n${pod("b")}`.replaceAll("\n", "\r\n")), [
      "Pod/default/a",
      "Pod/default/b",
    ]);
  });

  test("dashes on the first line with a comment directly after them are no separator for kubectl", () => {
    for (const [text, rest] of [
      ["---# a\nkind: Pod\n", "# a"],
      ["--- # a\nkind: Pod\n", undefined],
      ["# a\n---# b\nkind: Pod\n", undefined],
      ["a: 1\n---# b\nkind: Pod\n", undefined],
    ] as const) {
      const { separatorRest } = splitDocuments(text).at(-1) ?? {};
      const found = separatorRest && text.slice(separatorRest.start, separatorRest.end);
      assert.equal(found, rest, text);
    }
  });

  test("JSON objects need no separators if the file begins with one", () => {
    const json = (name: string): string =>
      JSON.stringify({ apiVersion: "v1", kind: "Pod", metadata: { name, labels: { a: "}\\" } } });
    const text = `${json("a")}${json("b")}\n${json("c")}\n`;
    const names = ["Pod/default/a", "Pod/default/b", "Pod/default/c"];
    assert.deepEqual(namesOf(text), names);
    assert.deepEqual(namesOf(`${text}---\n${pod("d")}`), [...names, "Pod/default/d"]);
    const before = readManifestFile(text);
    const edited = text.replace('"name":"b"', '"name":"e"');
    assert.deepEqual(readManifestFile(edited, before), readManifestFile(edited));
    for (const broken of [`${json("a")} x`, `${json("a")}}{`, `${pod("a")}---\n${text}`])
      assert.ok(
        readManifestFile(broken).documents.some(({ yaml }) => yaml.problems.length > 0),
        broken,
      );
  });

  test("a broken document does not affect the others", () => {
    const file = readManifestFile(`${pod("a")}---\nkind: Pod\n  a: [\n---\n${pod("c")}`);
    assert.deepEqual(
      file.documents.map(({ yaml }) => yaml.problems.length),
      [0, 1, 0],
    );
    assert.deepEqual(
      file.documents.map(({ objects }) => objects.length),
      [1, 0, 1],
    );
  });

  test("the items of a List are objects with paths", () => {
    const [document] = readManifestFile(
      dedent(`
        apiVersion: v1
        kind: List
        items:
          - { apiVersion: v1, kind: PersistentVolume, metadata: { name: a, namespace: ignored } }
          - { apiVersion: v1, kind: PersistentVolumeClaim, metadata: { name: b } }
      `),
    ).documents;
    assert.deepEqual(
      document?.objects.map(({ ref, path }) => [ref, path]),
      [
        ["PersistentVolume//a", ["items", 0]],
        ["PersistentVolumeClaim/default/b", ["items", 1]],
      ],
    );
  });

  test("kinds of other projects have no ref, and other YAML has no objects", () => {
    const file = readManifestFile(
      `apiVersion: ceph.rook.io/v1\nkind: CephCluster\nmetadata: { name: x }\n---\nservices: { web: {} }\n`,
    );
    assert.deepEqual(
      file.documents.flatMap(({ objects }) => objects.map(({ kind, ref }) => [kind, ref])),
      [["CephCluster", undefined]],
    );
  });

  test("a file with one template expression is a template as a whole", () => {
    const text = `${pod("a")}---\n${pod("{{ .Release.Name }}")}`;
    assert.equal(readManifestFile(text).templateAt, text.indexOf("{{"));
  });

  test("an edit only reads the changed document again", () => {
    const before = readManifestFile(["a", "b", "c"].map(pod).join("---\n"));
    const after = readManifestFile(["a", "b2", "c"].map(pod).join("---\n"), before);
    assert.deepEqual(
      after.documents.map((document, i) => document === before.documents[i]),
      [true, false, true],
    );
    const moved = readManifestFile(["new", "a", "b", "c"].map(pod).join("---\n"), before);
    assert.deepEqual(
      moved.documents.slice(1).map((document, i) => document === before.documents[i]),
      [true, true, true],
    );
  });

  test("an offset finds its document", () => {
    const text = ["a", "b", "c"].map(pod).join("---\n");
    assert.equal(
      documentAt(readManifestFile(text), text.indexOf("name: b"))?.document.objects[0]?.name,
      "b",
    );
  });

  test("any text is read without an exception, and all places are inside it", () => {
    const pieces = fc.constantFrom(
      ..."---\n|apiVersion: v1\n|kind: Pod\n|\t|  |- |: |{{|}}|[|]|{|}|&a |*a|<<: |!!int |\"|'|# |? |> |\r\n|\u{1F4A5}|%YAML 1.2\n|...\n|@|name|\0|\uFEFF|1|~".split(
        "|",
      ),
      "|\n",
    );
    const text = fc.oneof(
      fc.string({ unit: "binary", maxLength: 60 }),
      fc.array(pieces, { maxLength: 60 }).map((parts) => parts.join("")),
    );
    fc.assert(
      fc.property(text, fc.nat(80), (source, offset) => {
        const file = readManifestFile(source);
        for (const { yaml } of file.documents) {
          for (const { start, end } of yaml.problems)
            assert.ok(start >= 0 && start <= end && end <= yaml.text.length);
          const { value } = locate(yaml, pathAt(yaml, Math.min(offset, yaml.text.length)).path);
          assert.ok(value.start >= 0 && value.start <= value.end && value.end <= yaml.text.length);
        }
      }),
      { seed: 4, numRuns: 500 },
    );
  });

  test("rereading after any edit gives the same result as a fresh reading", () => {
    const documents = fc.array(fc.constantFrom(pod("a"), pod("b"), "x: [\n", "", "# note\n"), {
      maxLength: 6,
    });
    fc.assert(
      fc.property(documents, documents, (first, second) => {
        const text = second.join("---\n");
        const incremental = readManifestFile(text, readManifestFile(first.join("---\n")));
        assert.deepEqual(incremental, readManifestFile(text));
      }),
      { seed: 7, numRuns: 300 },
    );
  });

  test("after any typing, deleting or pasting, every document is the same as in a fresh reading", () => {
    const piece = fc.constantFrom(
      "---\n",
      "\n---\n",
      "--- # next\n",
      "--- a: 1\n",
      "---",
      "-",
      "\n",
      "\r\n",
      "\uFEFF",
      "x: [\n",
      pod("a"),
      pod("b"),
    );
    const start = fc.array(piece, { maxLength: 12 }).map((parts) => parts.join(""));
    const edits = fc.array(
      fc.record({
        at: fc.double({ min: 0, max: 1, noNaN: true }),
        deleted: fc.nat(12),
        put: fc.oneof(piece, fc.constant("")),
      }),
      { minLength: 1, maxLength: 8 },
    );
    fc.assert(
      fc.property(start, edits, (text, all) => {
        let file = readManifestFile(text);
        for (const { at, deleted, put } of all) {
          const offset = Math.round(at * file.text.length);
          const edited = file.text.slice(0, offset) + put + file.text.slice(offset + deleted);
          file = readManifestFile(edited, file);
          assert.deepEqual(file, readManifestFile(edited));
        }
      }),
      { numRuns: 300 },
    );
  });
});
