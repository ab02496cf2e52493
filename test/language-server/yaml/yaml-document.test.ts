import assert from "node:assert/strict";
import { readYamlDocument } from "../../../src/language-server/yaml/yaml-document.ts";
import { dedent } from "../../support/markers.ts";

function readValue(text: string): unknown {
  const { value, problems } = readYamlDocument(dedent(text));
  assert.deepEqual(problems, []);
  return value;
}

/** Problems as `code: text between the offsets: message`. */
function problemsOf(text: string): readonly string[] {
  const source = dedent(text);
  return readYamlDocument(source).problems.map(
    ({ code, start, end, message }) =>
      `${code} at ${JSON.stringify(source.slice(start, end))}: ${message}`,
  );
}

suite("reading a YAML document", () => {
  test("quoted scalars stay text, plain ones are read as YAML 1.1", () => {
    assert.deepEqual(
      readValue(`{ a: yes, b: "yes", c: 0644, d: '0644', e: !!str 12, f: !!int "12" }`),
      {
        a: true,
        b: "yes",
        c: 420,
        d: "0644",
        e: "12",
        f: 12,
      },
    );
  });

  test("binary values become text, and values with other tags stay text", () => {
    const text = `
      a: !!binary |
        aMOp
        bGxv
      b: !!binary gIGC
      c: ! 5
      d: !Ref 5
    `;
    assert.deepEqual(readValue(text), { a: "héllo", b: "\ufffd\ufffd\ufffd", c: "5", d: "5" });
  });

  test("a scalar that does not match its tag is refused, but an integer is a valid float", () => {
    assert.deepEqual(readValue("{ a: !!float 3, b: !!float 1.5, c: !!null ~, d: !!bool on }"), {
      a: 3,
      b: 1.5,
      c: null,
      d: true,
    });
    const refused = [
      "!!int abc",
      "!!int 1.5",
      "!!bool 1",
      "!!null no",
      "!!float x",
      "!!binary aGk",
    ];
    assert.deepEqual(
      refused.flatMap((text) => problemsOf(`a: ${text}`)),
      [
        'yaml-syntax at "abc": cannot decode !!str `abc` as a !!int: kubectl refuses it',
        'yaml-syntax at "1.5": cannot decode !!float `1.5` as a !!int: kubectl refuses it',
        'yaml-syntax at "1": cannot decode !!int `1` as a !!bool: kubectl refuses it',
        'yaml-syntax at "no": cannot decode !!bool `no` as a !!null: kubectl refuses it',
        'yaml-syntax at "x": cannot decode !!str `x` as a !!float: kubectl refuses it',
        'yaml-syntax at "aGk": This is no base64: kubectl refuses it',
      ],
    );
  });

  test("aliases and merge keys are resolved; a merge wins over the same key before it", () => {
    const text = `
      base: &base { a: 1, b: 2 }
      copy: *base
      before: { <<: *base, a: 3 }
      after: { a: 3, <<: *base }
      both: { <<: [ { a: 8 }, *base ] }
    `;
    assert.deepEqual(readValue(text), {
      base: { a: 1, b: 2 },
      copy: { a: 1, b: 2 },
      before: { a: 3, b: 2 },
      after: { a: 1, b: 2 },
      both: { a: 8, b: 2 },
    });
  });

  test("Windows line ends and a lone tab after a value change nothing", () => {
    assert.deepEqual(readValue("a: 1\r\nb:\r\n  - x\t\r\n"), { a: 1, b: ["x"] });
  });

  test("a lone carriage return ends a line, and so does U+0085", () => {
    const twice = "a: 1\r\r\nb:\r\r\n- c\r\r\n- d: 'e'\r\r\n";
    assert.deepEqual(readValue(twice), { a: 1, b: ["c", { d: "e" }] });
    assert.deepEqual(readValue("a: 1\r# c\rb: |\r  t\r  u\r"), { a: 1, b: "t\nu\n" });
    assert.deepEqual(readValue("a: x\x85b: 2"), { a: "x", b: 2 });
    assert.deepEqual(readValue('a: "x\r\n  y"\r\n'), { a: "x y" });
  });

  test("an invisible line separator is reported where it breaks the document", () => {
    const ends = "kubectl ends the line at this character, which cannot be seen: U+2028";
    for (const text of ["a: x\u2028y", "# x\u2028y\na: 1", "b: '\u2028'\na: |\n  x\u2028y"])
      assert.deepEqual(problemsOf(text), [`yaml-syntax at "\u2028": ${ends}`], text);
    assert.match(problemsOf("a: 'x\u2028y'\nb: x\u2029y").join(), /at "\u2029": .*U\+2029$/);
    assert.deepEqual(readValue("a: 'x\u2028y'\nb: 2"), { a: "x\u2028y", b: 2 });
  });

  test("JSON is YAML", () => {
    assert.deepEqual(readValue(`{"kind": "Pod", "spec": {"a": [1, true, null, "x/y"]}}`), {
      kind: "Pod",
      spec: { a: [1, true, null, "x/y"] },
    });
  });

  test("a key named __proto__ is a key like any other", () => {
    assert.equal(
      JSON.stringify(readValue("__proto__: { polluted: yes }")),
      `{"__proto__":{"polluted":true}}`,
    );
    assert.equal(Object.hasOwn(Object.prototype, "polluted"), false);
  });

  test("an apostrophe may be escaped in double quotes, as for kubectl", () => {
    assert.deepEqual(
      readValue(String.raw`{ a: "it\'s", b: "\\'", c: ["\'\"\'", 'x\'], "k\'": "\x41\'" }`),
      { a: "it's", b: "\\'", c: [`'"'`, "x\\"], "k'": "A'" },
    );
    assert.deepEqual(problemsOf(String.raw`a: "\'\&"`), [
      String.raw`yaml-syntax at "\\": Invalid escape sequence \&`,
    ]);
  });

  test("escapes of slashes and surrogates are reported, except in JSON", () => {
    assert.deepEqual(problemsOf(String.raw`a: "\\/ and \/"`), [
      String.raw`yaml-syntax at "\\/": kubectl knows this escape in JSON only: leave out the backslash`,
    ]);
    assert.deepEqual(problemsOf(String.raw`a: ["\u00e9", "\uD83D\ude00"]`), [
      String.raw`yaml-syntax at "\\uD83D\\ude00": kubectl knows this escape in JSON only: write the character`,
    ]);
    for (const half of ["\\ud83d", "\\uDC00"])
      assert.match(problemsOf(`a: "${half} b"\nc: "\\/"`).join(), /write the character$/, half);
    assert.deepEqual(readValue(String.raw`{"a": "\/ \ud83d\ude00"}`), { a: "/ 😀" });
    assert.deepEqual(readYamlDocument('\n {"a": "\\/"}').problems, []);
    assert.deepEqual(readValue(String.raw`[\/\ud83d, '\/']`), [
      String.raw`\/\ud83d`,
      String.raw`\/`,
    ]);
  });

  test("a tab as indentation is reported at its place", () => {
    assert.deepEqual(problemsOf("spec:\n\tname: x\n"), [
      `yaml-syntax at "\\t": kubectl takes no tab here: it reads it as indentation, even in a blank line and before a comment`,
    ]);
  });

  test("a tab that YAML allows but kubectl refuses is reported at its place", () => {
    const refused = [
      "a: [1]\n\t\nb: 2\n",
      "a:\n  \t# note\n  b: 1\n",
      "a:\n-\tb\n",
      "a:\n  -  \tb\n",
      "a:\n  b: text\n\t\n  c: 1\n",
      "a:\n- b: text\n  \t\n  c: 1\n",
      "a: text\n# note\n \t\nb: 1\n",
      "\ta: 1\n",
      "a: |\n  x\n\t\n  y\n",
      "a: |\n  x\n\t\nb: 1\n",
      "a: |\n  \tx\n",
      "a: |2\n    x\n \ty\n",
      "a:\n  - b: |1\n       x\n    \ty\n",
      "a: [b\n\t, c]\n",
      "a:\n  b: [c\n \td]\n",
      "a:\n  b: [c\n  \td]\n",
      "a:\n  b: [c, [d\n  \te]]\n",
    ];
    for (const text of refused) {
      const [problem, ...others] = readYamlDocument(text).problems;
      assert.equal(problem?.start, text.indexOf("\t"), JSON.stringify(text));
      assert.match(problem.message, /^kubectl takes no tab here/);
      assert.deepEqual(others, []);
    }
  });

  test("a missing or superfluous colon is reported in plain words", () => {
    const cases: readonly (readonly [string, RegExp])[] = [
      ["metadata.\n  name: x\n", /^A key ends with a colon and a blank in its own line/],
      ["path: /x\nserver:s\n", /^A key is followed by a colon and a blank/],
      ["note: see: below\n", /^A value cannot be a key as well: quote it/],
    ];
    for (const [text, message] of cases)
      assert.match(readYamlDocument(text).problems[0]?.message ?? "", message, text);
  });

  test("dots that end a document are noted if something follows them", () => {
    const dotsOf = (text: string): string | undefined => {
      const { unreadBehind } = readYamlDocument(text);
      return unreadBehind && text.slice(unreadBehind.start);
    };
    assert.equal(dotsOf("a: 1\n...\nb: 2\n"), "...\nb: 2\n");
    assert.equal(dotsOf("a: 1\n...\nb: [\n"), "...\nb: [\n");
    assert.equal(dotsOf("a: 1\n...\n# the end\n"), undefined);
    assert.equal(dotsOf("a: |\n  x\n  ...\nb: 2\n"), undefined);
    assert.deepEqual(readYamlDocument("a: 1\n...\nb: 2\n").value, { a: 1 });
  });

  test("a mistake is reported in plain words where it must be fixed", () => {
    const cases: readonly (readonly [string, string, RegExp])[] = [
      ['a:\n  b: "c\nd: e\n', '"c', /^This quote is not closed/],
      ["a: 'b\r\nc: d\r\n", "'b", /^This quote is not closed/],
      ["a:\n  b: c\n   # note\n\n   d: e\n", "d", /^This key is not indented as those above/],
      ["a:\n  - b\n - c\n", "-", /^This item is not indented as those above/],
      ["a:\n  - b: c\n      d: e\n", "d", /^This key is indented further than the one above/],
      ["a: b\r\n  c:\r\n", "c", /^This key is indented further than the one above/],
      ["a: {\n  b: c\n  d: e\n}\n", "c", /^A comma is missing here/],
      ["a: {b: c d: e}\n", "c d: e", /^A comma is missing here/],
      ["a: - b\n", "-", /^A list does not begin in the line of its key/],
      ["a: [b\nc: d\n", "c", /^A \] is missing for a \[/],
      ["a: @b\n", "@", /^A value that begins with @ needs quotes/],
      ["a: {b: c}}\n", "}", /^This } closes nothing/],
      ["a: 'it's'\n", "s'", /^The value before this has ended/],
      ["%YAML 1.1\n", "1", /^kubectl divides the file at ---/],
      ["a: b\u0000\n", "\0", /^kubectl takes no control characters, and here is one: U\+0000/],
      ["a: |\n  \u001b[1m\n", "\u001b", /U\+001B/],
    ];
    for (const [text, marked, message] of cases) {
      const [problem, ...others] = readYamlDocument(text).problems;
      assert.match(problem?.message ?? "", message, text);
      assert.equal(text.slice(problem?.start, problem?.end), marked, text);
      assert.deepEqual(others, []);
    }
    assert.deepEqual(readYamlDocument("a: b\ufffd😀\n").problems, []);
  });

  test("an indented line of dashes is reported as a misplaced separator, and nothing after it", () => {
    const text = "  kind: A\n  name: a\n\n  ---\n  kind: B\n  name: b\n";
    const [problem, ...others] = readYamlDocument(text).problems;
    assert.match(problem?.message ?? "", /^--- divides documents only where it begins its line/);
    assert.deepEqual([problem?.start, others], [text.indexOf("---"), []]);
    assert.deepEqual(readYamlDocument("a: |\n  ---\n  b\n").value, { a: "---\nb\n" });
    assert.deepEqual(problemsOf("a: 1\n\ufeff---\nb: 2\n"), [
      'yaml-syntax at "---": --- divides documents only where it begins its line; a byte order mark, which cannot be seen, stands before this one',
    ]);
  });

  test("other tabs are blanks or text", () => {
    const accepted: readonly (readonly [string, unknown])[] = [
      ["a:\t\n  b:\tc\t# note\n", { a: { b: "c" } }],
      ["a: [\n  \t1,\n  \t2\n]\n", { a: [1, 2] }],
      ['{\n\t"a": 1\n}\n', { a: 1 }],
      // kubectl has another reader for JSON, with which files may begin.
      ['{\n\t"a": [\n\t\t1\n\t],\n\t"b": "c\u2028d\x7f"\n}\n', { a: [1], b: "c\u2028d\x7f" }],
      ["a: b\n \t\nc: 1\n", { a: "b", c: 1 }],
      ["a: |\n  x\n  \ty\n", { a: "x\n\ty\n" }],
      ["a: |1\n \tx\n", { a: "\tx\n" }],
      ["a: |2\n    x\n  \ty\n   \tz\n", { a: "  x\n\ty\n \tz\n" }],
      ["a:\n  - b: |1\n       x\n     \ty\n", { a: [{ b: "  x\n\ty\n" }] }],
      ["a: 'x\ty'\n", { a: "x\ty" }],
      ["# \t\n#\t\na: 1\n", { a: 1 }],
    ];
    for (const [text, value] of accepted) {
      const read = readYamlDocument(text);
      assert.deepEqual([read.value, read.problems], [value, []], JSON.stringify(text));
    }
  });

  test("continuation lines of quoted text and brackets may have any indentation, as for kubectl", () => {
    const accepted: readonly (readonly [string, unknown])[] = [
      ["a:\n  b: 'c\n  d'\n  e: f\n", { a: { b: "c d", e: "f" } }],
      ['a: "b\nc\n\n\td"\ne: 1\n', { a: "b c\nd", e: 1 }],
      [
        "a:\n  b: [\n  c,\nd\n]\n  e: {\n f: g,\nh: 'i\nj' }\n",
        { a: { b: ["c", "d"], e: { f: "g", h: "i j" } } },
      ],
      ["a:\n- [b\nc]\n- d\n", { a: [["b c"], "d"] }],
      ["a:\n  b: [c,\n      x, [d\n    \te]]\n", { a: { b: ["c", "x", ["d e"]] } }],
      ["a:\n  b: [\n  1]\n  'c': d\n  e: f\n", { a: { b: [1], c: "d", e: "f" } }],
      ['a: ["b\n\tc"]\n', { a: ["b c"] }],
      ["a: [-, tar, xf, -]\n", { a: ["-", "tar", "xf", "-"] }],
      ["a: {b: -, -: c, d: -}\n", { a: { b: "-", "-": "c", d: "-" } }],
    ];
    for (const [text, value] of accepted) {
      const read = readYamlDocument(text);
      assert.deepEqual([read.value, read.problems], [value, []], JSON.stringify(text));
    }
  });

  test("in braces and brackets a colon and a question mark are read as kubectl reads them", () => {
    const text = `
      a: {b:, c:, d :}
      b: {"q":{}, "r":, s: [t:, 'u?', http://x:80/, u:]}
      c: why? {}
    `;
    assert.deepEqual(readValue(text), {
      a: { "b:": null, "c:": null, "d :": null },
      b: { q: {}, r: null, s: ["t:", "u?", "http://x:80/", "u:"] },
      c: "why? {}",
    });
    const blank = "A blank is missing behind this colon: kubectl reads no key here";
    for (const refused of ["{x: {b:{}}}", "{b :[]}", "[b:[1]]"])
      assert.deepEqual(problemsOf(refused), [`yaml-syntax at ":": ${blank}`], refused);
    assert.deepEqual(problemsOf("[curl, http://shop/?id=1, a?]"), [
      'yaml-syntax at "http://shop/?id=1": kubectl ends this text at its question mark: it needs quotes',
    ]);
    for (const refused of ["[a?b]", "{a?b: 1}"])
      assert.match(problemsOf(refused).join(), /at "a\?b": kubectl ends this text/);
    assert.deepEqual(problemsOf("args: [--listen, :8080]"), [
      'yaml-syntax at ":8080": kubectl takes no text here that begins with a colon: it needs quotes',
    ]);
    assert.deepEqual(problemsOf("args:\n- :8080\n"), []);
    const tag = "A blank is missing behind this tag: kubectl does not end it here";
    for (const refused of ["[!x]", "{a: !x}", "[!x, b]"])
      assert.deepEqual(
        problemsOf(refused),
        [`yaml-syntax at "${/!x:?/.exec(refused)?.[0]}": ${tag}`],
        refused,
      );
    assert.deepEqual(readValue("a: [!x , b, !!str c, !x ]"), { a: ["", "b", "c", ""] });
  });

  test("a comment after a quote, a bracket or a comma needs no blank before it", () => {
    const text = `a: "x"#c\nb: [p,#d\nq]#e\nc: |#f\n  g\nd: {\n  e: {f: h}\n# i\n}\n`;
    const read = readYamlDocument(text);
    assert.deepEqual(read.problems, []);
    assert.deepEqual(read.value, { a: "x", b: ["p", "q"], c: "g\n", d: { e: { f: "h" } } });
  });

  test("a repeated key is reported, and the last one counts", () => {
    const text = "a: 1\nb: 2\na: 3\n";
    assert.deepEqual(problemsOf(text), [
      'yaml-duplicate-key at "a": The key `a` occurs twice; kubectl silently keeps the last one',
    ]);
    assert.deepEqual(readYamlDocument(text).value, { a: 3, b: 2 });
  });

  test("unknown and circular aliases are reported", () => {
    assert.deepEqual(problemsOf("a: *nobody"), [
      'yaml-syntax at "*nobody": No anchor `&nobody` stands before this alias',
    ]);
    assert.deepEqual(problemsOf("a: {<<: *nobody}"), [
      'yaml-syntax at "*nobody": No anchor `&nobody` stands before this alias',
    ]);
    assert.deepEqual(problemsOf("a: {<<: [{ b: 1 }, *nobody]}"), [
      'yaml-syntax at "*nobody": No anchor `&nobody` stands before this alias',
    ]);
    assert.deepEqual(problemsOf("a: &a [*a]"), [
      'yaml-syntax at "*a": The anchor `&a` contains itself',
    ]);
  });

  test("an alias may be a key, and a key may have an anchor", () => {
    const text = "&app web: &port 80\n*port : *app\nb: [*app]\n";
    assert.deepEqual(readValue(text), { web: 80, 80: "web", b: ["web"] });
    assert.deepEqual(problemsOf("*nobody : a"), [
      'yaml-syntax at "*nobody": No anchor `&nobody` stands before this alias',
    ]);
    assert.deepEqual(problemsOf("a: &a {}\n*a : b"), [
      'yaml-syntax at "*a": A key must be text, a number or a boolean',
    ]);
  });

  test("an anchor's name may only have characters that kubectl accepts, and a value that begins with * needs quotes", () => {
    const takes = "kubectl takes only a-z, A-Z, 0-9, _ and - in the name of an anchor, not `&a.b`";
    assert.deepEqual(problemsOf("k: &a.b 1\nc: *a.b"), [`yaml-syntax at "1": ${takes}`]);
    assert.deepEqual(problemsOf("&a.b k: 1"), [`yaml-syntax at "k": ${takes}`]);
    assert.deepEqual(problemsOf("host: *.example.com"), [
      'yaml-syntax at "*.example.com": A value that begins with * needs quotes',
    ]);
  });

  test("an alias bomb is refused instead of expanded", () => {
    const lines = ["a0: &a0 [x, x, x, x, x, x, x, x, x, x]"];
    for (let i = 1; i < 12; i++)
      lines.push(
        `a${i}: &a${i} [${Array(10)
          .fill(`*a${i - 1}`)
          .join(", ")}]`,
      );
    assert.match(
      problemsOf(lines.join("\n")).join("\n"),
      /^yaml-limit at "\*a\d": This document grows to more than/,
    );
  });

  test("deep nesting is refused, however it is written", () => {
    const inputs = [
      "[".repeat(400_000),
      "[".repeat(300) + "]".repeat(300),
      `${"- ".repeat(50_000)}x`,
      `a: ${"b: ".repeat(50_000)}c\n d`,
      nested(300),
    ];
    for (const text of inputs)
      assert.match(problemsOf(text).join("\n"), /yaml-limit .*nests more than 200 levels/);
  });

  test("brackets in a text or a comment do not count as nesting", () =>
    assert.deepEqual(problemsOf(`a: "${"[".repeat(10_000)}" # ${"{".repeat(10_000)}`), []));

  test("tags are searched in linear time", () =>
    assert.deepEqual(problemsOf(`a: &x b # ${"!".repeat(400_000)}`), []));

  test("a template is recognized and not read", () => {
    for (const text of [
      "{{- if .Values.enabled }}\nkind: Pod\n{{- end }}",
      "metadata:\n  name: {{ .Release.Name }}",
      "metadata:\n  name: web-{{ .Release.Name }}",
      'metadata:\n  name: "{{ .Release.Name }}"',
      "{% if x %}\nkind: Pod\n{% endif %}",
      `apiVersion: v1\nkind: Pod\nname: {{ a }}\n${" ".repeat(300_000)}b`,
    ]) {
      assert.notEqual(readYamlDocument(text).templateAt, undefined, text);
    }
  });

  test("variables of other tools make a template of the kinds that are judged", () => {
    const claim = (size: string, apiVersion = "v1"): string =>
      `apiVersion: ${apiVersion}\nkind: PersistentVolumeClaim\nspec:\n  resources:\n    requests:\n      storage: ${size}`;
    for (const size of [
      '"[[ .Size ]]Gi"',
      "((size))",
      "<%= size %>",
      '"#{size}#"',
      "__SIZE__",
      "@SIZE@",
      "%SIZE%",
      "%(size)s",
    ]) {
      assert.notEqual(readYamlDocument(claim(size)).templateAt, undefined, size);
      assert.equal(readYamlDocument(claim(size, "example.com/v1")).templateAt, undefined, size);
    }
    for (const size of [
      "[[1Gi]]",
      "1Gi # __SIZE__",
      "'[[:alpha:]]'",
      "'__size__'",
      "'50%'",
      "<size>",
    ])
      assert.equal(readYamlDocument(claim(size)).templateAt, undefined, size);
  });

  test("a variable in a Secret's data makes a template, because base64 has no such characters", () => {
    const secret = (field: string): string =>
      `apiVersion: v1\nkind: Secret\nmetadata: { name: a }\n${field}:\n  password: \${PASSWORD}`;
    assert.notEqual(readYamlDocument(secret("data")).templateAt, undefined);
    assert.equal(readYamlDocument(secret("stringData")).templateAt, undefined);
  });

  test("a mistake stays a mistake even if there are braces elsewhere", () => {
    const text = "data:\n  rule: |\n    {{ $value }}\nspec:\n  a: [\n  b: 1\n";
    const { templateAt, problems } = readYamlDocument(text);
    assert.equal(templateAt, undefined);
    assert.deepEqual(
      problems.map(({ code }) => code),
      ["yaml-syntax"],
    );
  });

  test("braces for another program do not make a template", () => {
    for (const text of [
      "kind: Pod # {{ not here }}",
      "data:\n  rule: |\n    {{ $labels.instance }}",
      'metadata:\n  annotations:\n    inject: "{{ with secret }}"',
      "spec:\n  args: ['{{ x }}']",
    ]) {
      assert.equal(readYamlDocument(text).templateAt, undefined, text);
    }
  });

  test("an unfinished merge is reported as such, at its first line", () => {
    for (const end of ["\n", "\r\n"]) {
      const lines = ["spec:", "<<<<<<< HEAD", "  a: 1", "=======", "  a: 2", ">>>>>>> topic", ""];
      const [problem, ...others] = problemsOf(lines.join(end));
      assert.match(problem ?? "", /^yaml-syntax at "<<<<<<< HEAD": A merge is not finished here/);
      assert.deepEqual(others, []);
    }
    const half = ["  a: 2", ">>>>>>> topic", ""].join("\n");
    assert.match(problemsOf(half)[0] ?? "", /at ">>>>>>> topic": A merge is not finished here/);
  });
});

function nested(depth: number): string {
  return Array.from({ length: depth }, (_, i) => `${" ".repeat(i)}a:`).join("\n");
}
