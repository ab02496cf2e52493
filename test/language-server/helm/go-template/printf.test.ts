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
    test(`prints the sign of ${value} once with ${format}`, () => {
      assert.equal(sprintf(format, [value]), printed);
    });

  // What Helm 4.1 prints.
  for (const [format, args, printed] of [
    ["%b", [1.5], "6755399441055744p-52"],
    ["%.2x", [-2.25], "-0x1.20p+01"],
    ["%.0x", [1e21], "0x1p+70"],
    ["%.1x", [1.96875], "0x1.0p+01"],
    ["%#g %#G %#e", [1e21, 100, 1.5], "1.00000e+21 100.000 1.500000e+00"],
    ["%#X %#x", [1.5, 1.5], "0X1.8P+00 0x1.8000p+00"],
    ["%#.0f", [2], "2."],
    ["%#08x|%08x", [255n, -255n], "0x000000ff|-00000ff"],
    ["%#o %#O", [0n, 8n], "0 0o010"],
    ["%.0d|%5.3d|%-05d|", [0n, 7n, 7n], "|  007|7    |"],
    ["%U %#U %.6U", [-1n, 65n, 65n], "U+FFFFFFFFFFFFFFFF U+0041 'A' U+000041"],
    ["%+q %+q", ["é", 128512n], "\"\\u00e9\" '\\U0001f600'"],
    ["%#q %#q", ["a", "a\n"], '`a` "a\\n"'],
    ["%.2x|% #x", ["abc", "hé"], "6162|0x68 0xc3 0xa9"],
    ["%06s|%6t|%-6v|", ["a", true, "b"], "00000a|  true|b     |"],
    ["%.1T", [1.5], "f"],
    ["%#v", [["a", null]], '[]interface {}{"a", interface {}(nil)}'],
    ["%#5v", [["a"]], '[]interface {}{  "a"}'],
    ["%w", [["a"]], "%!w([]interface {}=[a])"],
    ["%[2]d %[1]d", [1n, 2n], "2 1"],
    ["%[3]d %[x]d %[1]2d %d", [1n], "%!d(BADINDEX) %!d(BADINDEX) %!d(BADINDEX) 1"],
    ["%*d|%-*d|%.*f", [5n, 3n, 4n, 3n, 1n, 2.5], "    3|3   |2.5"],
    ["%.*d", [-1n, 7n], "%!(BADPREC)7"],
    ["%*d", ["x", 7n], "%!(BADWIDTH)7"],
    ["%", [], "%!(NOVERB)"],
    ["%.", [1n], "%!.(int=1)"],
  ] as const)
    test(`${format} of ${args.map(String).join(", ")} is ${printed}`, () => {
      assert.equal(sprintf(format, args), printed);
    });
});
