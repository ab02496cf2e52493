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
    ["685_230.15", 685230.15],
    ["685.230_15e+03", 685230.15],
    ["0_9", 9],
    [".5_0", ".5_0"],
    ["0x_0A_74_AE", 685230],
    ["-0b101010", -42],
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

  test("a key with a point or an exponent is rounded to 32 bits and printed as by Go", () => {
    assert.deepEqual(
      ["1.10", "1e5", "1e6", "12345678.5", "0.0001", "1e-5", "-2.5E+10", "1e40", "3"].map(
        resolvePlainKey,
      ),
      ["1.1", "100000", "1e+06", "1.2345678e+07", "0.0001", "1e-05", "-2.5e+10", ".inf", "3"],
    );
  });

  test("integers beyond 64 bits are texts or floats", () => {
    for (const [source, value] of [
      ["18446744073709551615", 2 ** 64],
      ["-9223372036854775809", -(2 ** 63)],
      ["0xffffffffffffffffff", "0xffffffffffffffffff"],
      ["-0x8000000000000001", "-0x8000000000000001"],
      ["0777777777777777777777777", 7.777777777777778e23],
    ] as const)
      assert.equal(resolvePlainScalar(source), value, source);
  });

  test("an integer key keeps all its digits if it fits into a signed 64-bit integer", () => {
    const keys = ["9_007_199_254_740_993", "-0x20000000000001", "-9223372036854775808"];
    assert.deepEqual(keys.map(resolvePlainKey), [
      "9007199254740993",
      "-9007199254740993",
      "-9223372036854775808",
    ]);
    const larger = ["9223372036854775808", "18446744073709551616", "-9223372036854775809"];
    assert.deepEqual(larger.map(resolvePlainKey), [undefined, "1.8446744e+19", "-9.223372e+18"]);
  });

  test("keys become texts, and null is not a key", () => {
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
