import assert from "node:assert/strict";
import {
  addQuantities,
  compareQuantityTexts,
  parseQuantity,
  parseQuantityOrError,
  quantityBytes,
  quantityErrors,
  quantityInt64,
  quantityMilliInt64,
  roundUpToMilli,
  subtractQuantities,
} from "../../../src/engine/api/quantity.ts";

const stored = (text: string): string | undefined => {
  const quantity = parseQuantity(text);
  return quantity && roundUpToMilli(quantity).text;
};

suite("Quantity", () => {
  const texts: readonly (readonly [input: string, stored: string, bytes: bigint])[] = [
    ["5Gi", "5Gi", 5368709120n],
    ["5G", "5G", 5000000000n],
    [".5Gi", "512Mi", 536870912n],
    ["1.5Gi", "1536Mi", 1610612736n],
    ["1.1Gi", "1181116006400m", 1181116007n],
    ["0.1Gi", "107374182400m", 107374183n],
    ["5.Gi", "5.Gi", 5368709120n],
    ["+5Gi", "+5Gi", 5368709120n],
    ["00010Gi", "00010Gi", 10737418240n],
    ["3.0Gi", "3Gi", 3221225472n],
    ["1024Gi", "1Ti", 1099511627776n],
    ["2048Mi", "2Gi", 2147483648n],
    ["2.5Ti", "2560Gi", 2748779069440n],
    ["0.5Ki", "512", 512n],
    ["100m", "100m", 1n],
    ["1500m", "1500m", 2n],
    ["0.5", "500m", 1n],
    ["0.500", "500m", 1n],
    ["0.125", "125m", 1n],
    ["-.250", "-250m", 0n],
    ["0.125k", "125", 125n],
    ["0.500e3", "500", 500n],
    ["2.500", "2.500", 3n],
    ["1000m", "1", 1n],
    ["0.1m", "1m", 1n],
    ["5n", "1m", 1n],
    ["0.1n", "1m", 1n],
    ["1000", "1k", 1000n],
    ["1000000000", "1G", 1000000000n],
    ["1024", "1024", 1024n],
    ["5000000000", "5G", 5000000000n],
    ["1e3", "1e3", 1000n],
    ["1E3", "1E3", 1000n],
    ["1e+3", "1e+3", 1000n],
    ["1e1", "10", 10n],
    ["1.5e3", "1500", 1500n],
    ["1e10", "10e9", 10000000000n],
    ["1E", "1E", 1000000000000000000n],
    ["Gi", "0", 0n],
    ["-", "0", 0n],
    [".", "0", 0n],
    ["-0", "0", 0n],
    ["16Ei", "9223372036854775807", 9223372036854775807n],
    ["1e-3", "1e-3", 1n],
    ["-1Gi", "-1Gi", -1073741824n],
  ];
  for (const [input, text, bytes] of texts) {
    test(`${input} is stored as ${text}`, () => {
      assert.equal(stored(input), text);
      assert.equal(quantityBytes(input), bytes);
    });
  }

  test("each kind of invalid text has its own error", () => {
    for (const text of ["", "5GB", "5gi", "5 Gi", "1,000Gi", "0x10", "1.2.3", "ten", "٣Gi"])
      assert.equal(parseQuantityOrError(text), quantityErrors.format, text);
    for (const text of ["1e", "5K", "5ki", "10Gi5", "5-", "i", "1MM"])
      assert.equal(parseQuantityOrError(text), quantityErrors.suffix, text);
    for (const text of ["Pi", "Ei", "e-12", "-.e-12"])
      assert.equal(parseQuantityOrError(text), quantityErrors.numeric, text);
  });

  test("values are compared exactly, whatever their suffix", () => {
    assert.equal(compareQuantityTexts("1Gi", "1024Mi"), 0);
    assert.equal(compareQuantityTexts("1G", "1Gi"), -1);
    assert.equal(compareQuantityTexts("1Gi", undefined), 1);
  });

  test("sums keep the first format", () => {
    const [one, two] = [parseQuantity("1Gi"), parseQuantity("500M")];
    assert.ok(one && two);
    assert.equal(addQuantities(one, parseQuantity("1Gi") ?? one).text, "2Gi");
    assert.equal(addQuantities(two, one).text, "1573741824");
    assert.equal(subtractQuantities(one, one).text, "0");
  });

  test("results are printed canonically, even if the other operand is 0", () => {
    const [written, zero] = [parseQuantity("1.024"), parseQuantity("0")];
    assert.ok(written && zero);
    assert.equal(written.text, "1.024");
    assert.equal(addQuantities(zero, written).text, "1024m");
    assert.equal(addQuantities(written, zero).text, "1024m");
    assert.equal(subtractQuantities(written, zero).text, "1024m");
    assert.equal(addQuantities(zero, parseQuantity("+09Gi") ?? zero).text, "9Gi");
  });

  test("int64 values overflow as in Go", () => {
    assert.equal(quantityInt64(parseQuantity("10E") ?? assert.fail()), 0n);
    assert.equal(
      quantityInt64(parseQuantity("9223372036854775808") ?? assert.fail()),
      -9223372036854775808n,
    );
  });

  test("an overflow keeps the low bits if Go multiplies in one step, and gives 0 otherwise", () => {
    const value = (text: string): bigint => quantityInt64(parseQuantity(text) ?? assert.fail());
    assert.equal(value("12345678901G"), -6101065172709551616n);
    assert.equal(value("12345678T"), 0n);
    assert.equal(value("1e19"), 0n);
    const milliValue = (text: string): bigint =>
      quantityMilliInt64(parseQuantity(text) ?? assert.fail());
    assert.equal(milliValue("12345678901M"), -6101065172709551616n);
    assert.equal(milliValue("12345678G"), 0n);
    assert.equal(milliValue("1e16"), 0n);
  });
});
