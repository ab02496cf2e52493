import assert from "node:assert/strict";
import fc from "fast-check";
import { instantOf, timestamp } from "../../../src/engine/api/timestamp.ts";

const start = Date.UTC(2026, 0, 1);

suite("A timestamp", () => {
  test("is RFC 3339 with full seconds, starting in 2026", () => {
    assert.equal(timestamp(0), "2026-01-01T00:00:00Z");
    assert.equal(timestamp(59 * 86_400_000 + 3_723_999), "2026-03-01T01:02:03Z");
  });

  test("agrees with the calendar for a century", () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 100 * 366 * 86_400 }), (seconds) => {
        const expected = `${new Date(start + seconds * 1000).toISOString().slice(0, 19)}Z`;
        assert.equal(timestamp(seconds * 1000), expected);
        assert.equal(instantOf(expected), seconds * 1000);
      }),
      { seed: 1 },
    );
  });

  test("that is unreadable gives NaN", () => {
    assert.ok(Number.isNaN(instantOf("yesterday")));
  });
});
