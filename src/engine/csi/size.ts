/** Sizes in bytes as drivers compute and print them. */

export const gibibyte: bigint = 1n << 30n;
/** The largest size that CSI can express. */
export const largestSize: bigint = (1n << 63n) - 1n;

const units: readonly (readonly [string, bigint])[] = [
  ["Ei", 1n << 60n],
  ["Pi", 1n << 50n],
  ["Ti", 1n << 40n],
  ["Gi", 1n << 30n],
  ["Mi", 1n << 20n],
  ["Ki", 1n << 10n],
];

/** Short text with the largest binary unit that divides the size. */
export function sizeText(size: bigint): string {
  for (const [name, unit] of units) {
    if (size !== 0n && size % unit === 0n) return `${size / unit}${name}`;
  }
  return String(size);
}

export function roundDownTo(size: bigint, step: bigint): bigint {
  return size - (size % step);
}

export function roundUpTo(size: bigint, step: bigint): bigint {
  return step > 1n ? ((size + step - 1n) / step) * step : size;
}
