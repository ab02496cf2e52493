import assert from "node:assert/strict";
import {
  resolvePlainKey,
  resolvePlainScalar,
} from "../../../src/language-server/yaml/kubernetes-scalar.ts";

suite("scalars as kubectl reads them", () => {
  const cases: readonly (readonly [string, unknown])[] = [
    ["0755", 493],
    ["0o755", 493],
    ["0b101", 5],
    ["1_000", 1000],
    ["0x1F", 31],
    ["+12", 12],
    ["-7", -7],
    [".5", 0.5],
    ["1e3", 1000],
    ["08", 8],
    ["1.0", 1],
    ["1e400", "1e400"],
    ["12:30:45", "12:30:45"],
    ["1:30", "1:30"],
    ["2001-01-01", "2001-01-01"],
    ["10Gi", "10Gi"],
    ["yes", true],
    ["No", false],
    ["ON", true],
    ["y", true],
    ["yEs", "yEs"],
    ["~", null],
    ["NULL", null],
    ["", null],
    [".inf", undefined],
    [".nan", undefined],
    ["-", "-"],
    ["1.2.3", "1.2.3"],
  ];
  for (const [source, value] of cases) {
    test(`${JSON.stringify(source)} is ${JSON.stringify(value) ?? "refused"}`, () => {
      assert.deepEqual(resolvePlainScalar(source), value);
    });
  }

  test("keys become text, and null is no key", () => {
    assert.deepEqual(["y", "on", "0755", "1", "name", "~"].map(resolvePlainKey), [
      "true",
      "true",
      "493",
      "1",
      "name",
      undefined,
    ]);
  });
});
