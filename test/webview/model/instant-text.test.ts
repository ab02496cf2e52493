import { strict as assert } from "node:assert";
import { instantText } from "../../../src/webview/model/instant-text.ts";

suite("instant text", () => {
  const cases: readonly (readonly [at: number, text: string])[] = [
    [0, "+0.000s"],
    [50, "+0.050s"],
    [9_999, "+9.999s"],
    [10_000, "+10.0s"],
    [59_900, "+59.9s"],
    [60_000, "+1m00s"],
    [303_999, "+5m03s"],
    [3_600_000, "+1h00m00s"],
    [86_400_000, "+24h00m00s"],
  ];
  for (const [at, text] of cases) {
    test(`${at} ms is ${text}`, () => assert.equal(instantText(at), text));
  }
});
