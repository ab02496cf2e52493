/**
 * Files whose texts are there while they are still to be read as manifests, which takes ten times as long. Which objects they
 * hold is told by the lines that name them; whoever goes there has the file read before the others.
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

  /** Of the files that `isIn` holds for. */
  named(isIn: (uri: string) => boolean): readonly Named[] {
    return [...this.#files].flatMap(([uri, { named }]) => (isIn(uri) ? named : []));
  }

  /** Files that hold the object, or one that its name may be made of. */
  mayDefine({ kind, namespace, name }: Named): readonly string[] {
    const fits = (other: Named): boolean =>
      other.namespace === namespace &&
      (other.name === name
        ? other.kind === kind || makers.has(other.kind)
        : makers.has(other.kind) && name.includes(other.name));
    return this.#where(({ named }) => named.some(fits));
  }

  /** Files in whose text the name stands. */
  mayName(name: string): readonly string[] {
    return this.#where(({ text }) => text.includes(name));
  }

  #where(holds: (file: UnreadFile) => boolean): readonly string[] {
    return [...this.#files].flatMap(([uri, file]) => (holds(file) ? [uri] : []));
  }
}

/** Kinds after whose objects Kubernetes names others. */
const makers: ReadonlySet<string> = new Set(["StatefulSet", "Pod"]);

/** As far as their names stand on lines of their own. None of what may be a template. */
function namedObjects(text: string): readonly Named[] {
  if (!text.includes("apiVersion") || text.includes("{{")) return [];
  return splitDocuments(text)
    .flatMap(({ start, end }) => namedObject(text.slice(start, end)) ?? [])
    .filter(({ name }) => !expression.test(name));
}

/** Of no great length, so that none is sought to the end of a line from each of its braces. */
const inBraces = String.raw`\{\{(?:[^}\n]|\}(?!\})){0,300}\}\}|\$\{[^}\n]{0,300}\}`;

/** What a template puts something in place of; no text can be divided into such in several ways. */
export const expression: RegExp = new RegExp(String.raw`${inBraces}|\$[A-Z_]+\b`);

/** A name of which a template may make parts. */
export const nameInTemplate: string = `(?:[\\w.:-]|${expression.source})+`;

/** Of a document's text, readable or not; its name may have expressions. */
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

/** In a block, fields are as far indented as the first; `{ name: data }` has them on one line. */
function fieldsOfMetadata(document: string): (field: string) => string | undefined {
  const [, flow, block = "", indent = ""] = metadataOf.exec(document) ?? [];
  const before = flow === undefined ? `^${indent}` : "(?:^|,)[ \t]*";
  return (field) =>
    new RegExp(
      `${before}${field}:[ \t]+["']?(${nameInTemplate})["']?[ \t]*(?:[,#].*)?\r?$`,
      "m",
    ).exec(flow ?? block)?.[1];
}
