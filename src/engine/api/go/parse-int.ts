/** Whole numbers as texts. Upstream: Go 1.26 strconv.ParseInt of base 10 and 64 bits. */

const pattern = /^[+-]?[0-9]+$/;

/** Undefined where the text is none, or one that 64 bits do not hold. */
export function parseInt64(text: string): bigint | undefined {
  if (!pattern.test(text)) return undefined;
  const value = BigInt(text);
  return BigInt.asIntN(64, value) === value ? value : undefined;
}
