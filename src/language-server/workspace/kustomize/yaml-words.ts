/**
 * `yes`, `on` and similar words are booleans to kubectl, which reads YAML 1.1, but texts to kustomize, which writes them with
 * quotes. Upstream: kustomize v5 kyaml yaml, which is go-yaml v3. Not modeled: that a date becomes a time.
 */
import { scalarSpan, underlineKey } from "../../yaml/locate.ts";
import { isRecord } from "../../yaml/manifest.ts";
import type { PathSegment } from "../../yaml/place.ts";
import type { YamlDocument } from "../../yaml/yaml-document.ts";
import { fieldsOf, itemsOf, type Written, withFields, withItems } from "./written.ts";

/** Turns these words into texts; returns the same object if it has none. */
export function withWords(whole: Written): Written {
  const { yaml } = whole.text;
  const mayHave = known.get(yaml) ?? mayHaveWords.test(yaml.text);
  known.set(yaml, mayHave);
  return mayHave ? wordsIn(whole) : whole;
}

/** Cached, because a List has thousands of objects in one text. */
const known = new WeakMap<YamlDocument, boolean>();

const mayHaveWords = /(?:^|[\s,[{:])(?:y|yes|n|no|on|off)\s*(?:[,\]}#\n:]|$)/i;
const word = /^(?:y|yes|n|no|on|off)$/i;

function wordsIn(at: Written): Written {
  const { text, path, value } = at;
  if (typeof value === "boolean") {
    const span = scalarSpan(text.yaml, path);
    const source = span === undefined ? "" : text.yaml.text.slice(span.start, span.end);
    return word.test(source) ? { text, path, value: source } : at;
  }
  if (Array.isArray(value)) {
    const items = itemsOf(at);
    const now = items.map(wordsIn);
    return now.every((item, index) => item === items[index]) ? at : withItems(at, now);
  }
  if (!isRecord(value)) return at;
  const fields = fieldsOf(at);
  const now = new Map([...fields].map(([name, field]) => [keyOf(name, field), wordsIn(field)]));
  return [...fields].every(([name, field]) => now.get(name) === field) ? at : withFields(at, now);
}

function keyOf(name: PathSegment, { text, path }: Written): PathSegment {
  if (name !== "true" && name !== "false") return name;
  const { start, end } = underlineKey(text.yaml, path);
  const source = text.yaml.text.slice(start, end);
  return word.test(source) ? source : name;
}
