/**
 * Unquoted text in braces and brackets, which kubectl's reader ends differently from YAML's specification: at a question mark,
 * and at a colon only if a blank follows. It also ends tags only at a blank. Upstream: go.yaml.in/yaml v2.4 scannerc.go,
 * yaml_parser_scan_plain_scalar, yaml_parser_scan_tag, yaml_parser_scan_tag_uri.
 */
import type { CST } from "yaml";
import type { Span } from "./place.ts";

type Item = CST.FlowCollection["items"][number];

export interface RefusedInFlow extends Span {
  readonly reason: "question-mark" | "colon" | "first-colon" | "tag";
}

/**
 * Returns what kubectl refuses, or reads as nobody means it; where it reads something different, changes the tokens. Not
 * modeled: text that begins with ?.
 */
export function readFlowScalars(
  tokens: Iterable<{ readonly token: CST.Token }>,
  text: string,
): readonly RefusedInFlow[] {
  if (!mayDiffer.test(text)) return [];
  const refused: RefusedInFlow[] = [];
  for (const { token } of tokens) {
    if (token.type !== "flow-collection") continue;
    for (const item of token.items) refused.push(...refusedItem(item, text, token));
  }
  return refused;
}

function* refusedItem(
  item: Item,
  text: string,
  { start }: CST.FlowCollection,
): Generator<RefusedInFlow> {
  for (const part of [item.key, item.value]) if (part?.type === "scalar") yield* refusedIn(part);
  for (const { type, offset, source } of [...item.start, ...(item.sep ?? [])]) {
    const end = offset + source.length;
    if (type === "tag" && /\S/.test(text[end] ?? "")) yield { reason: "tag", start: offset, end };
  }
  const { key } = item;
  const colon = colonBehind(item);
  if (key?.type !== "scalar" || colon === undefined) return;
  const next = text[colon + 1] ?? "";
  if (opening.has(next)) yield { reason: "colon", start: colon, end: colon + 1 };
  else if (closing.has(next))
    withColon(item, key, text.slice(key.offset, colon + 1), start.source === "{");
}

const mayDiffer = /\?|:[,[\]{}]|[,[{:]\s*:|![^\s!,[\]{}]*[,[\]{}]/;
const opening: ReadonlySet<string> = new Set(["[", "{"]);
const closing: ReadonlySet<string> = new Set([",", "]", "}"]);

function* refusedIn({ source, offset }: CST.FlowScalar): Generator<RefusedInFlow> {
  const place = { start: offset, end: offset + source.length };
  if (source.startsWith(":")) yield { reason: "first-colon", ...place };
  if (source.includes("?", 1)) yield { reason: "question-mark", ...place };
}

function colonBehind({ sep }: Item): number | undefined {
  return sep?.find(({ type }) => type !== "space" && type !== "newline")?.offset;
}

/** Makes the colon part of the text before it, which then has no value. */
function withColon(item: Item, key: CST.FlowScalar, source: string, isInMap: boolean): void {
  key.source = source;
  delete item.value;
  if (isInMap) {
    item.sep = [];
    return;
  }
  item.value = key;
  item.key = null;
  delete item.sep;
}
