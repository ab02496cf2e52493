import assert from "node:assert/strict";
import {
  addFields,
  addItem,
  moveItem,
  removeAt,
  removeField,
  renameKey,
  setField,
  splitItem,
  type TextEdit,
} from "../../../src/language-server/yaml/edits.ts";
import { parseFieldPath } from "../../../src/language-server/yaml/field-path.ts";
import { readYamlDocument } from "../../../src/language-server/yaml/yaml-document.ts";

function applied(text: string, edit: TextEdit | undefined): string | undefined {
  return edit === undefined
    ? undefined
    : text.slice(0, edit.start) + edit.text + text.slice(edit.end);
}

function set(text: string, path: string, value: string): string | undefined {
  return applied(text, setField(readYamlDocument(text), parseFieldPath(path), value));
}

function removed(text: string, path: string): string | undefined {
  return applied(text, removeField(readYamlDocument(text), parseFieldPath(path)));
}

function removedAt(text: string, path: string): string | undefined {
  return applied(text, removeAt(readYamlDocument(text), parseFieldPath(path)));
}

function renamed(text: string, path: string, name: string): string | undefined {
  return applied(text, renameKey(readYamlDocument(text), parseFieldPath(path), name));
}

function split(text: string, path: string): string | undefined {
  return applied(text, splitItem(readYamlDocument(text), parseFieldPath(path), ["ro", "sync"]));
}

function moved(text: string, from: number, to: number): string {
  return [...moveItem(readYamlDocument(text), ["a"], from, to)]
    .sort((one, other) => other.start - one.start)
    .reduce((whole, edit) => applied(whole, edit) ?? whole, text);
}

suite("edits of one field", () => {
  test("a value is replaced, and comments stay", () => {
    assert.equal(set("spec:\n  a: 1Gi # why\n", "spec.a", "2Gi"), "spec:\n  a: 2Gi # why\n");
    assert.equal(set("spec: { a: 'x', b: y }\n", "spec.a", "z"), "spec: { a: z, b: y }\n");
  });

  test("a list item is replaced in place", () => {
    assert.equal(set("a: [x, y]\n", "a[1]", "z"), "a: [x, z]\n");
    assert.equal(set("a:\n  - x # why\n", "a[0]", "z"), "a:\n  - z # why\n");
    assert.equal(set("a:\n  -\n", "a[0]", "z"), "a:\n  - z\n");
    assert.equal(set("a:\n  - x\n  - # why\n", "a[1]", "z"), "a:\n  - x\n  - z # why\n");
    assert.equal(set("a: [{ b: 1 }]\n", "a[0]", "z"), undefined);
  });

  test("an item is added after the last one, and a list is created for the first", () => {
    assert.equal(set("a: [x]\n", "a[1]", "-o z"), "a: [x, -o z]\n");
    assert.equal(set("a:\n  - x # why\nb: 1\n", "a[1]", "z"), "a:\n  - x # why\n  - z\nb: 1\n");
    assert.equal(set("s:\n  b: 1\n", "s.a[0]", "z"), "s:\n  b: 1\n  a: [z]\n");
    assert.equal(set("s: {}\n", "s.a[0]", "z"), "s: { a: [z] }\n");
    assert.equal(set("s:\n  a:\n", "s.a[0]", "z"), undefined);
    assert.equal(set("a: [x]\n", "a[2]", "z"), undefined);
    assert.equal(set("s: {}\n", "s.a[1]", "z"), undefined);
  });

  test("an empty value is filled in", () => {
    assert.equal(set("spec:\n  a:\n  b: 1\n", "spec.a", "x"), "spec:\n  a: x\n  b: 1\n");
  });

  test("missing fields below an empty key are written below it", () => {
    assert.equal(
      set("spec:\n  a: # why\n  b: 1\n", "spec.a.c.d", "x"),
      "spec:\n  a: # why\n    c:\n      d: x\n  b: 1\n",
    );
    assert.equal(set("list:\n  - a:", "list[0].a.c", "x"), "list:\n  - a:\n      c: x");
    assert.equal(set("spec: { a: , b: 1 }\n", "spec.a.c", "x"), "spec: { a: { c: x } , b: 1 }\n");
    assert.equal(set("spec: text\n", "spec.a", "x"), undefined);
  });

  test("a missing field is added after its siblings, with the mappings above it", () => {
    assert.equal(
      set("spec:\n  a: 1\nstatus: {}\n", "spec.b", "x"),
      "spec:\n  a: 1\n  b: x\nstatus: {}\n",
    );
    assert.equal(
      set("spec:\n  a:\n    - 1\n", "spec.b.c", "x"),
      "spec:\n  a:\n    - 1\n  b:\n    c: x\n",
    );
    assert.equal(set("spec: { a: 1 }\n", "spec.b.c", "x"), "spec: { a: 1, b: { c: x } }\n");
    assert.equal(
      set("spec: {a: 1, b: [2]} # why\n", "spec.c", "x"),
      "spec: {a: 1, b: [2], c: x} # why\n",
    );
    assert.equal(set("spec: {}\n", "spec.c", "x"), "spec: { c: x }\n");
    assert.equal(
      set("spec: {\n    a: 1\n  }\n", "spec.c", "x"),
      "spec: {\n    a: 1,\n    c: x\n  }\n",
    );
    assert.equal(set("a: 1", "b", "x"), "a: 1\nb: x");
  });

  test("text that YAML would read as something else is quoted", () => {
    assert.equal(set("a: 1\n", "a", ""), 'a: ""\n');
    assert.equal(set("a: 1\n", "a", "true"), 'a: "true"\n');
    assert.equal(set("a: 1\n", "a", "1e3"), 'a: "1e3"\n');
    assert.equal(set("a: 1\n", "a", ".5"), 'a: ".5"\n');
    assert.equal(set("a: 1\n", "a", "10Gi"), "a: 10Gi\n");
  });

  test("JSON stays JSON", () => {
    const json = '{\n  "kind": "Pod",\n  "spec": {"a": "x"},\n  "list": [{}]\n}\n';
    const changes = [
      ["spec.a", "z"],
      ["spec.b.c", "/d"],
      ["status", "1Gi"],
      ["list[0].d", "e"],
    ] as const;
    let text = json;
    for (const [path, value] of changes) text = set(text, path, value) ?? "";
    assert.deepEqual(JSON.parse(text), {
      kind: "Pod",
      spec: { a: "z", b: { c: "/d" } },
      list: [{ d: "e" }],
      status: "1Gi",
    });
    assert.match(text, /,\n {2}"status": "1Gi"\n\}\n$/);
    assert.equal(
      applied('{"a": 1}', addFields(readYamlDocument('{"a": 1}'), [], { b: ["c"] })),
      '{"a": 1, "b":["c"]}',
    );
  });

  test("an item is added to the end of a list, and comments stay", () => {
    const added = (text: string): string | undefined =>
      applied(text, addItem(readYamlDocument(text), ["a"], { b: 1 }));
    assert.equal(added("a:\n- c: 1 # why\nd: 2\n"), "a:\n- c: 1 # why\n- { b: 1 }\nd: 2\n");
    assert.equal(added("a:\n  - c: 1\n    e: 2"), "a:\n  - c: 1\n    e: 2\n  - { b: 1 }");
    assert.equal(added("a: [{ c: 1 }]\n"), "a: [{ c: 1 }, { b: 1 }]\n");
    assert.equal(added('{"a": [{"c": 1}]}'), '{"a": [{"c": 1}, {"b":1}]}');
    assert.equal(added("a: []\n"), undefined);
    assert.equal(added("a: text\n"), undefined);
  });

  test("a field is removed with its line or its comma", () => {
    assert.equal(removed("a: 1\nb:\n  - x\n  - y\nc: 3\n", "b"), "a: 1\nc: 3\n");
    assert.equal(removed("x: { a: 1, b: 2, c: 3 }\n", "x.b"), "x: { a: 1, c: 3 }\n");
    assert.equal(removed("x: { a: 1, b: 2 }\n", "x.b"), "x: { a: 1 }\n");
  });

  test("a block text is removed or replaced without the line after it", () => {
    assert.equal(removed("a: |\n  x\nb: 1\n", "a"), "b: 1\n");
    assert.equal(set("a: >-\n  x\nb: 1\n", "a", "z"), "a: z\nb: 1\n");
    assert.equal(split("a:\n- |\n  ro,\n  sync\n- x\n", "a[0]"), "a:\n- ro\n- sync\n- x\n");
  });

  test("when an item's first field is removed, the next one moves to the dash, or braces remain", () => {
    assert.equal(removed("a:\n- b: 1\n  c: 2\n  d: 3\n", "a[0].b"), "a:\n- c: 2\n  d: 3\n");
    assert.equal(removed("a:\n- b: 1\nc: 2\n", "a[0].b"), "a:\n- {}\nc: 2\n");
    assert.equal(removed("? a\n: 1\nb: 2\n", "a"), undefined);
  });

  test("a list item is removed with its lines or its comma, and the only one with its list", () => {
    assert.equal(removedAt("a:\n- b: 1\n  c: 2\n- d: 3\n", "a[0]"), "a:\n- d: 3\n");
    assert.equal(removedAt("a: [b, c]\n", "a[1]"), "a: [b]\n");
    assert.equal(removedAt("a: [\n  b # why\n  , c\n]\n", "a[0]"), "a: [\n  c\n]\n");
    assert.equal(removedAt('{"a": ["b"], "c": 1}', "a[0]"), '{"c": 1}');
    assert.equal(removedAt("a:\n- b: 1\nc: 2\n", "a[0]"), "c: 2\n");
  });

  test("an anchor is not removed, and an alias is not moved before it", () => {
    assert.equal(removed("a: &x 1\nb: *x\n", "a"), undefined);
    assert.equal(removedAt("a: [{ b: &x 1 }, { b: *x }]\n", "a[0]"), undefined);
    assert.equal(removedAt("a: [{ b: &x 1 }, { b: *x }]\n", "a[1]"), "a: [{ b: &x 1 }]\n");
    const behindAnchor = "a: [&x b, c, *x]\n";
    assert.equal(moved(behindAnchor, 2, 0), behindAnchor);
    assert.equal(moved(behindAnchor, 2, 1), "a: [&x b, *x, c]\n");
  });

  test("lines may end with a lone carriage return", () => {
    assert.equal(removed("a: 1\rb: 2\rc: 3\r", "b"), "a: 1\rc: 3\r");
    assert.equal(set("a:\r  b: 1\rc: 3\r", "a.d", "x"), "a:\r  b: 1\n  d: x\rc: 3\r");
    assert.equal(removedAt("a:\r- b\r- c\r", "a[0]"), "a:\r- c\r");
  });

  test("a key is renamed within its quotes, but not if it contains escapes", () => {
    assert.equal(renamed("a:\n- 'b': 1\n", "a[0].b", "$&"), "a:\n- '$&': 1\n");
    assert.equal(renamed('"\\x61": 1\n', "a", "b"), undefined);
    assert.equal(renamed("a: 1\n", "b", "c"), undefined);
  });

  test("an item is split if it is alone on its line or in brackets", () => {
    assert.equal(split("a:\n  - ro,sync # why\n", "a[0]"), "a:\n  - ro\n  - sync # why\n");
    assert.equal(split('{"a": ["ro,sync"]}', "a[0]"), '{"a": ["ro", "sync"]}');
    assert.equal(split("a:\n- &x ro,sync\n", "a[0]"), undefined);
    assert.equal(split("a:\n- { b: 1 }\n", "a[0]"), undefined);
    assert.equal(split("a:\n- b\n", "a[1]"), undefined);
  });

  test("an impossible edit is not made", () => {
    assert.equal(set("a: text\n", "a.b", "x"), undefined);
    assert.equal(removed("a: 1\n", "b"), undefined);
  });
});
