import assert from "node:assert/strict";
import fc from "fast-check";
import { judged } from "./judged.ts";

const tooLarge = "limit: What this schema asks for is more than is looked at here";

function said(schema: unknown, values: Parameters<typeof judged>[1] = { a: 1 }): string {
  return judged(JSON.stringify(schema), values);
}

/** Each definition refers twice to the next one. */
function doubling(keyword: "allOf" | "anyOf"): unknown {
  const definitions: Record<string, unknown> = { d40: { type: "string" } };
  for (let index = 0; index < 40; index++) {
    const next = { $ref: `#/$defs/d${index + 1}` };
    definitions[`d${index}`] = { [keyword]: [next, next] };
  }
  return { $ref: "#/$defs/d0", $defs: definitions };
}

suite("hostile schemas", () => {
  test("that multiply, nest without end or are huge are abandoned", () => {
    const chain = Object.fromEntries(
      Array.from({ length: 3000 }, (_, index) => [`d${index}`, { $ref: `#/$defs/d${index + 1}` }]),
    );
    const wide = Object.fromEntries(
      Array.from({ length: 30_000 }, (_, index) => [`p${index}`, { type: "string" }]),
    );
    assert.deepEqual(
      [
        said(doubling("allOf")),
        said(doubling("anyOf")),
        judged(`${'{"not":'.repeat(100_000)}{}${"}".repeat(100_000)}`, {}),
        said({ $ref: "#/$defs/d0", $defs: { ...chain, d3000: {} } }),
        said({ properties: wide }),
        said({ uniqueItems: true, items: {} }, { a: 1 }),
        said(
          { properties: { a: { uniqueItems: true } } },
          { a: Array.from({ length: 300_000 }, (_, index) => index) },
        ),
      ],
      [tooLarge, tooLarge, tooLarge, tooLarge, tooLarge, "", tooLarge],
    );
  });

  test("that refer to themselves are refused unless each round descends into the value", () => {
    const cycle = { $ref: "#/$defs/a", $defs: { a: { $ref: "#/$defs/b" }, b: { $ref: "#" } } };
    assert.equal(
      said(cycle),
      `- at '': both /$ref/$ref/$ref and  resolve to "file:///values.schema.json#" causing reference cycle`,
    );
    const endless = { properties: { a: { $ref: "#" } } };
    assert.equal(said(endless, { a: { a: { a: 1 } } }), "");
  });

  test("with references that are invalid pointers are refused", () => {
    for (const pointer of ["/~2", "/$defs/~2"])
      assert.equal(
        said({ properties: { a: { $ref: `#${pointer}` } }, $defs: { "~2": {} } }),
        `invalid json-pointer "file:///values.schema.json#${pointer}"`,
      );
  });

  test("with slow patterns take linear time, or are abandoned", () => {
    const text = `${"a".repeat(4000)}b`;
    assert.match(said({ properties: { a: { pattern: "^(a+)+$" } } }, { a: text }), /not match/);
    const patterns = Array.from({ length: 100 }, (_, index) => [`(a|b|c${index})*d{1,900}$`, {}]);
    const names = Array.from({ length: 100 }, (_, index) => ["abc".repeat(400) + index, 1]);
    const schema = { patternProperties: Object.fromEntries(patterns) };
    assert.equal(said(schema, Object.fromEntries(names)), tooLarge);
  });

  test("with numbers that no value comes near ignore these", () => {
    assert.equal(judged('{"properties":{"a":{"maximum":-1e999999999}}}', { a: 1 }), "");
    assert.equal(judged(`{"properties":{"a":{"maximum":-${"9".repeat(99_999)}}}}`, { a: 1 }), "");
  });

  test("with any contents are read or refused", () => {
    const words = [
      "type",
      "$ref",
      "#",
      "#/a",
      "properties",
      "$id",
      "$anchor",
      "not",
      "allOf",
      "x:y",
    ];
    const { tree } = fc.letrec((tie) => ({
      tree: fc.oneof(
        { maxDepth: 5 },
        fc.constantFrom<unknown>(
          null,
          true,
          false,
          0,
          -1.5,
          "string",
          "object",
          "integer",
          "[",
          "",
        ),
        fc.constantFrom(...words),
        fc.array(tie("tree"), { maxLength: 3 }),
        fc.dictionary(fc.constantFrom(...words), tie("tree"), { maxKeys: 4 }),
      ),
    }));
    fc.assert(
      fc.property(tree, (schema) => {
        assert.equal(typeof said(schema, { a: "b", type: [1], not: {} }), "string");
      }),
      { numRuns: 500 },
    );
  });
});

suite("references to other documents", () => {
  test("accept every value", () => {
    assert.equal(said({ $ref: "https://example.com/a.json#/b", maxProperties: 5 }), "");
    assert.equal(said({ $ref: "urn:example:a" }), "");
    assert.match(
      said({ $ref: "https://example.com/a.json", maxProperties: 0 }),
      /^- at '': maxProperties: got 2, want 0$/,
    );
  });

  test("are refused if Helm cannot load their scheme", () => {
    const message =
      'failing loading "ftp://a/b.json": no URLLoader registered for "ftp://a/b.json"';
    assert.equal(said({ $ref: "ftp://a/b.json" }), message);
  });

  test("keep the schema from being used if they name its draft", () => {
    assert.match(said({ $schema: "https://example.com/draft", maxProperties: 0 }), /^elsewhere: /);
  });

  test("fail for a file beside the schema, because Helm looks for it in the root folder", () => {
    const message =
      'failing loading "file:///parts/a.json": open /parts/a.json: no such file or directory';
    assert.equal(said({ properties: { b: { $ref: "parts/a.json#/b" } } }), message);
    assert.equal(said({ $ref: "file:///parts/a.json" }), "");
  });

  test("work for a draft's own schema", () => {
    for (const scheme of ["http", "https"]) {
      const $ref = `${scheme}://json-schema.org/draft-07/schema#`;
      const told = said({ properties: { a: { $ref } } });
      assert.match(told, /^- at '\/a': got number, want boolean or object$/, scheme);
    }
  });
});
