/**
 * Reads the output of `kubectl get … -o yaml` or `-o json` as objects. Lists are read item by item, so that a mistake only
 * costs one object. Drops values of Secrets, which no rule needs.
 */

import { isKind, isServed } from "../../../engine/api/meta.ts";
import { lastAppliedAnnotation } from "../../../engine/api/patch/apply-patch.ts";
import { storedObject } from "../../../engine/api/stored-object.ts";
import type { Manifest } from "../../../engine/scenario.ts";
import { isRecord } from "../../yaml/manifest.ts";
import { readSimpleYaml } from "../../yaml/simple-yaml.ts";
import { splitDocuments } from "../../yaml/split-documents.ts";
import { parseSyntaxTree } from "../../yaml/syntax-tree.ts";
import { toValue } from "../../yaml/to-value.ts";
import { type JsonSpan, jsonValues } from "./json-values.ts";

export interface ImportProblem {
  /** Counts from 1; absent if it concerns the whole text. */
  readonly line?: number;
  readonly message: string;
}

export interface ImportedText {
  readonly objects: readonly Manifest[];
  readonly problems: readonly ImportProblem[];
  /** Number of objects of each kind that is not simulated. */
  readonly others: ReadonlyMap<string, number>;
}

/** Reported if all texts together contain nothing usable; a single such text is not a mistake. */
export const nothingSimulated: string = "There is no object of a kind that is simulated";

const problemCountMax = 20;

export function readImportedText(printed: string): ImportedText {
  const noText = notYaml(printed);
  if (noText !== undefined)
    return { objects: [], problems: [{ message: noText }], others: new Map() };
  const reader = new ImportReader();
  const lines = withoutLogs(printed.replace(/^\uFEFF/, "").replaceAll("\r\n", "\n"));
  const text = withoutAsides(lines, (line, said) => reader.problem(line, `kubectl said: ${said}`));
  if (/^\s*[{[]/.test(text)) readJson(text, reader);
  else {
    const lineAt = lineCounter(text);
    for (const document of splitDocuments(text))
      for (const [start, end] of splitOutputs(text, document.start, document.end))
        reader.document(text.slice(start, end), lineAt(start));
  }
  return reader.result();
}

/** Recognizes what people paste by mistake. */
function notYaml(text: string): string | undefined {
  const first = text.trimStart().split("\n", 1)[0] ?? "";
  if (first === "") return "It is empty";
  if (first.includes("\0"))
    return "This is no text; save what kubectl get … -o yaml prints as UTF-8, or as UTF-16 with its mark";
  if (/^(?:NAMESPACE\s+)?NAME\s+[A-Z]|^[A-Z][A-Z ]*[A-Z] {2,}[A-Z]/.test(first))
    return "This is the table that kubectl prints for people; add -o yaml to the command";
  if (/^Name:\s{2,}/.test(first))
    return "This is what kubectl describe prints; use kubectl get … -o yaml";
  if (/^[a-z][a-z0-9.-]*\/[a-z0-9.-]+$/.test(first))
    return "These are names alone; use -o yaml instead of -o name";
  const hasMore = /^(?:apiVersion:|[{[])/m.test(text);
  if (!hasMore && /^(?:Error from server|error:|No resources found)/.test(first))
    return `kubectl said: ${first}`;
  return undefined;
}

/** Blanks container logs in the output of `kubectl cluster-info dump`; keeps line numbers. */
function withoutLogs(text: string): string {
  const begin = /^==== START logs for container /gm;
  const kept: string[] = [];
  let at = 0;
  for (let log = begin.exec(text); log !== null; log = begin.exec(text)) {
    const last = text.indexOf("==== END logs for container ", log.index);
    const end = last < 0 ? text.length : endOfLine(text, last);
    kept.push(text.slice(at, log.index), text.slice(log.index, end).replace(/[^\n]+/g, ""));
    begin.lastIndex = at = end;
  }
  return [...kept, text.slice(at)].join("");
}

function endOfLine(text: string, offset: number): number {
  const end = text.indexOf("\n", offset);
  return end < 0 ? text.length : end;
}

/**
 * Blanks what kubectl and its libraries (klog) print besides objects, if both streams went into the file; keeps line numbers.
 */
function withoutAsides(text: string, tellError: (line: number, said: string) => void): string {
  const aside =
    /^(?:Warning: |Error from server|error: |No resources found|[IWEF]\d{4} \d\d:\d\d:\d\d\.\d+ ).*$/gm;
  const lineAt = lineCounter(text);
  return text.replace(aside, (said, at: number) => {
    if (/^e\D/i.test(said)) tellError(lineAt(at), said);
    return "";
  });
}

/** Splits the output of several commands that were written to one file: each begins with apiVersion, without separators. */
function splitOutputs(
  text: string,
  start: number,
  end: number,
): readonly (readonly [start: number, end: number])[] {
  const own = text.slice(start, end);
  const starts = [...own.matchAll(/^apiVersion:/gm)].map(({ index }) => start + index);
  const [, ...further] = /^\s*apiVersion:/.test(own) ? starts : [];
  const bounds = [start, ...further, end];
  return bounds.slice(1).map((until, i) => [bounds[i] ?? start, until] as const);
}

/** Reads one or more JSON values; of a broken or truncated list, the intact items. */
function readJson(text: string, reader: ImportReader): void {
  const whole = parseJson(text);
  if ("value" in whole) {
    reader.value(whole.value, undefined);
    return;
  }
  const lineAt = lineCounter(text);
  for (const found of jsonValues(text)) {
    const start = found.start + text.slice(found.start, found.end).search(/\S/);
    const own = parseJson(text.slice(start, found.end));
    if ("value" in own) reader.value(own.value, lineAt(start));
    else if (found.items !== undefined) readItems(text, found, found.items, lineAt, reader);
    else
      reader.problem(
        lineAt(start),
        found.isWhole ? own.error : "This object breaks off, and is left out",
      );
  }
}

function readItems(
  text: string,
  list: JsonSpan,
  items: readonly JsonSpan[],
  lineAt: (offset: number) => number,
  reader: ImportReader,
): void {
  const head = text.slice(list.start, items[0]?.start);
  const around = parseJson(`${head}]}`);
  const kind = "value" in around ? kindOfItems(around.value) : undefined;
  for (const { start, end, isWhole } of items) {
    const own = parseJson(text.slice(start, end));
    if ("value" in own) reader.value(named(own.value, kind), lineAt(start));
    else
      reader.problem(
        lineAt(start),
        isWhole ? own.error : "The list breaks off in this object, which is left out",
      );
  }
  const isCutBehind = !list.isWhole && items.at(-1)?.isWhole !== false;
  if (isCutBehind) reader.problem(lineAt(list.end), "The list breaks off here");
}

function parseJson(text: string): { readonly value: unknown } | { readonly error: string } {
  try {
    return { value: JSON.parse(text) };
  } catch (error) {
    return { error: error instanceof Error ? error.message : String(error) };
  }
}

/** The type that a typed list (such as the API server's own lists) gives to its items, which need not state it. */
interface ItemKind {
  readonly apiVersion: string;
  readonly kind: string;
}

function named(item: unknown, kind: ItemKind | undefined): unknown {
  return kind !== undefined && isRecord(item) && item["kind"] === undefined
    ? { ...kind, ...item }
    : item;
}

/** A value, or if it is a list its items, also from nested lists. */
function* objectsIn(value: unknown): Iterable<unknown> {
  const open = [value];
  while (open.length > 0) {
    const next = open.pop();
    const items = isRecord(next) ? next["items"] : next;
    if (!Array.isArray(items)) yield next;
    else {
      const kind = kindOfItems(next);
      for (const item of items.toReversed()) open.push(named(item, kind));
    }
  }
}

function kindOfItems(list: unknown): ItemKind | undefined {
  const { apiVersion, kind } = isRecord(list) ? list : {};
  if (typeof kind !== "string" || !/.List$/.test(kind)) return undefined;
  return { apiVersion: String(apiVersion), kind: kind.slice(0, -"List".length) };
}

class ImportReader {
  readonly #objects: Manifest[] = [];
  readonly #problems: ImportProblem[] = [];
  readonly #others = new Map<string, number>();
  #untold = 0;

  document(own: string, firstLine: number): void {
    if (own.trim() === "") return;
    const list = itemsOf(own);
    if (list === undefined) {
      this.value(this.#parsed(own, firstLine), firstLine);
      return;
    }
    for (const [at, item] of list.items.entries()) {
      const line = firstLine + item.line;
      const isLast = at === list.items.length - 1;
      if (isLast && !list.isWhole)
        this.problem(line, "The list breaks off in or behind this object, which is left out");
      else this.value(named(this.#parsed(item.text, line), list.kind), line);
    }
  }

  #parsed(text: string, firstLine: number): unknown {
    const simple = readSimpleYaml(text);
    if (simple !== undefined) return simple;
    const tree = parseSyntaxTree(text);
    const { value, problems } = toValue(tree.root);
    const [problem] = [
      ...tree.problems,
      ...problems.filter((p) => p.code !== "yaml-duplicate-key"),
    ];
    if (problem === undefined) return value;
    this.problem(firstLine + lineCounter(text)(problem.start) - 1, problem.message);
    return undefined;
  }

  value(value: unknown, line: number | undefined): void {
    for (const one of objectsIn(value ?? [])) this.#object(one, line);
  }

  #object(value: unknown, line: number | undefined): void {
    if (value === undefined) return;
    if (!isRecord(value) || typeof value["kind"] !== "string") {
      this.problem(line, "This is no Kubernetes object");
      return;
    }
    const { apiVersion, kind } = value;
    if (kind === "Status" && typeof value["message"] === "string") {
      this.problem(line, `The API server said: ${value["message"]}`);
      return;
    }
    if (!isServed(String(apiVersion), kind)) {
      const what = !isKind(kind) ? kind : `${kind} of ${String(apiVersion)}`;
      this.#others.set(what, (this.#others.get(what) ?? 0) + 1);
      return;
    }
    const manifest = redacted(value as Manifest);
    const stored = storedObject(manifest);
    if (stored.ok) this.#objects.push(manifest);
    else this.problem(line, `${kind} ${nameOf(manifest)} is left out: ${stored.error}`);
  }

  problem(line: number | undefined, message: string): void {
    if (this.#problems.length >= problemCountMax) this.#untold++;
    else this.#problems.push(line === undefined ? { message } : { line, message });
  }

  result(): ImportedText {
    const problems = [...this.#problems];
    if (this.#untold > 0) problems.push({ message: `${this.#untold} more are like these` });
    return { objects: this.#objects, problems, others: this.#others };
  }
}

function nameOf({ metadata }: Manifest): string {
  return isRecord(metadata) && typeof metadata["name"] === "string" ? metadata["name"] : "";
}

/** Returns the line number of an offset, from 1; offsets must not decrease. */
function lineCounter(text: string): (offset: number) => number {
  let line = 1;
  let next = text.indexOf("\n");
  return (offset) => {
    for (; next >= 0 && next < offset; next = text.indexOf("\n", next + 1)) line++;
    return line;
  };
}

interface Items {
  readonly items: readonly { readonly text: string; readonly line: number }[];
  /** False if truncated: kubectl writes the list's kind after its items. */
  readonly isWhole: boolean;
  readonly kind: ItemKind | undefined;
}

/** The items of a List as separate texts; undefined for text in another form than kubectl's. */
function itemsOf(text: string): Items | undefined {
  // An alias may refer to an anchor in another item.
  if (/[:-] +\*[\w-]+\s*$/m.test(text)) return undefined;
  const head = /^items:[ \t]*\r?\n(?=([ ]*)- )/m.exec(text);
  if (head === null) return undefined;
  const indent = head[1] ?? "";
  const lines = text.split("\n");
  const first = text.slice(0, head.index).split("\n").length;
  const items: { text: string[]; line: number }[] = [];
  let at = first;
  for (; at < lines.length; at++) {
    const line = lines[at] ?? "";
    if (line.startsWith(`${indent}- `)) items.push({ text: [], line: at });
    else if (line.trim() !== "" && !line.startsWith(`${indent}  `)) break;
    items.at(-1)?.text.push(line.slice(indent.length + 2));
  }
  const around = [...lines.slice(0, first), ...lines.slice(at)];
  const [apiVersion, kind] = ["apiVersion", "kind"].map((key) => valueIn(around, key));
  return {
    items: items.map(({ text: own, line }) => ({ text: own.join("\n"), line })),
    isWhole: kind?.endsWith("List") === true,
    kind: kindOfItems({ apiVersion, kind }),
  };
}

function valueIn(lines: readonly string[], key: string): string | undefined {
  const line = lines.find((one) => one.startsWith(`${key}:`));
  return line?.slice(key.length + 1).replace(/#.*|["'\s]/g, "");
}

/** Removes the values of Secrets, and bookkeeping of the API server. */
function redacted(manifest: Manifest): Manifest {
  const { metadata } = manifest;
  const { managedFields: _, ...meta } = isRecord(metadata) ? metadata : {};
  if (manifest["kind"] !== "Secret") return { ...manifest, metadata: meta };
  const { data, stringData, ...rest } = manifest;
  const { [lastAppliedAnnotation]: __, ...annotations } = isRecord(meta["annotations"])
    ? meta["annotations"]
    : {};
  const keys = [data, stringData].flatMap((values) =>
    isRecord(values) ? Object.keys(values) : [],
  );
  return {
    ...rest,
    metadata: { ...meta, annotations },
    data: Object.fromEntries(keys.map((key) => [key, ""])),
  };
}
