/**
 * Escapes in double quotes of which YAML's specification and kubectl's reader think differently. Upstream: go.yaml.in/yaml v2.4
 * scannerc.go, yaml_parser_scan_flow_scalar.
 */
import { CST, type Document, visit } from "yaml";
import type { Span } from "./place.ts";

/** An apostrophe may be escaped. The parser has left the backslash where it stood, and complained of it. */
export function readEscapedApostrophes(document: Document.Parsed, text: string): void {
  if (!text.includes("\\'")) return;
  document.errors = document.errors.filter(
    ({ code, pos: [at] }) => code !== "BAD_DQ_ESCAPE" || !text.startsWith("\\'", at),
  );
  visit(document.contents, {
    Scalar(_, node) {
      const source = sourceOf(node, text);
      if (source?.includes("\\'") !== true) return;
      const read = source.replace(escapes, (whole) => (whole === "\\'" ? "'" : whole));
      const token = { type: "double-quoted-scalar", offset: 0, indent: 0, source: read } as const;
      node.value = CST.resolveAsScalar(token, false, () => {})?.value;
    },
  });
}

/**
 * Where the first escape stands that only JSON has: that of a slash, or half a character. A file that begins with a brace is JSON to
 * kubectl. Upstream: apimachinery pkg/util/yaml/decoder.go, GuessJSONStream.
 */
export function escapeOfJson(document: Document.Parsed, text: string): Span | undefined {
  if (!onlyInJson.test(text) || /^\s*\{/.test(text)) return undefined;
  let found: Span | undefined;
  visit(document.contents, {
    Scalar(_, node) {
      const source = sourceOf(node, text);
      for (const { 0: whole, index } of source?.matchAll(escapes) ?? []) {
        if (!onlyInJson.test(whole)) continue;
        const start = (node.range?.[0] ?? 0) + index;
        found = { start, end: start + whole.length };
        return visit.BREAK;
      }
      return undefined;
    },
  });
  return found;
}

const onlyInJson = /\\(?:\/|ud[89a-f])/i;

/** Each with what belongs to it, one behind the other. */
const escapes = /\\(?:ud[89ab][\da-f]{2}\\ud[c-f][\da-f]{2}|u[\da-f]{4}|[\s\S])/gi;

interface Ranged {
  readonly type?: unknown;
  readonly range?: readonly [number, number, number] | null | undefined;
}

/** Undefined where it does not stand in double quotes. */
function sourceOf({ type, range }: Ranged, text: string): string | undefined {
  return type === "QUOTE_DOUBLE" && range ? text.slice(range[0], range[1]) : undefined;
}
