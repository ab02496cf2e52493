/**
 * Characters that end a line for kubectl's reader but not in YAML's specification: a lone carriage return, as old programs and
 * doubly converted files contain it, and three Unicode characters. Upstream: go.yaml.in/yaml v2.4 yamlprivateh.go is_break,
 * scannerc.go read_line.
 */
import type { YamlProblem } from "./syntax-problem.ts";

/**
 * Replaces what kubectl turns into line feeds, even within text. Not modeled: it drops one of two returns before a line feed.
 */
export function withLineFeeds(text: string): string {
  return text.replace(/\r(?!\n)|\x85/g, "\n");
}

const separator = /[\u2028\u2029]/g;

/**
 * Reports a Unicode separator that breaks the document where kubectl ends a line. Not modeled: separators where a line may
 * well end; in quotes and block text they stay unchanged.
 */
export function problemOfSeparators(
  text: string,
  problemIn: (text: string) => YamlProblem | undefined,
): YamlProblem | undefined {
  const places = Array.from(text.matchAll(separator), ({ index }) => index);
  const problem = places.length === 0 ? undefined : problemIn(text.replace(separator, "\n"));
  const start = places.findLast((place) => place < (problem?.start ?? 0));
  if (start === undefined) return undefined;
  const code = text.charCodeAt(start).toString(16);
  const message = `kubectl ends the line at this character, which cannot be seen: U+${code}`;
  return { code: "yaml-syntax", message, start, end: start + 1 };
}
