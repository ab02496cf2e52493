/** Constants in templates. Upstream: Go 1.25 text/template/parse/node.go newNumber and strconv.Unquote. */

/** An int, or a float if it has a point or an exponent; undefined if it is neither. */
export function numberOf(written: string): number | bigint | undefined {
  if (written.startsWith("'")) return characterCode(written);
  const plain = written.replaceAll("_", "");
  const sign = plain.startsWith("-") ? -1n : 1n;
  const digits = plain.replace(/^[-+]/, "");
  if (/^0\d+$/.test(digits))
    return /^0[0-7]+$/.test(digits) ? sign * BigInt(`0o${digits.slice(1)}`) : undefined;
  if (/^(?:\d+|0[xX][\da-fA-F]+|0[bB][01]+|0[oO][0-7]+)$/.test(digits))
    return inRange(sign * BigInt(digits));
  const value = /\d/.test(digits) ? Number(digits) : Number.NaN;
  return Number.isFinite(value) ? Number(sign) * value : undefined;
}

function inRange(value: bigint): bigint | undefined {
  return BigInt.asIntN(64, value) === value ? value : undefined;
}

function characterCode(written: string): bigint | undefined {
  const text = unescaped(written.slice(1, -1), "'");
  const [letter, ...more] = text ?? "";
  return letter === undefined || more.length > 0 ? undefined : BigInt(letter.codePointAt(0) ?? 0);
}

/** Undefined if an escape is invalid. */
export function textOfQuoted(written: string): string | undefined {
  if (written.startsWith("`")) return written.slice(1, -1).replaceAll("\r", "");
  return unescaped(written.slice(1, -1), '"');
}

const escaped =
  /\\(?:x([\da-fA-F]{2})|u([\da-fA-F]{4})|U([\da-fA-F]{8})|([0-3][0-7]{2})|([abfnrtv\\'"])|)/g;

const letters: Readonly<Record<string, string>> = {
  a: "\x07",
  b: "\b",
  f: "\f",
  n: "\n",
  r: "\r",
  t: "\t",
  v: "\v",
  "\\": "\\",
};

function unescaped(inner: string, quote: string): string | undefined {
  if (!inner.includes("\\")) return inner;
  let isValid = true;
  const text = inner.replace(escaped, (_, ...groups: (string | undefined)[]) => {
    const [hex, four, eight, octal, letter] = groups;
    if (letter === quote) return quote;
    const known = letter === undefined ? undefined : letters[letter];
    if (known !== undefined) return known;
    const digits = hex ?? four ?? eight;
    const code =
      digits === undefined ? Number.parseInt(octal ?? "", 8) : Number.parseInt(digits, 16);
    if (Number.isNaN(code) || code > 0x10ffff) {
      isValid = false;
      return "";
    }
    return String.fromCodePoint(code);
  });
  return isValid ? text : undefined;
}
