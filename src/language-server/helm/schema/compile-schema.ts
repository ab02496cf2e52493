/**
 * Makes of a schema what values are held against, with all that it refers to. Nothing is read from elsewhere: what a reference
 * to a URL leads to is met by every value. Upstream: santhosh-tekuri/jsonschema v6 compiler.go, Helm v4
 * pkg/chart/common/util/jsonschema.go.
 */
import { goQuote } from "../../../engine/api/go/text.ts";
import { unescaped } from "../functions/urls.ts";
import type { CompiledSchema } from "./compiled-schema.ts";
import { type Draft, latestDraft, pointerTo, splitUrl } from "./drafts.ts";
import { isJsonMap, type JsonMap, type JsonValue } from "./json-text.ts";
import { fillSchema } from "./schema-keywords.ts";
import { notLoaded, SchemaFailure, SchemaRoot } from "./schema-root.ts";
import { escapedFragment, resolvedUrl, schemeOf } from "./schema-url.ts";

/** What is wrong with a schema, or a part of it, by its draft's own. */
export type CheckSchema = (
  document: JsonValue,
  root: SchemaRoot,
  pointer: string,
) => SchemaFailure | undefined;

export interface CompilerSettings {
  /** A document that is known by its URL, beside the one that is compiled. */
  findDocument(url: string): JsonValue | undefined;
  readonly check: CheckSchema;
  /** Whether formats count in drafts that take them for remarks. */
  readonly assertsFormats: boolean;
}

export const tooLarge = "What this schema asks for is more than is looked at here";

/** Schemas that one document may have, with those that it refers to. */
const schemaCountMax = 20_000;

export class SchemaCompiler {
  readonly assertsFormats: boolean;
  failure: SchemaFailure | undefined;
  readonly #settings: CompilerSettings;
  readonly #roots = new Map<string, SchemaRoot>();
  readonly #schemas = new Map<string, CompiledSchema>();
  readonly #queue: CompiledSchema[] = [];

  constructor(settings: CompilerSettings) {
    this.#settings = settings;
    this.assertsFormats = settings.assertsFormats;
  }

  compile(url: string, document: JsonValue): CompiledSchema | SchemaFailure {
    this.#addRoot(new SchemaRoot(url, document), latestDraft);
    const compiled = this.schemaAt(url, "");
    for (let done = 0; done < this.#queue.length && this.failure === undefined; done++) {
      const next = this.#queue[done];
      if (next !== undefined) this.#compileNext(next);
      if (done < schemaCountMax) continue;
      this.failure ??= new SchemaFailure(tooLarge, "", "limit");
    }
    return this.failure ?? compiled;
  }

  /** The first one counts. */
  fail(message: string, pointer: string): void {
    this.failure ??= new SchemaFailure(message, pointer);
  }

  /** To be compiled in its turn. */
  schemaAt(url: string, pointer: string): CompiledSchema {
    const key = `${url}#${pointer}`;
    const known = this.#schemas.get(key);
    if (known !== undefined) return known;
    const fresh = newSchema(url, pointer);
    this.#schemas.set(key, fresh);
    this.#queue.push(fresh);
    return fresh;
  }

  /** What a keyword refers to. */
  referred(schema: CompiledSchema, object: JsonMap, keyword: string): CompiledSchema | undefined {
    const reference = object.get(keyword);
    const own = this.#roots.get(schema.url);
    const from = own?.resourceAt(schema.pointer);
    if (typeof reference !== "string" || own === undefined || from === undefined) return undefined;
    const at = pointerTo(schema.pointer, keyword);
    const [written, raw] = splitUrl(reference);
    const fragment = unescaped(raw);
    if (fragment === undefined) {
      this.fail(`error in parsing ${goQuote(reference)}: invalid URL escape`, at);
      return undefined;
    }
    const url = resolvedUrl(from.id, written);
    const resource = own.resourceNamed(url);
    if (resource !== undefined) return this.#pointed(own, own.pointerOf(fragment, resource, at));
    const root = this.#rootOf(url);
    const first = root?.resourceAt("");
    if (root !== undefined && first !== undefined)
      return this.#pointed(root, root.pointerOf(fragment, first, at));
    return this.#unknown(url, written, at);
  }

  #pointed(root: SchemaRoot, pointer: string | SchemaFailure): CompiledSchema | undefined {
    if (typeof pointer === "string") return this.schemaAt(root.url, pointer);
    this.failure ??= pointer;
    return undefined;
  }

  /** A file beside the schema is looked for at the top of the disk, where there is none. */
  #unknown(url: string, written: string, at: string): CompiledSchema | undefined {
    const scheme = schemeOf(url);
    const missing = notLoaded(url, at);
    if (scheme === "file" && schemeOf(written) === "") {
      const path = url.slice("file://".length);
      const reason = `open ${path}: no such file or directory`;
      this.fail(`failing loading ${goQuote(url)}: ${reason}`, at);
    } else if (missing.cause === "elsewhere") return anything;
    else this.failure ??= missing;
    return undefined;
  }

  #rootOf(url: string): SchemaRoot | undefined {
    const known = this.#roots.get(url);
    const document = known === undefined ? this.#settings.findDocument(url) : undefined;
    if (document === undefined) return known;
    return this.#addRoot(new SchemaRoot(url, document), latestDraft);
  }

  #addRoot(root: SchemaRoot, draft: Draft): SchemaRoot {
    this.failure ??= root.collect(root.document, root.url, "", draft);
    this.failure ??= this.#settings.check(root.document, root, "");
    this.#roots.set(root.url, root);
    return root;
  }

  #compileNext(schema: CompiledSchema): void {
    const root = this.#roots.get(schema.url);
    const value = root?.valueAt(schema.pointer);
    if (root === undefined || value === undefined) {
      const whole = `${schema.url}#${escapedFragment(schema.pointer)}`;
      this.fail(
        `json-pointer in ${goQuote(whole)} not found`,
        nearestPointer(schema.pointer, root),
      );
      return;
    }
    this.#ensureCollected(root, schema.pointer, value);
    const resource = root.resourceAt(schema.pointer);
    if (resource === undefined || this.failure !== undefined) return;
    schema.version = resource.draft.version;
    schema.resource = this.schemaAt(schema.url, resource.pointer);
    if (schema === schema.resource)
      for (const [name, pointer] of resource.anchors)
        if (resource.dynamicAnchors.has(name))
          schema.dynamicAnchors.set(name, this.schemaAt(schema.url, pointer));
    if (typeof value === "boolean") schema.always = value;
    else if (isJsonMap(value) && value.size === 0) schema.always = true;
    else if (isJsonMap(value)) fillSchema(schema, value, this);
  }

  /** A reference may lead to what stands in no place of a schema. */
  #ensureCollected(root: SchemaRoot, pointer: string, value: JsonValue): void {
    if (root.isKnown(pointer)) return;
    const within = root.resourceAt(pointer);
    if (within === undefined) return;
    this.failure ??= root.collect(value, within.id, pointer, within.draft);
    this.failure ??= this.#settings.check(value, root, pointer);
  }
}

/** As much of a pointer as leads somewhere. */
function nearestPointer(pointer: string, root: SchemaRoot | undefined): string {
  let at = pointer;
  while (at !== "" && root?.valueAt(at) === undefined) at = at.slice(0, at.lastIndexOf("/"));
  return at;
}

function newSchema(url: string, pointer: string): CompiledSchema {
  const schema: Partial<CompiledSchema> = { url, pointer, version: latestDraft.version };
  const made = Object.assign(schema, { dynamicAnchors: new Map() }) as CompiledSchema;
  made.resource = made;
  return made;
}

/** What nobody has read. */
const anything: CompiledSchema = Object.assign(newSchema("", ""), { always: true });
