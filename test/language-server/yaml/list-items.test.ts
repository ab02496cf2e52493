/** A long List is read item by item; its value and places are the same as if it were read as a whole. */
import assert from "node:assert/strict";
import fc from "fast-check";
import {
  findPathAt,
  locate,
  pathAt,
  underline,
  underlineKey,
} from "../../../src/language-server/yaml/locate.ts";
import type { Path } from "../../../src/language-server/yaml/place.ts";
import { parseSyntaxTree } from "../../../src/language-server/yaml/syntax-tree.ts";
import { toValue } from "../../../src/language-server/yaml/to-value.ts";
import {
  itemsOf,
  readYamlDocument,
  type YamlDocument,
} from "../../../src/language-server/yaml/yaml-document.ts";

const simple = `apiVersion: v1
kind: PersistentVolumeClaim
metadata:
  name: data
  labels: { app: "web" }
spec:
  accessModes:
    - ReadWriteOnce
  resources: { requests: { storage: 1Gi } }
`;
const folded = `apiVersion: v1
kind: ConfigMap
metadata:
  name: "a
    b"
data:
  text: >-
    - one
    - two

    # three
  other: 'x'
`;
const flow = `{ apiVersion: v1, kind: Secret, metadata: { name: c,
  labels: { app: web } } }
`;

interface Writing {
  readonly indent: number;
  readonly comment: string;
  readonly before: string;
  readonly behind: string;
  readonly lineEnd: string;
}

const kubectl: Writing = {
  indent: 0,
  comment: "",
  before: "apiVersion: v1\n",
  behind: 'kind: List\nmetadata:\n  resourceVersion: ""\n',
  lineEnd: "\n",
};

function listOf(items: readonly string[], writing: Partial<Writing> = {}): string {
  const { indent, comment, before, behind, lineEnd } = { ...kubectl, ...writing };
  const pad = " ".repeat(indent);
  const lines = items.map((item) => {
    const [first = "", ...others] = item.trimEnd().split("\n");
    const rest = others.map((line) => (line === "" ? "" : `${pad}  ${line}`));
    return [`${comment}${pad}- ${first}`, ...rest].join("\n");
  });
  return `${before}items:\n${lines.join("\n")}\n${behind}`.replaceAll("\n", lineEnd);
}

/** Enough items to make the List long. */
const many = (...items: readonly string[]): readonly string[] =>
  Array.from({ length: Math.ceil(180 / items.length) }, () => items).flat();

/** A copy that is not known as read item by item, so that places are looked up in the tree of the whole. */
const wholeOf = (document: YamlDocument): YamlDocument => ({ ...document });

/** An unclosed bracket ends with its item, and not somewhere in the next one. */
function checkSame(text: string, before?: YamlDocument): YamlDocument {
  const document = readYamlDocument(text, before);
  const { root, problems } = parseSyntaxTree(text);
  const whole = toValue(root);
  const found = problems.length > 0 ? problems : whole.problems;
  const told = ({ problems: all }: Pick<YamlDocument, "problems">): readonly string[] =>
    all.map(({ message }) => message);
  assert.deepEqual(told(document), told({ problems: found }));
  const isRead = found.every(({ code }) => code === "yaml-duplicate-key");
  assert.deepEqual(document.value, isRead ? whole.value : undefined);
  return document;
}

const paths: readonly Path[] = [
  [],
  ["kind"],
  ["spec"],
  ["metadata", "name"],
  ["metadata", "labels", "app"],
  ["spec", "accessModes", 0],
  ["spec", "accessModes", 7],
  ["spec", "resources", "requests", "storage"],
  ["data", "text"],
  ["data", "other"],
];

function checkPlaces(document: YamlDocument): void {
  const whole = wholeOf(document);
  const count = itemsOf(document)?.length ?? 0;
  for (const index of [0, 1, 2, count - 1, count])
    for (const path of paths) {
      const inList = ["items", index, ...path];
      assert.deepEqual(locate(document, inList), locate(whole, inList), inList.join("/"));
      assert.deepEqual(underline(document, inList), underline(whole, inList), inList.join("/"));
      assert.deepEqual(underlineKey(document, inList), underlineKey(whole, inList));
    }
}

const writings: readonly Partial<Writing>[] = [
  {},
  { indent: 2 },
  { indent: 4, comment: "# above\n\n" },
  { before: "kind: List\napiVersion: v1\n", behind: "" },
  { lineEnd: "\r\n" },
];

suite("a long List", () => {
  for (const [index, writing] of writings.entries())
    test(`has the same values and places as the whole: ${index + 1}`, () => {
      for (const items of [many(simple), many(simple, folded, flow)]) {
        const document = checkSame(listOf(items, writing));
        assert.equal(itemsOf(document)?.length, items.length);
        checkPlaces(document);
      }
    });

  test("finds the path at an offset", () => {
    const text = listOf(many(simple, folded), { indent: 2, comment: "# above\n" });
    const document = readYamlDocument(text);
    const whole = wholeOf(document);
    const second = text.indexOf("kind: ConfigMap");
    for (let offset = second - 300; offset < second + 300; offset++) {
      const isBlank = /^\s*(?:#.*)?$/m.test(lineAt(text, offset));
      if (isBlank) continue;
      assert.deepEqual(pathAt(document, offset), findPathAt(whole, offset), `${offset}`);
    }
  });

  test("keeps the items that an edit does not change", () => {
    const text = listOf(many(simple, folded));
    const before = readYamlDocument(text);
    const after = checkSame(text.replace("1Gi", "2Gi"), before);
    const known = new Set(itemsOf(before)?.map(({ yaml }) => yaml));
    const isKept = itemsOf(after)?.map(({ yaml }) => known.has(yaml)) ?? [];
    assert.deepEqual(isKept.indexOf(false), 0);
    assert.equal(isKept.filter((kept) => !kept).length, 1);
  });

  test("is read as a whole if an item alone would be read differently or not at all", () => {
    const text = listOf(many(simple));
    const wrong: readonly (readonly [string, string])[] = [
      ["name: data", "name: &name data"],
      ["name: data", "name: *nothing"],
      ["  spec:", " spec:"],
      ["items:\n", "items: []\nitems:\n"],
      ["- apiVersion: v1", "-\n  apiVersion: v1"],
      ["- apiVersion: v1", "- text\n- apiVersion: v1"],
      ["kind: List", "kind: List\n...\nkind: Pod"],
    ];
    for (const [from, to] of wrong) {
      const document = checkSame(text.replace(from, to));
      assert.equal(itemsOf(document), undefined, to);
    }
  });

  test("reports a mistake in an item at its place in the List", () => {
    const text = listOf(many(simple));
    for (const [from, to] of [
      ["name: data", "name: [data"],
      ["name: data", "nam"],
      ["kind: PersistentVolumeClaim", "kind: Pod\n  kind: Pod"],
    ] as const) {
      const at = text.indexOf(from, 5000);
      const edited = text.slice(0, at) + to + text.slice(at + from.length);
      const document = checkSame(edited);
      assert.notEqual(itemsOf(document), undefined);
      const [problem] = document.problems;
      assert.ok(problem !== undefined && Math.abs(problem.start - at) < 60, to);
    }
  });

  test("gives the same result whatever is typed into it", () => {
    const text = listOf(many(simple, folded));
    let before = readYamlDocument(text);
    const typed = fc.constantFrom(
      " ",
      "\n",
      "- ",
      "\n- ",
      ":",
      ": ",
      "#",
      '"',
      "'",
      "&a ",
      "*a",
      "|",
      "items:\n",
      "\n\n",
      "{",
      "]",
      "x",
    );
    fc.assert(
      fc.property(fc.nat(text.length), fc.nat(12), typed, (at, cut, key) => {
        const edited = text.slice(0, at) + key + text.slice(at + cut);
        const document = readYamlDocument(edited, before);
        if (itemsOf(document) === undefined) return;
        before = checkSame(edited, before);
      }),
      { seed: 1, numRuns: 15 },
    );
  });
});

function lineAt(text: string, offset: number): string {
  const start = text.lastIndexOf("\n", offset - 1) + 1;
  const end = text.indexOf("\n", offset);
  return text.slice(start, end < 0 ? text.length : end);
}
