/** Integers in texts. Upstream: Go 1.26 strconv.ParseInt of base 10 and 64 bits. */

const pattern = /^([+-]?)([0-9]+)$/;

/** The number of digits of the largest int64. */
const digitsMax = 19;

/** Undefined if the text is not an integer, or if that does not fit into 64 bits. */
export function parseInt64(text: string): bigint | undefined {
  const [, sign, digits] = pattern.exec(text) ?? [];
  const counted = digits?.replace(/^0+/, "");
  if (counted === undefined || counted.length > digitsMax) return undefined;
  const value = sign === "-" ? -BigInt(counted) : BigInt(counted);
  return BigInt.asIntN(64, value) === value ? value : undefined;
}
