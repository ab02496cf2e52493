/** What each keyword accepts and refuses, right at its limits. */
import assert from "node:assert/strict";
import type { Json } from "../../../../src/engine/api/json.ts";
import { judged } from "./judged.ts";

const drafts = {
  4: "http://json-schema.org/draft-04/schema#",
  6: "http://json-schema.org/draft-06/schema#",
  7: "http://json-schema.org/draft-07/schema#",
  2019: "https://json-schema.org/draft/2019-09/schema",
  2020: "https://json-schema.org/draft/2020-12/schema",
};

type Draft = keyof typeof drafts;

/** Messages about a value at `a`. */
function said(schema: unknown, value: Json, draft: Draft = 2020): string {
  const whole = { $schema: drafts[draft], properties: { a: schema } };
  return judged(JSON.stringify(whole), { a: value }).replaceAll("'/a", "'");
}

function takes(schema: unknown, ...values: readonly Json[]): void {
  for (const value of values) assert.equal(said(schema, value), "", JSON.stringify(value));
}

function refuses(schema: unknown, value: Json, told: string): void {
  assert.equal(said(schema, value), `- at ${told}`);
}

function when(condition: unknown, met: unknown, otherwise?: unknown): object {
  const parts = [condition, met, otherwise];
  return Object.fromEntries(["if", "then", "else"].map((keyword, i) => [keyword, parts[i]]));
}

suite("keywords for texts and numbers", () => {
  test("limit the length, in characters", () => {
    takes({ minLength: 2, maxLength: 3 }, "ab", "éé", "😀😀😀", 1);
    refuses({ minLength: 2 }, "a", "'': minLength: got 1, want 2");
    refuses({ maxLength: 3 }, "abcd", "'': maxLength: got 4, want 3");
  });

  test("limit the value, with or without the limit itself", () => {
    takes({ minimum: 2, maximum: 3 }, 2, 3, "a");
    refuses({ minimum: 2 }, 1, "'': minimum: got 1, want 2");
    refuses({ maximum: 3 }, 4, "'': maximum: got 4, want 3");
    takes({ exclusiveMinimum: 2, exclusiveMaximum: 4 }, 3);
    refuses({ exclusiveMinimum: 2 }, 2, "'': exclusiveMinimum: got 2, want 2");
    refuses({ exclusiveMaximum: 4 }, 4, "'': exclusiveMaximum: got 4, want 4");
    const first = { minimum: 2, exclusiveMinimum: true, maximum: 4, exclusiveMaximum: true };
    assert.equal(said(first, 3, 4), "");
    assert.equal(said(first, 2, 4), "- at '': exclusiveMinimum: got 2, want 2");
    assert.equal(said(first, 4, 4), "- at '': exclusiveMaximum: got 4, want 4");
  });

  test("require a multiple, without rounding", () => {
    takes({ multipleOf: 0.1 }, 0.3, 1);
    refuses({ multipleOf: 0.1 }, 0.25, "'': multipleOf: got 0.25, want 0.1");
  });

  test("require a match of a pattern, which Go must be able to read", () => {
    takes({ pattern: "^b" }, "bc", 1);
    refuses({ pattern: "^b" }, "cb", "'': 'cb' does not match pattern '^b'");
    const unread = "'[' is not valid regex: error parsing regexp: missing closing ]: `[`";
    for (const draft of [4, 6, 7, 2019, 2020] as const)
      assert.ok(said({ pattern: "[" }, "b", draft).endsWith(unread), `draft ${draft}`);
  });

  test("require a format, except in drafts since 2019", () => {
    const complaint = "- at '': 'a' is not valid ipv4: expected four decimals";
    assert.equal(said({ format: "ipv4" }, "a", 7), complaint);
    assert.equal(said({ format: "ipv4" }, 1, 7), "");
    assert.equal(said({ format: "ipv4" }, "a", 2019), "");
    const at = (format: string, text: string): string => said({ format }, text, 7);
    for (const address of ["0.0.0.0", "255.255.255.255"]) assert.equal(at("ipv4", address), "");
    for (const host of ["", "abc"])
      assert.match(at("uri", `http://[${host}]/`), /: invalid host: .*: unable to parse IP$/);
    assert.match(at("duration", "P1DT1HT1H"), /: more than one T$/);
    assert.match(at("email", '"ab@c'), /: invalid character '"'$/);
  });
});

suite("keywords for lists", () => {
  test("limit the number of items and forbid duplicates", () => {
    takes({ minItems: 1, maxItems: 2 }, [1], [1, 2], "a");
    refuses({ minItems: 1 }, [], "'': minItems: got 0, want 1");
    refuses({ maxItems: 2 }, [1, 2, 3], "'': maxItems: got 3, want 2");
    takes({ uniqueItems: true }, [1, 2], ["1", 1]);
    takes({ uniqueItems: false }, [1, 1]);
    const twins = [0, { b: 1, c: 2 }, { c: 2, b: 1 }];
    refuses({ uniqueItems: true }, twins, "'': items at 1 and 2 are equal");
  });

  test("describe the first items, and all others", () => {
    const newer = { prefixItems: [{ type: "string" }], items: { type: "number" } };
    const older = { items: [{ type: "string" }], additionalItems: { type: "number" } };
    for (const [schema, draft] of [[newer, 2020] as const, [older, 2019] as const]) {
      for (const list of [[], ["b"], ["b", 1]]) assert.equal(said(schema, list, draft), "");
      assert.equal(said(schema, [1], draft), "- at '/0': got number, want string");
      assert.equal(said(schema, ["b", "c"], draft), "- at '/1': got string, want number");
    }
    const none = { items: [true], additionalItems: false };
    assert.equal(said(none, [1], 7), "");
    assert.equal(said(none, [1, 2, 3], 7), "- at '': last 2 additionalItem(s) not allowed");
    assert.equal(said({ items: true, additionalItems: false }, [1], 7), "");
  });

  test("require one or several items that match a schema", () => {
    const contains = { type: "string" };
    takes({ contains }, [1, "b"]);
    refuses({ contains }, [], "'': no items match contains schema");
    takes({ contains, minContains: 0 }, [1]);
    takes({ contains, minContains: 2, maxContains: 3 }, ["b", "c"], ["b", "c", "d"]);
    const items = "items required to match contains schema, but";
    refuses({ contains, minContains: 2 }, ["b"], `'': min 2 ${items} matched 1 items at 0`);
    refuses({ contains, minContains: 2 }, [], `'': min 2 ${items} none matched`);
    refuses({ contains, maxContains: 1 }, ["b", "c"], `'': max 1 ${items} matched 2 items at 0 1`);
    assert.equal(said({ contains, minContains: 2 }, ["b"], 7), "");
    assert.equal(said({ contains }, [1], 4), "");
  });
});

suite("keywords for maps", () => {
  test("limit the number of properties and require some", () => {
    takes({ minProperties: 1, maxProperties: 2 }, { b: 1 }, { b: 1, c: 1 });
    refuses({ minProperties: 1 }, {}, "'': minProperties: got 0, want 1");
    refuses({ maxProperties: 1 }, { b: 1, c: 1 }, "'': maxProperties: got 2, want 1");
    takes({ required: ["b"] }, { b: null });
    refuses({ required: ["b", "c"] }, {}, "'': missing properties 'b', 'c'");
  });

  test("describe properties by name, by pattern, and all others", () => {
    const kinds = {
      properties: { b: { type: "string" } },
      patternProperties: { "^x-": { type: "number" }, "-y$": { minimum: 2 } },
      additionalProperties: { type: "boolean" },
    };
    takes(kinds, { b: "c", "x-d": 1, e: true });
    refuses(kinds, { b: 1 }, "'/b': got number, want string");
    refuses(kinds, { "x-y": 1 }, "'/x-y': minimum: got 1, want 2");
    refuses(kinds, { e: 1 }, "'/e': got number, want boolean");
    const closed = { ...kinds, additionalProperties: false };
    takes(closed, { b: "c", "x-d": 1 });
    refuses(closed, { b: "c", e: 1 }, "'': additional properties 'e' not allowed");
  });

  test("describe the names of properties, since draft 6", () => {
    const names = { propertyNames: { maxLength: 2 } };
    const complaint = "'': invalid propertyName 'bbb'\n  - at '': maxLength: got 3, want 2";
    takes(names, { bb: 1 });
    assert.equal(said(names, { bbb: 1 }, 6), `- at ${complaint}`);
    assert.equal(said(names, { bbb: 1 }, 4), "");
  });

  test("require other properties beside one, in the words of older drafts and of newer ones", () => {
    const older = { dependencies: { b: ["c"], e: { required: ["f"] } } };
    const newer = { dependentRequired: { b: ["c"] }, dependentSchemas: { e: { required: ["f"] } } };
    for (const schema of [older, newer]) {
      takes(schema, { b: 1, c: 1 }, { c: 1, f: 1 });
      refuses(schema, { b: 1 }, "'': properties 'c' required, if 'b' exists");
      refuses(schema, { e: 1 }, "'': missing property 'f'");
    }
    assert.equal(said(newer, { b: 1, e: 1 }, 7), "");
  });
});

suite("keywords for any value", () => {
  test("require a type", () => {
    takes({ type: ["string", "integer"] }, "b", 1);
    for (const [value, kind] of [[1.5, "number"] as const, [null, "null"] as const])
      refuses({ type: ["string", "integer"] }, value, `'': got ${kind}, want integer or string`);
  });

  test("require one of several values", () => {
    takes({ const: { b: [1] } }, { b: [1] });
    refuses({ const: { b: [1] } }, { b: [2] }, "'': 'const' failed");
    refuses({ const: 1 }, "1", "'': value must be 1");
    assert.equal(said({ const: 1 }, 2, 4), "");
    takes({ enum: [1, "b", null] }, null);
    refuses({ enum: [1, "b", null] }, 2, "'': value must be one of 1, 'b', <nil>");
    refuses({ enum: [[1]] }, [2], "'': 'enum' failed");
  });

  test("require all, any, one or none of several schemas", () => {
    takes({ allOf: [{ minimum: 2 }, { maximum: 3 }] }, 2);
    refuses(
      { allOf: [{ minimum: 2 }, { maximum: 3 }] },
      4,
      "'': 'allOf' failed\n  - at '': maximum: got 4, want 3",
    );
    takes({ anyOf: [{ type: "string" }, { minimum: 2 }] }, "b", 2);
    refuses(
      { anyOf: [{ type: "string" }, { minimum: 2 }] },
      1,
      "'': 'anyOf' failed\n  - at '': got number, want string\n  - at '': minimum: got 1, want 2",
    );
    const one = { oneOf: [{ minimum: 2 }, { maximum: 3 }, { const: 9 }] };
    takes(one, 1, 4);
    refuses(one, 2, "'': 'oneOf' failed, subschemas 0, 1 matched");
    refuses(one, 9, "'': 'oneOf' failed, subschemas 0, 2 matched");
    takes({ not: { type: "string" } }, 1);
    refuses({ not: { type: "string" } }, "b", "'': 'not' failed");
  });

  test("require a schema depending on another, since draft 7", () => {
    const cases = when({ minimum: 2 }, { maximum: 3 }, { const: 0 });
    takes(cases, 3, 0);
    refuses(cases, 4, "'': maximum: got 4, want 3");
    refuses(cases, 1, "'': value must be 0");
    assert.equal(said(cases, 4, 7), "- at '': maximum: got 4, want 3");
    assert.equal(said(cases, 4, 6), "");
    takes(when({ minimum: 2 }, false), 1);
  });
});

suite("unevaluated parts of a value", () => {
  const closed = (more: object): object => ({ ...more, unevaluatedProperties: false });
  const b = { properties: { b: { type: "string" } } };
  const c = { properties: { c: { type: "string" } } };

  test("are properties that no matching schema names", () => {
    takes(closed({ allOf: [b, c] }), { b: "x", c: "y" });
    takes(closed({ anyOf: [b, c] }), { b: "x", c: "y" });
    refuses(closed({ anyOf: [b, c] }), { b: "x", c: 1 }, "'/c': false schema");
    const one = [
      { ...b, required: ["b"] },
      { ...c, required: ["c"] },
    ];
    takes(closed({ oneOf: one }), { b: "x" });
    refuses(closed({ oneOf: one }), { b: "x", d: 1 }, "'/d': false schema");
    refuses(closed({ not: { ...b, required: ["c"] } }), { b: "x" }, "'/b': false schema");
    takes(closed({ additionalProperties: true }), { b: 1 });
    takes(closed({ patternProperties: { "^x-": true } }), { "x-b": 1 });
    refuses(closed({ patternProperties: { "^x-": true } }), { b: 1 }, "'/b': false schema");
    takes(closed({ dependentSchemas: { b: { allOf: [b, c] } } }), { b: "x", c: "y" });
    refuses(
      { unevaluatedProperties: { type: "string" } },
      { b: 1 },
      "'/b': got number, want string",
    );
    assert.equal(said(closed({}), { b: 1 }, 7), "");
  });

  test("depend on the branch of a condition that applies", () => {
    const ofB = { ...b, required: ["b"] };
    const schema = closed(when(ofB, c, { properties: { d: true } }));
    takes(schema, { b: "x", c: "y" }, { d: 1 });
    refuses(schema, { b: 1 }, "'/b': false schema");
    refuses(schema, { c: "y" }, "'/c': false schema");
  });

  test("are items after the described ones, since 2020 without those that `contains` finds", () => {
    takes(
      { prefixItems: [true], unevaluatedItems: false, allOf: [{ prefixItems: [true, true] }] },
      [1, 2],
    );
    refuses(
      { prefixItems: [true], unevaluatedItems: { type: "string" } },
      [1, 2],
      "'/1': got number, want string",
    );
    takes({ unevaluatedItems: false, allOf: [{ items: true }] }, [1]);
    const firstOnly = { unevaluatedItems: false, allOf: [{ prefixItems: [true] }] };
    refuses(firstOnly, [1, 2], "'/1': false schema");
    const found = { contains: { type: "string" }, unevaluatedItems: false };
    assert.equal(said(found, ["b"], 2020), "");
    refuses(found, ["b", 1], "'/1': false schema");
    assert.equal(said(found, ["b"], 2019), "- at '/0': false schema");
    assert.equal(
      said({ items: [true], unevaluatedItems: false }, [1, 2], 2019),
      "- at '/1': false schema",
    );
    assert.equal(
      said({ items: [true], additionalItems: true, unevaluatedItems: false }, [1, 2], 2019),
      "",
    );
  });
});

suite("a reference", () => {
  const whole = (draft: Draft, more: object, value: Json): string =>
    judged(JSON.stringify({ $schema: drafts[draft], ...more }), { a: value });

  test("disables the keywords beside it in older drafts", () => {
    const schema = {
      properties: { a: { $ref: "#/definitions/b", maximum: 3 } },
      definitions: { b: { type: "number" } },
    };
    assert.equal(whole(7, schema, 5), "");
    assert.equal(whole(7, schema, "b"), "- at '/a': got string, want number");
    assert.equal(whole(2019, schema, 5), "- at '/a': maximum: got 5, want 3");
  });

  const places = {
    4: "not additionalProperties items additionalItems",
    6: "propertyNames contains",
    7: "if then else",
    2019: "unevaluatedProperties unevaluatedItems contentSchema",
  };
  const lists = { 4: "allOf anyOf oneOf", 2020: "prefixItems" };
  const maps = { 4: "definitions properties patternProperties", 2019: "$defs dependentSchemas" };
  const since = (draft: Draft, words: Readonly<Record<number, string>>): readonly string[] =>
    Object.entries(words).flatMap(([first, some]) =>
      Number(first) <= draft ? some.split(" ") : [],
    );

  for (const draft of [4, 6, 7, 2019, 2020] as const)
    test(`finds a named schema wherever a schema may be in draft ${draft}`, () => {
      const name = draft < 2019 ? { [draft === 4 ? "id" : "$id"]: "#b" } : { $anchor: "b" };
      const named = { ...name, type: "string" };
      const holders = [
        ...since(draft, places).map((keyword) => ({ [keyword]: named })),
        ...since(draft, lists).map((keyword) => ({ [keyword]: [named] })),
        ...since(draft, maps).map((keyword) => ({ [keyword]: { b: named } })),
      ];
      for (const holder of holders) {
        const schema = { properties: { a: { $ref: "#b" }, holder } };
        const told = whole(draft, schema, 1);
        assert.equal(told, "- at '/a': got number, want string", JSON.stringify(holder));
      }
    });

  const tree = (name: object, child: object): object => ({
    ...{ $id: "tree", ...name, properties: { children: { items: child } } },
  });
  const strict = (draft: Draft, name: object, ofTree: object): string => {
    const own = { $id: "http://x/strict", ...name, $ref: "tree", properties: { global: true } };
    const schema = { $schema: drafts[draft], ...own, unevaluatedProperties: false };
    const values = { children: [{ children: [] }, { odd: 1 }] };
    return judged(JSON.stringify({ ...schema, $defs: { tree: ofTree } }), values);
  };
  const odd = "- at '/children/1/odd': false schema\n- at '/children': false schema";

  test("to a dynamic anchor leads to the outermost schema with that anchor", () => {
    const node = { $dynamicAnchor: "node" };
    assert.equal(strict(2020, node, tree(node, { $dynamicRef: "#node" })), odd);
    assert.equal(strict(2020, node, tree(node, { $ref: "#node" })), "");
    for (const other of [{}, { $anchor: "node" }])
      assert.equal(strict(2020, other, tree(node, { $dynamicRef: "#node" })), "");
    assert.equal(strict(2020, node, tree({ $anchor: "node" }, { $dynamicRef: "#node" })), "");
  });

  test("that is recursive leads to the outermost schema that allows it, if its own does", () => {
    const open = { $recursiveAnchor: true };
    const child = { $recursiveRef: "#" };
    assert.equal(strict(2019, open, tree(open, child)), odd);
    assert.equal(strict(2019, {}, tree(open, child)), "");
    assert.equal(strict(2019, open, tree({}, child)), "");
  });
});
