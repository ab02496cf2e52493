/**
 * Files whose text is loaded but not parsed yet, which takes ten times as long. Until then the objects in them are known from
 * the lines with their names, so that a file that somebody navigates to can be parsed first.
 */
import { isNamespaced, isServed } from "../../../engine/api/meta.ts";
import { splitDocuments } from "../../yaml/split-documents.ts";
import type { Named } from "../cluster-names.ts";

interface UnreadFile {
  readonly text: string;
  readonly named: readonly Named[];
}

export class UnreadFiles {
  readonly #files = new Map<string, UnreadFile>();

  add(uri: string, text: string): void {
    this.#files.set(uri, { text, named: namedObjects(text) });
  }

  text(uri: string): string | undefined {
    return this.#files.get(uri)?.text;
  }

  clear(): void {
    this.#files.clear();
  }

  get count(): number {
    return this.#files.size;
  }

  /** Names in the files for which `isIn` is true. */
  named(isIn: (uri: string) => boolean): readonly Named[] {
    return [...this.#files].flatMap(([uri, { named }]) => (isIn(uri) ? named : []));
  }

  /** Files with the object, or with one from which its name may be derived. */
  mayDefine({ kind, namespace, name }: Named): readonly string[] {
    const fits = (other: Named): boolean =>
      other.namespace === namespace &&
      (other.name === name
        ? other.kind === kind || makers.has(other.kind)
        : makers.has(other.kind) && name.includes(other.name));
    return this.#where(({ named }) => named.some(fits));
  }

  /** Files whose text contains the name. */
  mayName(name: string): readonly string[] {
    return this.#where(({ text }) => text.includes(name));
  }

  #where(holds: (file: UnreadFile) => boolean): readonly string[] {
    return [...this.#files].flatMap(([uri, file]) => (holds(file) ? [uri] : []));
  }
}

/** Kinds that other objects are named after. */
const makers: ReadonlySet<string> = new Set(["StatefulSet", "Pod"]);

/** Only finds names on lines of their own. Empty for text that may be a template. */
function namedObjects(text: string): readonly Named[] {
  if (!text.includes("apiVersion") || text.includes("{{")) return [];
  return splitDocuments(text)
    .flatMap(({ start, end }) => namedObject(text.slice(start, end)) ?? [])
    .filter(({ name }) => !expression.test(name));
}

/** Limited in length, so that an unclosed brace does not cause a search to the end of the line. */
const inBraces = String.raw`\{\{(?:[^}\n]|\}(?!\})){0,300}\}\}|\$\{[^}\n]{0,300}\}`;

/** A template expression. Texts can be divided into such expressions in only one way, which keeps matching fast. */
export const expression: RegExp = new RegExp(String.raw`${inBraces}|\$[A-Z_]+\b`);

/** A name that may contain template expressions. */
export const nameInTemplate: string = `(?:[\\w.:-]|${expression.source})+`;

/** The object that a document's text names, readable or not; the name may contain template expressions. */
export function namedObject(document: string): Named | undefined {
  const apiVersion = /^apiVersion:[ \t]*["']?([\w./-]+)/m.exec(document)?.[1] ?? "";
  const kind = /^kind:[ \t]*["']?(\w+)/m.exec(document)?.[1] ?? "";
  if (!isServed(apiVersion, kind)) return undefined;
  const field = fieldsOfMetadata(document);
  const name = field("name");
  if (name === undefined) return undefined;
  const namespace = isNamespaced(kind) ? (field("namespace") ?? "default") : "";
  return { kind, namespace, name };
}

const metadataOf = new RegExp(
  String.raw`^metadata:[ \t]*(?:\{((?:${inBraces}|[^{}\n])*)\}|\r?\n((?:([ \t]+).*\r?\n?)(?:[ \t]+.*\r?\n?)*))`,
  "m",
);

/** In a block, all fields are indented like the first; `{ name: data }` has them on one line. */
function fieldsOfMetadata(document: string): (field: string) => string | undefined {
  const [, flow, block = "", indent = ""] = metadataOf.exec(document) ?? [];
  const before = flow === undefined ? `^${indent}` : "(?:^|,)[ \t]*";
  return (field) =>
    new RegExp(
      `${before}${field}:[ \t]+["']?(${nameInTemplate})["']?[ \t]*(?:[,#].*)?\r?$`,
      "m",
    ).exec(flow ?? block)?.[1];
}
