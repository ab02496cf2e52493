/**
 * Escapes in double quotes that YAML's specification and kubectl's reader treat differently. Upstream: go.yaml.in/yaml v2.4
 * scannerc.go, yaml_parser_scan_flow_scalar.
 */
import { CST, type Document, visit } from "yaml";
import type { Span } from "./place.ts";

/** Accepts escaped apostrophes, as kubectl does: the parser keeps the backslash and reports an error. */
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
 * Span of the first escape that only JSON has: an escaped slash, or a surrogate (half a character). To kubectl a file that
 * begins with a brace is JSON. Upstream: apimachinery pkg/util/yaml/decoder.go, GuessJSONStream.
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

/** Each escape as a whole, surrogate pairs included. */
const escapes = /\\(?:ud[89ab][\da-f]{2}\\ud[c-f][\da-f]{2}|u[\da-f]{4}|[\s\S])/gi;

interface Ranged {
  readonly type?: unknown;
  readonly range?: readonly [number, number, number] | null | undefined;
}

/** Undefined if the scalar is not in double quotes. */
function sourceOf({ type, range }: Ranged, text: string): string | undefined {
  return type === "QUOTE_DOUBLE" && range ? text.slice(range[0], range[1]) : undefined;
}
