/** What Go's fmt makes of a text with percent signs and no operands. Upstream: fmt/print.go doPrintf, go 1.24. */
import assert from "node:assert/strict";
import { goFormat } from "../../../src/engine/api/go/format.ts";

const rows: readonly (readonly [text: string, told: string])[] = [
  ["pool is full", "pool is full"],
  ["pool is 95% full", "pool is 95%!f(MISSING)ull"],
  ["95%, the limit", "95%!,(MISSING) the limit"],
  ["at 100%", "at 100%!(NOVERB)"],
  ["at 100%.", "at 100%!(NOVERB)"],
  ["100%% sure", "100% sure"],
  ["%5.2f of %-3d", "%!f(MISSING) of %!d(MISSING)"],
  ["%*d", "%!(BADWIDTH)%!d(MISSING)"],
  ["%.*f", "%!(BADPREC)%!f(MISSING)"],
  ["%[1]s", "%!s(BADINDEX)"],
  ["100%é", "100%!é(MISSING)"],
];

suite("A text that Go uses as a format", () => {
  for (const [text, told] of rows) {
    test(`${text} becomes ${told}`, () => assert.equal(goFormat(text), told));
  }
});
