/** Templates may come from anywhere: whatever they ask for, there is an answer, and soon. */
import assert from "node:assert/strict";
import fc from "fast-check";
import { helmFunctions } from "../../../../src/language-server/helm/functions/all.ts";
import type { GoMap, GoValue } from "../../../../src/language-server/helm/go-template/values.ts";
import { rendered } from "./rendered.ts";

const large: GoMap = new Map<string, GoValue>([
  ["numbers", Array.from({ length: 100_000 }, (_, at) => BigInt(at))],
  ["texts", Array.from({ length: 100_000 }, (_, at) => String(at))],
  ["map", new Map(Array.from({ length: 20_000 }, (_, at) => [`k${at}`, 1]))],
  ["text", "x".repeat(1_000_000)],
  ["yaml", "- {a: &x [b, 'c'], ? d : e}\n".repeat(20_000)],
  ["hours", "1h".repeat(1_000_000)],
  ["brackets", "[".repeat(1_000_000)],
  ["path", "a/../".repeat(200_000)],
]);

suite("limits of template functions", () => {
  for (const template of [
    '{{ repeat 9223372036854775807 "a" }}',
    '{{ indent 1000000000 "a" }}',
    '{{ nindent 1000000000 "a" }}',
    "{{ until 9223372036854775807 }}",
    "{{ untilStep 0 9223372036854775807 1 }}",
    "{{ seq 1 1000000000 }}",
    "{{ randAlphaNum 1000000000 }}",
    "{{ randBytes 1000000000 }}",
    '{{ $x := "ab" }}{{ range until 60 }}{{ $x = replace "a" "aa" $x }}{{ $x = cat $x $x }}{{ end }}',
    "{{ $d := dict }}{{ range until 60 }}{{ $d = dict `a` $d `b` $d }}{{ end }}{{ toYaml $d }}",
    "{{ $d := dict }}{{ range until 60 }}{{ $d = dict `a` $d `b` $d }}{{ end }}{{ deepCopy $d }}",
    "{{ $d := dict }}{{ range until 60 }}{{ $d = dict `a` $d `b` $d }}{{ end }}{{ toString $d }}",
    "{{ $l := list 1 }}{{ range until 60 }}{{ $l = concat $l $l }}{{ end }}",
    '{{ regexReplaceAll "a" (repeat 100000 "a") (repeat 20000 "$b") }}',
    '{{ printf (repeat 1500000 "%[1]1000d") 1 }}',
    '{{ $k := repeat 150000 "a" }}{{ $d := dict }}{{ range 90 }}{{ $d = dict $k $d }}{{ end }}{{ toToml $d }}',
    "{{ $l := until 800000 }}{{ range 95 }}{{ $l = list $l }}{{ end }}{{ toYaml $l }}",
  ])
    test(`${template} is too much`, () => {
      assert.match(rendered(template), /too much to be rendered here$/);
    });

  for (const action of [
    "toYaml .Values.numbers",
    "keys .Values.map",
    "sortAlpha .Values.texts",
    "fromYamlArray .Values.yaml",
    'regexReplaceAll "x" .Values.text "yy"',
    "durationRound .Values.hours",
    "fromJson .Values.brackets",
    "clean .Values.path",
    'genCA "a" 1',
    'genPrivateKey "rsa"',
    'htpasswd "a" "b"',
    'derivePassword 1 "long" "a" "b" "c"',
    'toDate "2006-01-02" "2026-01-02"',
    'semverCompare ">=1.2-0 <2 || ~3.1" "1.2.3"',
    "addf 1e308 1e-308",
    'sha256sum "a"',
    'urlParse "http://a/b"',
    'fromYaml "a"',
    'regexMatch (printf "(a|b|c){1,100}%d" .) "aaa"',
    'regexMatch (printf "%s%d" (repeat 140 "a{999}") .) "aaa"',
  ])
    test(`${action} repeated many times is too much`, () => {
      const template = `{{ range 1000000 }}{{ $x := ${action.replaceAll(".Values", "$.Values")} }}{{ end }}`;
      assert.match(rendered(template, large), /too much to be rendered here$/);
    });

  for (const template of [
    '{{ buildCustomCert (repeat 300000 "QUJD") "QUJD" | len }}',
    '{{ wrapWith 1 "" (repeat 2000000 "a") | len }}',
    '{{ printf (repeat 3000000 "%[") 1 | len }}',
    "{{ $d := dict }}{{ range 25 }}{{ $d = dict `a` $d `b` $d }}{{ end }}{{ printf `%1000v` $d | len }}",
    "{{ $l := until 2000 }}{{ $m := list }}{{ range 2000 }}{{ $m = append $m $l }}{{ end }}{{ printf `%1000v` $m | len }}",
    '{{ urlParse (printf "http://[::%s]" (repeat 1000000 "1.")) }}',
  ])
    test(`${template} comes to an end`, () => {
      assert.match(rendered(template), /^\d+$|^! error calling \w+: /);
    });

  const own = '{{ $d := dict "a" 1 }}{{ $_ := set $d "self" $d }}';

  test("a map that contains itself has no JSON and no YAML, as in Helm", () => {
    const template = `${own}[{{ toJson $d }}{{ toPrettyJson $d }}{{ toYaml $d }}{{ toYamlPretty $d }}]`;
    assert.equal(rendered(template), "[]");
    assert.equal(
      rendered(`${own}{{ mustToJson $d }}`),
      "! error calling mustToJson: json: unsupported value: encountered a cycle via map[string]interface {}",
    );
  });

  for (const call of [
    "deepCopy $d",
    "deepEqual $d (dict)",
    "toString $d",
    "merge (dict) $d",
    "has $d (list $d)",
    "sortAlpha (list $d)",
  ])
    test(`a map that contains itself makes ${call} fail`, () => {
      assert.match(rendered(`${own}{{ ${call} }}`), /the value holds itself$/);
    });

  for (const [what, text] of [
    ["tables", "[[x]]\n".repeat(300_000)],
    ["comments", "#\n".repeat(1_000_000)],
    ["brackets", `a = ${"[".repeat(1_000_000)}`],
    ["escapes", `a = "${"\\\\".repeat(1_000_000)}"`],
  ] as const)
    test(`TOML of nothing but ${what} is read or refused`, () => {
      const values: GoMap = new Map([["text", text]]);
      assert.match(rendered("{{ fromToml .Values.text | len }}", values), /^[01]$/);
    });

  test("a key named __proto__ is a key like any other", () => {
    assert.equal(rendered('{{ fromJson "{\\"__proto__\\": 1}" | toYaml }}'), "__proto__: 1");
    assert.equal(rendered('{{ (dict "__proto__" 1).toString | default "none" }}'), "none");
  });

  test("no function throws, whatever its arguments", () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...helmFunctions.keys()),
        fc.array(anything, { maxLength: 4 }),
        (name, args) => {
          const words = args.map((_, index) => ` (index .Values.args ${index})`);
          rendered(`{{ ${name}${words.join("")} }}`, new Map([["args", args]]));
        },
      ),
      { seed: 1, numRuns: 20_000 },
    );
  });
});

const scalars: fc.Arbitrary<GoValue> = fc.oneof(
  fc.constant(null),
  fc.boolean(),
  fc.string({ unit: "binary", maxLength: 12 }),
  fc.constantFrom(
    "",
    "a",
    "1.2.3",
    ">=1.2",
    "2006-01-02",
    "[a-z",
    "(a*)*",
    "\ud800",
    "a: [b",
    "1h",
    "%zz",
  ),
  fc.double(),
  fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
  fc.bigInt({ min: -3n, max: 5n }),
);
const anything: fc.Arbitrary<GoValue> = fc.oneof(
  { weight: 3, arbitrary: scalars },
  fc.array(scalars, { maxLength: 4 }),
  fc
    .array(fc.tuple(fc.string({ maxLength: 4 }), scalars), { maxLength: 4 })
    .map((fields): GoMap => new Map(fields)),
);
