/** Whole numbers as texts. Upstream: Go 1.26 strconv.ParseInt of base 10 and 64 bits. */

const pattern = /^([+-]?)([0-9]+)$/;

/** As many digits as the greatest number of 64 bits has. */
const digitsMax = 19;

/** Undefined where the text is none, or one that 64 bits do not hold. */
export function parseInt64(text: string): bigint | undefined {
  const [, sign, digits] = pattern.exec(text) ?? [];
  const counted = digits?.replace(/^0+/, "");
  if (counted === undefined || counted.length > digitsMax) return undefined;
  const value = sign === "-" ? -BigInt(counted) : BigInt(counted);
  return BigInt.asIntN(64, value) === value ? value : undefined;
}
