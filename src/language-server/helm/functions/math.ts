/** Arithmetic. Upstream: sprig v3 functions.go, numeric.go: integers have 64 bits and wrap around. */
import { typed } from "../go-template/type-name.ts";
import { type Call, Failure, type GoValue, int64 } from "../go-template/values.ts";
import { toFloat64, toInt64, wrapped } from "./cast.ts";
import { type DecimalOperation, decimalOf, decimalOperations, floatOf } from "./decimal.ts";
import { define, defineVariadic, type Named } from "./signature.ts";

export const mathFunctions: readonly Named[] = [
  define("add1", ["any"], ([value]) => int64(wrapped(toInt64(value) + 1n))),
  defineVariadic("add", [], "any", (_none, _call, values) =>
    int64(values.map(toInt64).reduce((sum, value) => wrapped(sum + value), 0n)),
  ),
  define("sub", ["any", "any"], ([a, b]) => int64(wrapped(toInt64(a) - toInt64(b)))),
  define("div", ["any", "any"], ([a, b]) => divided(a, b, (x, y) => x / y)),
  define("mod", ["any", "any"], ([a, b]) => divided(a, b, (x, y) => x % y)),
  defineVariadic("mul", ["any"], "any", ([first], _call, values) =>
    int64(values.map(toInt64).reduce((product, value) => wrapped(product * value), toInt64(first))),
  ),
  ...["max", "biggest"].map((name) =>
    defineVariadic(name, ["any"], "any", ([first], _call, values) =>
      int64(values.map(toInt64).reduce(larger, toInt64(first))),
    ),
  ),
  defineVariadic("min", ["any"], "any", ([first], _call, values) =>
    int64(values.map(toInt64).reduce(smaller, toInt64(first))),
  ),
  defineVariadic("maxf", ["any"], "any", ([first], _call, values) =>
    Math.max(toFloat64(first), ...values.map(toFloat64)),
  ),
  defineVariadic("minf", ["any"], "any", ([first], _call, values) =>
    Math.min(toFloat64(first), ...values.map(toFloat64)),
  ),
  define("add1f", ["any"], ([value], call) => calculated(value, [1n], decimalOperations.add, call)),
  defineVariadic("addf", [], "any", (_none, call, values) =>
    calculated(0n, values, decimalOperations.add, call),
  ),
  defineVariadic("subf", ["any"], "any", ([first], call, values) =>
    calculated(first, values, decimalOperations.subtract, call),
  ),
  defineVariadic("divf", ["any"], "any", ([first], call, values) =>
    calculated(first, values, decimalOperations.divide, call),
  ),
  defineVariadic("mulf", ["any"], "any", ([first], call, values) =>
    calculated(first, values, decimalOperations.multiply, call),
  ),
  define("ceil", ["any"], ([value]) => Math.ceil(toFloat64(value))),
  define("floor", ["any"], ([value]) => Math.floor(toFloat64(value))),
  defineVariadic("round", ["any", "int"], "float64", ([value, places], _call, [roundOn = 0.5]) =>
    rounded(toFloat64(value), Number(places), roundOn),
  ),
  define("until", ["int"], ([count], call) => steps(0n, count, count < 0n ? -1n : 1n, call)),
  define("untilStep", ["int", "int", "int"], ([start, stop, step], call) =>
    steps(start, stop, step, call),
  ),
  defineVariadic("seq", [], "int", (_none, call, values) => sequence(values, call)),
];

/** Math.max and Math.min do not support bigints. */
function larger(a: bigint, b: bigint): bigint {
  return a > b ? a : b;
}

function smaller(a: bigint, b: bigint): bigint {
  return a < b ? a : b;
}

function divided(
  a: GoValue,
  b: GoValue,
  operation: (a: bigint, b: bigint) => bigint,
): GoValue | Failure {
  const divisor = toInt64(b);
  if (divisor === 0n) return new Failure("runtime error: integer divide by zero");
  return int64(wrapped(operation(toInt64(a), divisor)));
}

/** A number may have six hundred digits, which takes as long as printing this many letters. */
const costOfDecimal = 32;

/** Upstream: numeric.go execDecimalOp, which computes in decimal: 0.1 plus 0.2 is 0.3. */
function calculated(
  first: GoValue,
  others: readonly GoValue[],
  operation: DecimalOperation,
  call: Call,
): number | Failure {
  const refused = call.charge((others.length + 1) * costOfDecimal);
  if (refused !== undefined) return refused;
  let result = decimalOf(toFloat64(first));
  for (const other of others) {
    const operand = decimalOf(toFloat64(other));
    if (result instanceof Failure) return result;
    if (operand instanceof Failure) return operand;
    result = operation(result, operand);
  }
  return result instanceof Failure ? result : floatOf(result);
}

/** Negative numbers are never rounded up: -1.4 becomes -2. */
function rounded(value: number, places: number, roundOn: number): number {
  const power = 10 ** places;
  const digit = power * value;
  const round = digit % 1 >= roundOn ? Math.ceil(digit) : Math.floor(digit);
  return round / power;
}

function steps(start: bigint, stop: bigint, step: bigint, call: Call): GoValue | Failure {
  const isDown = stop < start;
  const count =
    step === 0n || isDown !== step < 0n ? 0n : (stop - start + step - sign(step)) / step;
  const refused = call.charge(Number(count));
  if (refused !== undefined) return refused;
  const items = Array.from({ length: Number(count) }, (_, index) => start + BigInt(index) * step);
  return typed(items, "[]int");
}

function sign(value: bigint): bigint {
  return value < 0n ? -1n : 1n;
}

/** Includes the first and the last number. */
function sequence(values: readonly bigint[], call: Call): string | Failure {
  const [first = 0n, second = 0n, third = 0n] = values;
  if (values.length === 0 || values.length > 3) return "";
  const start = values.length === 1 ? 1n : first;
  const end = values.length === 1 ? first : values.length === 2 ? second : third;
  const direction = end < start ? -1n : 1n;
  const step = values.length === 3 ? second : direction;
  if (direction < 0n && step > 0n) return "";
  const items = steps(start, end + direction, step, call);
  return Array.isArray(items) ? items.join(" ") : (items as Failure);
}
