/**
 * From a syntax tree to the JSON that kubectl would send. Anchors, aliases and merge keys are resolved in document order as by
 * go-yaml: the last of two equal keys wins, and a merge overrides what is before it.
 */
import {
  type Alias,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  type ParsedNode,
  type Scalar,
  type YAMLMap,
} from "yaml";
import { bytesOfBase64, isBase64 } from "../../engine/api/decoding/base64.ts";
import type { Json } from "../../engine/api/json.ts";
import { resolvePlainKey, resolvePlainScalar } from "./kubernetes-scalar.ts";
import { notText } from "./not-text.ts";
import type { YamlProblem } from "./syntax-problem.ts";

/** Limits how far aliases can multiply values. */
export const valueCountMax = 200_000;

export interface ValueResult {
  /** Undefined if the document has no readable value. */
  readonly value: Json | undefined;
  readonly problems: readonly YamlProblem[];
}

export function toValue(root: ParsedNode | null): ValueResult {
  if (root === null) return { value: undefined, problems: [] };
  const reader = new ValueReader();
  const value = reader.read(root);
  return { value: reader.limitReached ? undefined : value, problems: reader.problems };
}

interface Anchored {
  readonly value: Json;
  readonly count: number;
}

class ValueReader {
  readonly problems: YamlProblem[] = [];
  readonly #anchors = new Map<string, Anchored | "open">();
  #count = 0;
  limitReached = false;

  read(node: ParsedNode | null): Json {
    if (node === null || this.limitReached) return null;
    this.#spend(1, node);
    if (isAlias(node)) return this.#alias(node.source, node);
    const anchor = this.#anchorOf(node);
    const before = this.#count;
    if (anchor !== undefined) this.#anchors.set(anchor, "open");
    const value = this.#readValue(node);
    if (anchor !== undefined) this.#anchors.set(anchor, { value, count: this.#count - before + 1 });
    return value;
  }

  #anchorOf(node: Exclude<ParsedNode, Alias.Parsed>): string | undefined {
    const { anchor } = node;
    if (anchor !== undefined && !anchorName.test(anchor)) {
      const message = `kubectl takes only a-z, A-Z, 0-9, _ and - in the name of an anchor, not \`&${anchor}\``;
      this.#problem("yaml-syntax", message, node);
    }
    return anchor;
  }

  #readValue(node: ParsedNode): Json {
    if (isScalar(node)) return this.#scalar(node);
    if (isSeq(node)) return node.items.map((item) => this.read(item));
    if (isMap(node)) return this.#mapping(node);
    return null;
  }

  #scalar(node: Scalar): Json {
    const source = scalarSource(node);
    if (!isResolved(node)) return source;
    const isBinary = node.tag === binaryTag;
    const value = isBinary ? textOfBinary(source) : resolvePlainScalar(source);
    const unread = isBinary ? "This is no base64" : `\`${source}\` has no place in JSON`;
    const complaint = value === undefined ? unread : wrongTag(node.tag, source, value);
    if (complaint === undefined) return value ?? null;
    this.#problem("yaml-syntax", `${complaint}: kubectl refuses it`, node as ParsedNode);
    return null;
  }

  #mapping(node: YAMLMap<ParsedNode, ParsedNode | null>): Json {
    const entries: Record<string, Json> = {};
    const seen = new Set<string>();
    for (const { key, value } of node.items) {
      if (isMergeKey(key)) {
        this.#merge(entries, value);
        continue;
      }
      const name = this.#keyName(key);
      if (name === undefined) {
        if (this.#leadsNowhere(key)) continue;
        this.#problem("yaml-syntax", "A key must be text, a number or a boolean", key ?? node);
        continue;
      }
      this.#spend(1, key);
      if (seen.has(name)) this.#problem("yaml-duplicate-key", duplicateMessage(name), key);
      seen.add(name);
      setOwn(entries, name, this.read(value));
    }
    return entries;
  }

  /** The key's name; an alias may stand for a text, too. */
  #keyName(key: ParsedNode): string | undefined {
    if (isAlias(key)) {
      const value = this.#alias(key.source, key);
      return value === null || typeof value === "object" ? undefined : String(value);
    }
    if (key.anchor !== undefined) this.read(key);
    return keyName(key);
  }

  #merge(entries: Record<string, Json>, value: ParsedNode | null): void {
    const merged = this.read(value);
    // The first of several merged mappings wins.
    const sources = Array.isArray(merged) ? [...merged].reverse() : [merged];
    for (const source of sources) {
      if (typeof source !== "object" || source === null || Array.isArray(source)) {
        // An unresolved alias has been reported already.
        if (value !== null && !this.#leadsNowhere(value))
          this.#problem("yaml-syntax", "A merge needs a mapping or a list of mappings", value);
        return;
      }
      for (const [key, item] of Object.entries(source)) setOwn(entries, key, item as Json);
    }
  }

  #leadsNowhere(node: ParsedNode): boolean {
    if (isSeq(node)) return node.items.some((item) => this.#leadsNowhere(item));
    return isAlias(node) && typeof this.#anchors.get(node.source) !== "object";
  }

  #alias(source: string, node: ParsedNode): Json {
    const anchored = this.#anchors.get(source);
    if (anchored === undefined && !anchorName.test(source)) {
      this.#problem("yaml-syntax", "A value that begins with * needs quotes", node);
      return null;
    }
    if (anchored === undefined) {
      this.#problem("yaml-syntax", `No anchor \`&${source}\` stands before this alias`, node);
      return null;
    }
    if (anchored === "open") {
      this.#problem("yaml-syntax", `The anchor \`&${source}\` contains itself`, node);
      return null;
    }
    this.#spend(anchored.count, node);
    return anchored.value;
  }

  #spend(count: number, node: ParsedNode): void {
    this.#count += count;
    if (this.#count <= valueCountMax || this.limitReached) return;
    this.limitReached = true;
    this.#problem(
      "yaml-limit",
      `This document grows to more than ${valueCountMax} values and is not read`,
      node,
    );
  }

  #problem(code: YamlProblem["code"], message: string, node: ParsedNode): void {
    const [start, end] = node.range;
    this.problems.push({ code, message, start, end });
  }
}

/** Upstream: go.yaml.in/yaml v2.4 yamlprivateh.go is_alpha. */
const anchorName = /^[\w-]+$/;

/** Sets a key named `__proto__` like any other. */
function setOwn(target: Record<string, Json>, key: string, value: Json): void {
  if (key === "__proto__") {
    Object.defineProperty(target, key, {
      value,
      enumerable: true,
      configurable: true,
      writable: true,
    });
  } else {
    target[key] = value;
  }
}

function duplicateMessage(key: string): string {
  return `The key \`${key}\` occurs twice; kubectl silently keeps the last one`;
}

/** The text of a scalar: as written if it is plain, unescaped if it is quoted. */
export function scalarSource({ type, source, value }: Scalar): string {
  const isWritten = type === "PLAIN" && source !== undefined;
  const text = isWritten || typeof value !== "string" ? (source ?? "") : value;
  return text.replaceAll(notText, "\ufffd");
}

/**
 * The text of a `!!binary` value, which many programs use for bytes. Undefined if it is not base64. Upstream: goyaml.v2
 * decode.go scalar, encoding/json.
 */
function textOfBinary(base64: string): string | undefined {
  if (!isBase64(base64.replaceAll("\n", ""))) return undefined;
  return new TextDecoder("utf-8", { ignoreBOM: true }).decode(
    Uint8Array.from(bytesOfBase64(base64)),
  );
}

const binaryTag = "tag:yaml.org,2002:binary";

/** Quoted text stays text, and so does text with any other tag, even a bare exclamation mark. */
function isResolved(node: Scalar): boolean {
  if (node.tag === undefined) return node.type === "PLAIN";
  return resolvedTags.has(node.tag);
}

const resolvedTags: ReadonlySet<string> = new Set(
  ["int", "float", "bool", "null", "binary"].map((type) => `tag:yaml.org,2002:${type}`),
);

/**
 * The complaint about a scalar that does not match its tag, as in goyaml.v2; an integer is a valid float. Upstream: resolve.go
 * resolve.
 */
function wrongTag(tag: string | undefined, source: string, value: Json): string | undefined {
  if (tag === undefined || tag === binaryTag) return undefined;
  const wanted = tag.slice(tag.lastIndexOf(":") + 1);
  const found = typeName(source, value);
  if (found === wanted || (found === "int" && wanted === "float")) return undefined;
  return `cannot decode !!${found} \`${source}\` as a !!${wanted}`;
}

function typeName(source: string, value: Json): string {
  if (value === null) return "null";
  if (typeof value === "boolean") return "bool";
  if (typeof value !== "number") return "str";
  const isFloat = /^[-+]?[\d_]*(?:\.|[\d_][eE])/.test(source);
  return isFloat ? "float" : "int";
}

function isMergeKey(key: unknown): boolean {
  return isScalar(key) && key.type === "PLAIN" && scalarSource(key) === "<<";
}

/** The key as it appears in JSON; undefined for a list, a mapping or null. */
export function keyName(key: unknown): string | undefined {
  if (!isScalar(key)) return undefined;
  const source = scalarSource(key);
  return key.type === "PLAIN" ? resolvePlainKey(source) : source;
}
