/** The order of keys in YAML, in which digits compare as numbers. Upstream: go.yaml.in/yaml v2 and v3, sorter.go keyList. */

/** `putsLettersFirst`: after a digit, a letter sorts before another digit, as in v3. */
export function compareKeys(a: string, b: string, putsLettersFirst: boolean): number {
  if (a === b) return 0;
  return isLess([...a], [...b], putsLettersFirst) ? -1 : 1;
}

function isLess(a: readonly string[], b: readonly string[], putsLettersFirst: boolean): boolean {
  const length = Math.min(a.length, b.length);
  for (let index = 0; index < length; index++) {
    const [x = "", y = ""] = [a[index], b[index]];
    if (x === y) continue;
    const [isLetterX, isLetterY] = [isLetter(x), isLetter(y)];
    if (isLetterX && isLetterY) return codeOf(x) < codeOf(y);
    if (isLetterX || isLetterY) {
      const isBehindDigit = putsLettersFirst && isDigit(a[index - 1] ?? "");
      return isBehindDigit ? isLetterX : isLetterY;
    }
    const base = isBehindNumber(a, index) && (x === "0" || y === "0") ? 1n : 0n;
    const [numberX, endX] = numberAt(a, index, base);
    const [numberY, endY] = numberAt(b, index, base);
    if (numberX !== numberY) return numberX < numberY;
    if (endX !== endY) return endX < endY;
    return codeOf(x) < codeOf(y);
  }
  return a.length < b.length;
}

/** True if the character continues digits that are not all zero. */
function isBehindNumber(characters: readonly string[], index: number): boolean {
  for (let at = index - 1; at >= 0 && isDigit(characters[at] ?? ""); at--)
    if (characters[at] !== "0") return true;
  return false;
}

function numberAt(
  characters: readonly string[],
  start: number,
  base: bigint,
): readonly [number: bigint, end: number] {
  let number = base;
  let end = start;
  for (; end < characters.length && isDigit(characters[end] ?? ""); end++)
    number = BigInt.asIntN(64, number * 10n + BigInt(characters[end] ?? "0"));
  return [number, end];
}

function isDigit(character: string): boolean {
  return character >= "0" && character <= "9";
}

function isLetter(character: string): boolean {
  return /^\p{L}$/u.test(character);
}

function codeOf(character: string): number {
  return character.codePointAt(0) ?? 0;
}
