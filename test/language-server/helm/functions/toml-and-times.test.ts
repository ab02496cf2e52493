/** How charts read and write TOML and use instants, in addition to the recorded answers. */
import assert from "node:assert/strict";
import { rendered } from "./rendered.ts";

const read = (lines: string): string =>
  rendered("{{ fromToml .Values.text | toJson }}", new Map([["text", lines]]));

suite("TOML", () => {
  test("a table may be inline", () => {
    assert.equal(read('a = { b = 1, c = { d = "x" } }'), '{"a":{"b":1,"c":{"d":"x"}}}');
    assert.equal(read("a = {}"), '{"a":{}}');
    assert.match(read("a = { b = 1 c = 2 }"), /^\{"Error":"toml: line 1.*expected a comma/);
    assert.match(read("a = { b = 1"), /^\{"Error":/);
  });

  test("a table below a list of tables belongs to the last one", () => {
    assert.equal(
      read("[[a]]\nb = 1\n[[a]]\nb = 2\n[a.c]\nd = 3"),
      '{"a":[{"b":1},{"b":2,"c":{"d":3}}]}',
    );
  });

  test("a key cannot be defined twice", () => {
    for (const text of [
      "a = 1\na = 2",
      "a = 1\n[a]\nb = 1",
      "a = 1\n[[a]]\nb = 1",
      "[a]\n[a]",
      "a = {}\n[a]",
      "[[a]]\n[a]",
    ])
      assert.match(read(text), /^\{"Error":"toml: line 2.*Key 'a' has already been defined\."\}$/);
    assert.equal(read("[a.b]\nc = 1\n[a]\nd = 2"), '{"a":{"b":{"c":1},"d":2}}');
  });

  test("a number needs digits around its point and its underscores", () => {
    assert.equal(
      read("a = 1_000.5\nb = -0.25e-2\nc = +5\nd = 0x1F\ne = 6e2"),
      '{"a":1000.5,"b":-0.0025,"c":5,"d":31,"e":600}',
    );
    for (const text of [".5", "5.", "1._5", "1__0.5", "1e", "Inf", "0.5x"])
      assert.match(read(`a = ${text}`), /^\{"Error":"toml: line 1: invalid value: /, text);
  });

  test("a multi-line text begins after its quotes, and a backslash removes a line end", () => {
    assert.equal(read('a = """\nx\\\n   y"""'), '{"a":"xy"}');
    assert.equal(read("a = '''\nx\\\n y''''"), `{"a":"x\\\\\\n y'"}`);
  });

  test("unclosed texts and lists are refused", () => {
    for (const text of ['a = "b', 'a = "1', "a = 'true\nb = 1", 'a = """b"'])
      assert.match(read(text), /^\{"Error":"toml: line 1.*: unexpected EOF; expected a quote"\}$/);
    assert.match(read("a = [1 2]"), /expected a comma or array terminator ']'/);
  });

  test("characters may be escaped by their numbers", () => {
    assert.equal(read('a = "\\u00e9\\U0001F600"'), '{"a":"é😀"}');
  });

  test("a date with a time and an offset is an instant", () => {
    assert.equal(read("a = 2026-02-03T04:05:06.5Z"), '{"a":"2026-02-03T04:05:06.5Z"}');
  });

  test("instants are written without quotes, NaN and infinity by name", () => {
    assert.equal(
      rendered(
        '{{ toToml (dict "at" now "day" (list now) "n" (float64 "NaN") "o" (float64 "-Inf")) }}',
      ),
      "at = 2026-01-01T00:00:00Z\nday = [2026-01-01T00:00:00Z]\nn = nan\no = -inf\n",
    );
  });

  test("a list of tables is written with double brackets", () => {
    assert.equal(
      rendered('{{ toToml (dict "a" (list (dict "b" 1) (dict "b" 2))) }}'),
      "[[a]]\n  b = 1\n\n[[a]]\n  b = 2\n",
    );
  });
});

suite("instants", () => {
  const at = '{{ $t := toDate "2006-01-02T15:04:05Z07:00" "2026-02-07T21:05:09Z" }}';
  const told = (expression: string): string => rendered(`${at}{{ ${expression} }}`);

  test("have layouts for 12-hour clocks, days of the year and fractions", () => {
    assert.equal(told('$t.Format "03:04 PM 3pm"'), "09:05 PM 9pm");
    assert.equal(told('($t.Add 54000000000000).Format "03 3 PM"'), "12 12 PM");
    assert.equal(told('$t.Format "002 __2"'), "038  38");
    assert.equal(told('($t.Add 1500000000).Format "05.000 05.999 05,00"'), "10.500 10.5 10,50");
    assert.equal(told('$t.Format "05.000 05.999"'), "09.000 09");
  });

  test("give access to their parts", () => {
    for (const [expression, shown] of [
      [
        "$t.Year }} {{ $t.Month }} {{ $t.Day }} {{ $t.Weekday }} {{ $t.YearDay",
        "2026 February 7 Saturday 38",
      ],
      ["$t.Hour }} {{ $t.Minute }} {{ $t.Second }} {{ ($t.Add 5).Nanosecond", "21 5 9 5"],
      [
        "$t.Unix }} {{ $t.UnixMilli }} {{ $t.UnixNano",
        "1770498309 1770498309000 1770498309000000000",
      ],
      [
        "$t.String }} {{ $t.UTC }} {{ $t.IsZero",
        "2026-02-07 21:05:09 +0000 UTC 2026-02-07 21:05:09 +0000 UTC false",
      ],
      ['$t.Format "Monday January _2 4:5 pm"', "Saturday February  7 5:9 pm"],
    ] as const)
      assert.equal(told(expression), shown);
  });

  test("are parsed from 12-hour clocks and two-digit years", () => {
    const times =
      'toDate "3:04 pm" "12:05 am" | date "15:04" }} {{ toDate "3:04 pm" "12:05 pm" | date "15:04"';
    assert.equal(told(times), "00:05 12:05");
    const years = 'toDate "06" "69" | date "2006" }} {{ toDate "06" "68" | date "2006"';
    assert.equal(told(years), "1969 2068");
  });

  test("can be compared", () => {
    assert.equal(
      told("$t.Before ($t.Add 1) }} {{ $t.After ($t.Add 1) }} {{ $t.Equal ($t.Add 0)"),
      "true false true",
    );
  });

  test("are texts in JSON", () => {
    assert.equal(told("$t | toJson"), '"2026-02-07T21:05:09Z"');
    assert.equal(told("($t.Add 1500000) | toJson"), '"2026-02-07T21:05:09.0015Z"');
  });
});

suite("durations", () => {
  test("that overflow Go's nanoseconds wrap around, which leaves parts of a second", () => {
    for (const [seconds, printed] of [
      ["18446744074", "290.448384ms"],
      ["-18446744074", "-290.448384ms"],
      ["18446744075", "1.290448384s"],
      ["20211507185753197", "512ns"],
      ["4394217352542426", "1.024µs"],
    ] as const)
      assert.equal(rendered(`{{ duration "${seconds}" }}`), printed);
  });
});

suite("certificates", () => {
  test("include their key in JSON", () => {
    assert.match(
      rendered('{{ genCA "ca" 1 | toJson }}'),
      /^\{"Cert":"-----BEGIN CERTIFICATE-----\\n.*","Key":"-----BEGIN RSA PRIVATE KEY-----\\n.*"\}$/,
    );
  });

  test("need names, addresses and keys of the right form", () => {
    for (const [expression, complaint] of [
      ['genSelfSignedCert "a" (list 1) nil 1', "error parsing ip: 1 is not a string"],
      ['genSelfSignedCert "a" (list "10.0.0.256") nil 1', "error parsing ip: 10.0.0.256"],
      ['genSelfSignedCert "a" (list "::1" "fe80::1%eth0") nil 1', "error parsing ip: fe80::1%eth0"],
      [
        'genSelfSignedCert "a" nil (list 1) 1',
        "error processing alternate dns name: 1 is not a string",
      ],
      ['genSelfSignedCertWithKey "a" nil nil 1 "x"', "parsing private key: no PEM data in input"],
      ['buildCustomCert "eA==" "!"', "unable to decode base64 private key"],
    ] as const)
      assert.match(
        rendered(`{{ ${expression} }}`),
        new RegExp(`^! .*${complaint.replaceAll("?", "\\?")}`),
        expression,
      );
    const key = 'genPrivateKey "ed25519"';
    assert.match(rendered(`{{ ${key} }}`), /^-----BEGIN PRIVATE KEY-----\n/);
    assert.match(
      rendered(`{{ (genSelfSignedCertWithKey "a" nil nil 1 (${key})).Key }}`),
      /^-----BEGIN PRIVATE KEY-----\n/,
    );
  });
});
