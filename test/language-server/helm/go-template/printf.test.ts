import assert from "node:assert/strict";
import { sprintf } from "../../../../src/language-server/helm/go-template/printf.ts";

suite("printf", () => {
  for (const [format, value, printed] of [
    ["%d", -5n, "-5"],
    ["%x", -255n, "-ff"],
    ["%#x", -255n, "-0xff"],
    ["%o", -8n, "-10"],
    ["%b", -5n, "-101"],
    ["%+d", -5n, "-5"],
    ["% d", -5n, "-5"],
    ["%05d", -5n, "-0005"],
    ["%-5d|", -5n, "-5   |"],
  ] as const)
    test(`has the sign of ${value} once with ${format}`, () => {
      assert.equal(sprintf(format, [value]), printed);
    });
});
