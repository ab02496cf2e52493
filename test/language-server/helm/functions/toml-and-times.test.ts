/** What charts read and write as TOML, and what they do with instants, beside the recorded answers. */
import assert from "node:assert/strict";
import { rendered } from "./rendered.ts";

const read = (lines: string): string =>
  rendered("{{ fromToml .Values.text | toJson }}", new Map([["text", lines]]));

suite("TOML", () => {
  test("a table may stand in a line", () => {
    assert.equal(read('a = { b = 1, c = { d = "x" } }'), '{"a":{"b":1,"c":{"d":"x"}}}');
    assert.equal(read("a = {}"), '{"a":{}}');
    assert.match(read("a = { b = 1 c = 2 }"), /^\{"Error":"toml: line 1.*expected a comma/);
    assert.match(read("a = { b = 1"), /^\{"Error":/);
  });

  test("a table below a list of tables is part of the list's last one", () => {
    assert.equal(
      read("[[a]]\nb = 1\n[[a]]\nb = 2\n[a.c]\nd = 3"),
      '{"a":[{"b":1},{"b":2,"c":{"d":3}}]}',
    );
  });

  test("a key has one value", () => {
    for (const text of ["a = 1\na = 2", "a = 1\n[a]\nb = 1", "a = 1\n[[a]]\nb = 1"])
      assert.match(read(text), /^\{"Error":"toml: line 2.*Key 'a' has already been defined\."\}$/);
  });

  test("texts and lists end", () => {
    for (const text of ['a = "b', 'a = "1', "a = 'true\nb = 1", 'a = """b"'])
      assert.match(read(text), /^\{"Error":"toml: line 1.*: unexpected EOF; expected a quote"\}$/);
    assert.match(read("a = [1 2]"), /expected a comma or array terminator ']'/);
  });

  test("letters may be written by their numbers", () => {
    assert.equal(read('a = "\\u00e9\\U0001F600"'), '{"a":"é😀"}');
  });

  test("a date with a time and an offset is an instant", () => {
    assert.equal(read("a = 2026-02-03T04:05:06.5Z"), '{"a":"2026-02-03T04:05:06.5Z"}');
  });

  test("a list of tables is written as such", () => {
    assert.equal(
      rendered('{{ toToml (dict "a" (list (dict "b" 1) (dict "b" 2))) }}'),
      "[[a]]\n  b = 1\n\n[[a]]\n  b = 2\n",
    );
  });
});

suite("instants", () => {
  const at = '{{ $t := toDate "2006-01-02T15:04:05Z07:00" "2026-02-07T21:05:09Z" }}';
  const told = (expression: string): string => rendered(`${at}{{ ${expression} }}`);

  test("hours on a dial, days of the year and fractions have layouts", () => {
    assert.equal(told('$t.Format "03:04 PM 3pm"'), "09:05 PM 9pm");
    assert.equal(told('($t.Add 54000000000000).Format "03 3 PM"'), "12 12 PM");
    assert.equal(told('$t.Format "002 __2"'), "038  38");
    assert.equal(told('($t.Add 1500000000).Format "05.000 05.999 05,00"'), "10.500 10.5 10,50");
    assert.equal(told('$t.Format "05.000 05.999"'), "09.000 09");
  });

  test("are compared", () => {
    assert.equal(
      told("$t.Before ($t.Add 1) }} {{ $t.After ($t.Add 1) }} {{ $t.Equal ($t.Add 0)"),
      "true false true",
    );
  });

  test("stand in JSON as texts", () => {
    assert.equal(told("$t | toJson"), '"2026-02-07T21:05:09Z"');
    assert.equal(told("($t.Add 1500000) | toJson"), '"2026-02-07T21:05:09.0015Z"');
  });
});

suite("durations", () => {
  test("too long for Go's nanoseconds turn over, so that parts of a second are left", () => {
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
  test("stand in JSON with their key", () => {
    assert.match(
      rendered('{{ genCA "ca" 1 | toJson }}'),
      /^\{"Cert":"-----BEGIN CERTIFICATE-----\\n.*","Key":"-----BEGIN RSA PRIVATE KEY-----\\n.*"\}$/,
    );
  });

  test("are made for texts, and with a key that is one", () => {
    for (const [expression, complaint] of [
      ['genSelfSignedCert "a" (list 1) nil 1', "error parsing ip: 1 is not a string"],
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
