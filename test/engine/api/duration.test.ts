/** Durations in Go's notation, up to the last nanosecond that fits into 64 bits. */
import assert from "node:assert/strict";
import { parseDuration } from "../../../src/engine/api/go/duration.ts";

suite("Durations", () => {
  test("have units, signs and fractions", () => {
    assert.equal(parseDuration("1h30m"), 5_400_000);
    assert.equal(parseDuration("-2.5s"), -2500);
    assert.equal(parseDuration(".5us"), 0.0005);
  });

  test("must fit into 64 bits of nanoseconds, one more of them if negative", () => {
    const invalid = (text: string): string => `time: invalid duration "${text}"`;
    assert.equal(parseDuration("9223372036854775807ns"), 2 ** 63 / 1e6);
    assert.equal(parseDuration("9223372036854775808ns"), invalid("9223372036854775808ns"));
    assert.equal(parseDuration("-9223372036854775808ns"), -(2 ** 63) / 1e6);
    assert.equal(parseDuration("-9223372036854775809ns"), invalid("-9223372036854775809ns"));
  });

  test("are too long before their unit is checked", () => {
    assert.equal(parseDuration("1d"), 'time: unknown unit "d" in duration "1d"');
    assert.match(String(parseDuration("9999999999999999999d")), /^time: invalid duration /);
  });
});
