import assert from "node:assert/strict";
import { setValues } from "../../../../src/language-server/helm/chart/set-values.ts";
import {
  type GoMap,
  type GoValue,
  int64,
} from "../../../../src/language-server/helm/go-template/values.ts";

suite("values of a command line", () => {
  for (const [line, values] of [
    ["a=1,b=x y,c=true,d=null,e=", { a: int64(1n), b: "x y", c: true, d: null, e: "" }],
    ["a.b.c=1,a.b.d=2", { a: { b: { c: int64(1n), d: int64(2n) } } }],
    ["a[1].b=x,a[0]=y", { a: ["y", { b: "x" }] }],
    ["a[0][1]=x", { a: [[null, "x"]] }],
    ["a={x,1,true},b={}", { a: ["x", int64(1n), true], b: [""] }],
    ["a\\.b=1\\,2,c\\=d=e", { "a.b": "1,2", "c=d": "e" }],
    ["a=007,b=0,c=-5,d=1.5", { a: "007", b: int64(0n), c: int64(-5n), d: "1.5" }],
    ["a=9223372036854775808", { a: "9223372036854775808" }],
    ["a=1,a=2", { a: int64(2n) }],
  ] as const)
    test(`are read from ${line}`, () => {
      const read: GoMap = new Map();
      assert.equal(setValues(line, read, "set"), undefined);
      assert.deepEqual(plain(read), values);
    });

  test("are texts with --set-string", () => {
    const read: GoMap = new Map();
    setValues("a=1,b={true}", read, "set-string");
    assert.deepEqual(plain(read), { a: "1", b: ["true"] });
  });

  test("are merged into existing values", () => {
    const read: GoMap = new Map([["a", new Map<string, GoValue>([["b", 1]])]]);
    setValues("a.c=2", read, "set");
    assert.deepEqual(plain(read), { a: { b: 1, c: int64(2n) } });
  });

  test("are JSON with --set-json", () => {
    const read: GoMap = new Map();
    const line = 'a=1 ,b={"c":[1,"x,y"]} ,d=,e[1]=null,f.g="h"';
    assert.equal(setValues(line, read, "set-json"), undefined);
    assert.deepEqual(plain(read), {
      ...{ a: 1, b: { c: [1, "x,y"] }, d: null, e: [null, null], f: { g: "h" } },
    });
    for (const wrong of ['a={"b"', "a=x", "a=01", "a", `a=${"[".repeat(10_000)}`])
      assert.notEqual(setValues(wrong, new Map(), "set-json"), undefined);
  });

  test("are the contents of files with --set-file", () => {
    const read: GoMap = new Map();
    const readFile = (path: string): string | undefined =>
      path === "gone" ? undefined : `<${path}>`;
    assert.equal(setValues("a=x,b={y,z},c[0]=w", read, "set-file", readFile), undefined);
    assert.deepEqual(plain(read), { a: "<x>", b: ["<y>", "<z>"], c: ["<w>"] });
    assert.equal(
      setValues("a={x,gone}", new Map(), "set-file", readFile),
      "open gone: no such file or directory",
    );
  });

  test("are one text to the end of the line with --set-literal", () => {
    const read: GoMap = new Map();
    setValues("a.b[0]={x},c=1\\,2", read, "set-literal");
    assert.deepEqual(plain(read), { a: { b: ["{x},c=1\\,2"] } });
  });

  for (const [line, message] of [
    ["a", 'key "a" has no value'],
    ["a,b=1", 'key "a" has no value (cannot end with ,)'],
    ["a={x", "list must terminate with '}'"],
    ["a[x]=1", 'error parsing index: strconv.Atoi: parsing "x": invalid syntax'],
    ["a[-1]=1", "negative -1 index not allowed"],
    ["a[70000]=1", "index of 70000 is greater than maximum supported index of 65536"],
    ["a[0]b=1", "unexpected data at end of array index: ['b']"],
    [
      "a=1,a.b=2",
      "unable to parse key: interface conversion: interface {} is int64, not map[string]interface {}",
    ],
    [
      `${"a.".repeat(31)}b=1`,
      "value name nested level is greater than maximum supported nested level of 30",
    ],
  ] as const)
    test(`are refused with Helm's message: ${line.slice(0, 20)}`, () => {
      assert.equal(setValues(line, new Map(), "set"), message);
    });

  test("are refused if their lists nest too deeply", () => {
    assert.match(setValues(`a${"[0]".repeat(100_000)}=1`, new Map(), "set") ?? "", /nested level/);
  });
});

function plain(value: GoValue): unknown {
  if (value instanceof Map)
    return Object.fromEntries([...value].map(([key, item]) => [key, plain(item)]));
  return Array.isArray(value) ? value.map(plain) : value;
}
