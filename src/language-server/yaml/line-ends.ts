/**
 * Characters at which kubectl's reader ends a line, and YAML's specification does not: a carriage return of its own, as old programs
 * and twice converted files have it, and three of Unicode. Upstream: go.yaml.in/yaml v2.4 yamlprivateh.go is_break, scannerc.go
 * read_line.
 */
import type { YamlProblem } from "./syntax-problem.ts";

/** What kubectl makes line feeds of, in text too. Not modelled: of two returns before a line feed it drops one. */
export function withLineFeeds(text: string): string {
  return text.replace(/\r(?!\n)|\x85/g, "\n");
}

const separator = /[\u2028\u2029]/g;

/** Not modelled: the separators of Unicode where a line may well end at them; in quotes and blocks of text they stay what they are. */
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
