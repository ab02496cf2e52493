// refused by biome: lint/complexity/useMaxParams
export function placed(a: number, b: number, c: number, d: number, e: number, f: number): number {
  return a + b + c + d + e + f;
}
