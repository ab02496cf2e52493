/** Texts that Helm generates anew each time: here they are the same each time, and have the same form. */
import assert from "node:assert/strict";
import { rendered } from "./rendered.ts";

suite("generated texts", () => {
  for (const [expression, form] of [
    ["randAlphaNum 12", /^[A-Za-z0-9]{12}$/],
    ["randAlpha 12", /^[A-Za-z]{12}$/],
    ["randNumeric 12", /^[0-9]{12}$/],
    ["randAscii 12", /^[ -~]{12}$/],
    ["randBytes 12", /^[A-Za-z0-9+/]{16}$/],
    ["randInt 3 5", /^[34]$/],
    ["uuidv4", /^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/],
    ['shuffle "aab"', /^(?=.*b)[ab]{3}$/],
    ['bcrypt "x"', /^\$2a\$10\$[./A-Za-z0-9]{53}$/],
    ['htpasswd "user" "x"', /^user:\$2a\$10\$[./A-Za-z0-9]{53}$/],
    ['derivePassword 1 "medium" "password" "user" "site"', /^[A-Z][a-z]{2}\d.[A-Z][a-z]{2}$/],
    ['encryptAES "key" "a text of 18 bytes"', /^[A-Za-z0-9+/]{64}$/],
    [
      'genPrivateKey "ecdsa"',
      /^-----BEGIN EC PRIVATE KEY-----\n[\s\S]+\n-----END EC PRIVATE KEY-----\n$/,
    ],
    [
      '(genCA "ca" 365).Cert',
      /^-----BEGIN CERTIFICATE-----\n(?:[A-Za-z0-9+/=]{1,64}\n)+-----END CERTIFICATE-----\n$/,
    ],
    ['(genSelfSignedCert "a" nil (list "a.b") 365).Key', /^-----BEGIN RSA PRIVATE KEY-----\n/],
    [
      '(genSignedCert "a" (list "10.0.0.1") nil 1 (genCA "ca" 1)).Cert',
      /^-----BEGIN CERTIFICATE-----\n/,
    ],
  ] as const)
    test(`${expression} has the form of a real one`, () => {
      const template = `{{ ${expression} }}`;
      assert.match(rendered(template), form);
      assert.equal(rendered(template), rendered(template));
    });

  test("the time is always the same", () => {
    assert.equal(rendered('{{ now | date "2006-01-02 15:04:05" }}'), "2026-01-01 00:00:00");
    assert.equal(rendered('{{ dateModify "-24h" now | htmlDate }}'), "2025-12-31");
    assert.equal(rendered('{{ ago (toDate "2006-01-02" "2025-12-31") }}'), "24h0m0s");
  });
});
