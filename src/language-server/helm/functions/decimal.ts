/** Decimal numbers of arbitrary length. Upstream: shopspring/decimal v1.4: NewFromFloat, Add, Sub, Mul, Div, Float64. */
import { Failure } from "../go-template/values.ts";

/** The digits, multiplied by ten to the power of the exponent. */
interface Decimal {
  readonly digits: bigint;
  readonly exponent: number;
}

export type DecimalOperation = (a: Decimal, b: Decimal) => Decimal | Failure;

/** The shortest decimal that identifies the float. */
export function decimalOf(value: number): Decimal | Failure {
  if (!Number.isFinite(value)) {
    const name = Number.isNaN(value) ? "NaN" : value < 0 ? "-Inf" : "+Inf";
    return new Failure(`Cannot create a Decimal from ${name}`);
  }
  const [mantissa = "0", power = "0"] = value.toExponential().split("e");
  const [whole = "0", decimals = ""] = mantissa.split(".");
  return { digits: BigInt(whole + decimals), exponent: Number(power) - decimals.length };
}

export function floatOf({ digits, exponent }: Decimal): number {
  return Number(`${digits}e${exponent}`);
}

export const decimalOperations: Readonly<
  Record<"add" | "subtract" | "multiply" | "divide", DecimalOperation>
> = {
  add: (a, b) => summed(a, b, 1n),
  subtract: (a, b) => summed(a, b, -1n),
  multiply: (a, b) => bounded({ digits: a.digits * b.digits, exponent: a.exponent + b.exponent }),
  divide: (a, b) => divided(a, b),
};

function summed(a: Decimal, b: Decimal, sign: bigint): Decimal | Failure {
  const exponent = Math.min(a.exponent, b.exponent);
  return bounded({ digits: scaled(a, exponent) + sign * scaled(b, exponent), exponent });
}

function scaled({ digits, exponent }: Decimal, to: number): bigint {
  return digits * 10n ** BigInt(exponent - to);
}

const divisionPrecision = 16;

/** To sixteen decimal places; half a unit is rounded away from zero. */
function divided(a: Decimal, b: Decimal): Decimal | Failure {
  if (b.digits === 0n) return new Failure("decimal division by 0");
  const shift = a.exponent - b.exponent + divisionPrecision;
  const dividend = shift > 0 ? a.digits * 10n ** BigInt(shift) : a.digits;
  const divisor = shift < 0 ? b.digits * 10n ** BigInt(-shift) : b.digits;
  const quotient = dividend / divisor;
  const twice = absolute(dividend % divisor) * 2n;
  const isNegative = dividend < 0n !== divisor < 0n;
  const step = twice < absolute(divisor) ? 0n : isNegative ? -1n : 1n;
  return { digits: quotient + step, exponent: -divisionPrecision };
}

function absolute(value: bigint): bigint {
  return value < 0n ? -value : value;
}

/** Floats have at most 308 digits; only repeated products exceed this. */
const bitsMax = 8192;

function bounded(decimal: Decimal): Decimal | Failure {
  const isLong = BigInt.asIntN(bitsMax, decimal.digits) !== decimal.digits;
  return isLong ? new Failure("this number has too many digits to be calculated here") : decimal;
}
