/** Functions that convert values or return their types. Upstream: sprig v3 numeric.go, reflect.go, strings.go. */
import { typeName } from "../go-template/type-name.ts";
import { type Call, type Failure, type GoValue, int64 } from "../go-template/values.ts";
import { decimalInt, parseDigits, toFloat64, toInt64 } from "./cast.ts";
import { deepEqual } from "./deep-equal.ts";
import { kindOf, stringList } from "./go-types.ts";
import { define, type Named } from "./signature.ts";
import { textOf, textsOf } from "./text-of.ts";
import { weighAll } from "./weigh.ts";

export const conversionFunctions: readonly Named[] = [
  define("int", ["any"], ([value]) => toInt64(value)),
  define("int64", ["any"], ([value]) => int64(toInt64(value))),
  define("float64", ["any"], ([value]) => toFloat64(value)),
  define("atoi", ["string"], ([text]) => decimalInt(text) ?? 0n),
  define("toDecimal", ["any"], ([value]) => int64(ofOctal(textOf(value)))),
  define("toString", ["any"], ([value], call) => charged(value, call) ?? textOf(value)),
  define(
    "toStrings",
    ["any"],
    ([value], call) => charged(value, call) ?? stringList(textsOf(value)),
  ),
  define("typeOf", ["any"], ([value]) => typeName(value)),
  define("typeIs", ["string", "any"], ([type, value]) => type === typeName(value)),
  define("typeIsLike", ["string", "any"], ([type, value]) => {
    const found = typeName(value);
    return type === found || `*${type}` === found;
  }),
  define("kindOf", ["any"], ([value]) => kindOf(value)),
  define("kindIs", ["string", "any"], ([kind, value]) => kind === kindOf(value)),
  define("deepEqual", ["any", "any"], ([a, b], call) => charged([a, b], call) ?? deepEqual(a, b)),
];

function charged(value: GoValue, call: Call): Failure | undefined {
  return weighAll([value], call);
}

function ofOctal(text: string): bigint {
  const [, sign = "", digits = ""] = /^([+-]?)(.*)$/s.exec(text) ?? [];
  return parseDigits(sign, digits, 8) ?? 0n;
}
