/** What Go says of a text that is no RFC 3339 timestamp. Upstream: time.Parse with the layout time.RFC3339. */

const layout = "2006-01-02T15:04:05Z07:00";

interface Chunk {
  readonly layout: string;
  readonly pattern: RegExp;
  readonly name?: string;
  readonly max?: number;
  readonly min?: number;
}

const chunks: readonly Chunk[] = [
  { layout: "2006", pattern: /^\d{4}/ },
  { layout: "-", pattern: /^-/ },
  { layout: "01", pattern: /^\d\d/, name: "month", min: 1, max: 12 },
  { layout: "-", pattern: /^-/ },
  { layout: "02", pattern: /^\d\d/, name: "day", min: 1, max: 31 },
  { layout: "T", pattern: /^T/ },
  { layout: "15", pattern: /^\d\d/, name: "hour", max: 23 },
  { layout: ":", pattern: /^:/ },
  { layout: "04", pattern: /^\d\d/, name: "minute", max: 59 },
  { layout: ":", pattern: /^:/ },
  { layout: "05", pattern: /^\d\d([.,]\d+)?/, name: "second", max: 59.999_999_999 },
  { layout: "Z07:00", pattern: /^(Z|[+-]\d\d:\d\d)/ },
];

/** The parser's message, or undefined where the text is a timestamp. */
export function timestampError(text: string): string | undefined {
  const failure = `parsing time ${JSON.stringify(text)}`;
  let rest = text;
  let outOfRange: string | undefined;
  for (const { layout: expected, pattern, name, min = 0, max } of chunks) {
    const match = pattern.exec(rest);
    if (match === null)
      return `${failure} as "${layout}": cannot parse ${JSON.stringify(rest)} as "${expected}"`;
    if (max !== undefined) {
      const value = Number(match[0].replace(",", "."));
      if (value < min || value > max) outOfRange ??= `${failure}: ${name} out of range`;
    }
    rest = rest.slice(match[0].length);
  }
  if (outOfRange !== undefined) return outOfRange;
  return rest === "" ? undefined : `${failure}: extra text: ${JSON.stringify(rest)}`;
}
