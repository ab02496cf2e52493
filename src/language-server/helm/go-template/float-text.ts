/** Formats floats. Upstream: Go 1.25 strconv/ftoa.go FormatFloat. */

export type FloatVerb = "b" | "e" | "f" | "g" | "x";

/** Like `strconv.FormatFloat(value, verb, precision, 64)`; -1 means as many digits as are needed. */
export function formatFloat(value: number, verb: FloatVerb, precision: number): string {
  if (Number.isNaN(value)) return "NaN";
  if (!Number.isFinite(value)) return value < 0 ? "-Inf" : "+Inf";
  if (verb === "b" || verb === "x") return binary(value, verb, precision);
  const places = Math.min(Math.max(precision, -1), 100);
  if (verb === "f") return places < 0 ? plainDigits(value) : toFixed(value, places);
  if (verb === "e")
    return goExponent(places < 0 ? value.toExponential() : toExponential(value, places));
  const significant = places === 0 ? 1 : places;
  const short = significant < 0 ? value.toExponential() : toExponential(value, significant - 1);
  const [mantissa = "", power = "0"] = short.split("e");
  const digits = mantissa.replace(/[-.]/g, "").replace(/0+$/, "") || "0";
  const exponent = Number(power);
  // Upstream: strconv/ftoa.go, where shortest formatting uses a precision of six.
  const isShort = significant > digits.length && digits.length >= exponent + 1;
  const limit = significant < 0 ? 6 : isShort ? digits.length : significant;
  const sign = value < 0 || Object.is(value, -0) ? "-" : "";
  if (exponent < -4 || exponent >= limit) {
    const rest = digits.slice(1);
    return goExponent(`${sign}${digits[0]}${rest === "" ? "" : `.${rest}`}e${power}`);
  }
  return sign + plainDigits(Math.abs(Number(short)));
}

/** Pads the exponent to at least two digits. */
function goExponent(text: string): string {
  return text.replace(/e([-+])(\d)$/, "e$10$2");
}

/** Without an exponent, whatever its size. */
function plainDigits(value: number): string {
  const [mantissa = "", power = "0"] = value.toExponential().split("e");
  const sign = value < 0 || Object.is(value, -0) ? "-" : "";
  const digits = mantissa.replace(/[-.]/g, "");
  const point = Number(power) + 1;
  if (point <= 0) return `${sign}0.${"0".repeat(-point)}${digits}`;
  if (point >= digits.length) return `${sign}${digits.padEnd(point, "0")}`;
  return `${sign}${digits.slice(0, point)}.${digits.slice(point)}`;
}

/** From 1e21 on JavaScript uses exponents; there, all digits before the point are exact. */
function toFixed(value: number, places: number): string {
  if (Math.abs(value) < 1e21)
    return evenHalf(value.toFixed(places), value.toFixed(exactPlaces(places)));
  return `${BigInt(value)}${places > 0 ? `.${"0".repeat(places)}` : ""}`;
}

function toExponential(value: number, places: number): string {
  const [long = "", power = ""] = value.toExponential(exactPlaces(places)).split("e");
  const [short = "", shortPower = power] = value.toExponential(places).split("e");
  return power === shortPower ? `${evenHalf(short, long)}e${power}` : `${short}e${shortPower}`;
}

/** Enough digits to show whether a number is exactly between two others. */
function exactPlaces(places: number): number {
  return Math.min(places + 60, 100);
}

/** For a number exactly in the middle, Go rounds to the even digit, JavaScript always up. */
function evenHalf(rounded: string, exact: string): string {
  const kept = exact.slice(0, rounded.length).replace(/\.$/, "");
  const isHalf = /^\.?50*$/.test(exact.slice(kept.length));
  return isHalf && /[02468]$/.test(kept) ? kept : rounded;
}

/** The bits of a number, which equals the mantissa times two to the power of the exponent. */
function bitsOf(value: number): { readonly mantissa: bigint; readonly exponent: number } {
  const bits = new DataView(new ArrayBuffer(8));
  bits.setFloat64(0, value);
  const all = bits.getBigUint64(0);
  const power = Number((all >> 52n) & 0x7ffn);
  const fraction = all & 0xfffffffffffffn;
  return power === 0
    ? { mantissa: fraction, exponent: -1074 }
    : { mantissa: fraction | (1n << 52n), exponent: power - 1075 };
}

/** Upstream: ftoa.go fmtB and fmtX. */
function binary(value: number, verb: "b" | "x", precision: number): string {
  const { mantissa, exponent } = bitsOf(value);
  const sign = value < 0 || Object.is(value, -0) ? "-" : "";
  if (verb === "b") return `${sign}${mantissa}p${exponent < 0 ? "" : "+"}${exponent}`;
  const { digits, power } = hexadecimal(mantissa, exponent, precision);
  const [whole = "0", places] = [digits.slice(0, 1), digits.slice(1)];
  const shown = precision < 0 ? places.replace(/0+$/, "") : places;
  const two = String(Math.abs(power)).padStart(2, "0");
  return `${sign}0x${whole}${shown === "" ? "" : `.${shown}`}p${power < 0 ? "-" : "+"}${two}`;
}

/** One digit before the point and `precision` digits after it; a tie is rounded to the even digit. */
function hexadecimal(
  mantissa: bigint,
  exponent: number,
  precision: number,
): { readonly digits: string; readonly power: number } {
  if (mantissa === 0n) return { digits: "0".padEnd(precision + 1, "0"), power: 0 };
  const length = mantissa.toString(2).length;
  const full = mantissa << BigInt(53 - length);
  const power = exponent + length - 1;
  const dropped = 13 - precision;
  if (precision < 0 || dropped <= 0)
    return { digits: full.toString(16).padEnd(precision + 1, "0"), power };
  const unit = 1n << BigInt(4 * dropped);
  const [kept, rest] = [full / unit, (full % unit) * 2n];
  const isUp = rest > unit || (rest === unit && kept % 2n === 1n);
  const rounded = kept + (isUp ? 1n : 0n);
  const isCarried = rounded >> BigInt(4 * precision) === 2n;
  const digits = (isCarried ? rounded / 2n : rounded).toString(16);
  return { digits, power: isCarried ? power + 1 : power };
}
