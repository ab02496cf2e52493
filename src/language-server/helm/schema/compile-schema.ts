/**
 * Compiles a schema, with everything that it refers to, for validating values. Nothing is fetched: the target of a reference to
 * a URL accepts every value. Upstream: santhosh-tekuri/jsonschema v6 compiler.go, Helm v4 pkg/chart/common/util/jsonschema.go.
 */
import { goQuote } from "../../../engine/api/go/text.ts";
import { unescaped } from "../functions/urls.ts";
import type { CompiledSchema } from "./compiled-schema.ts";
import { type Draft, latestDraft, pointerTo, splitUrl } from "./drafts.ts";
import { isJsonMap, type JsonMap, type JsonValue } from "./json-text.ts";
import { fillSchema } from "./schema-keywords.ts";
import { notLoaded, SchemaFailure, SchemaRoot } from "./schema-root.ts";
import { escapedFragment, resolvedUrl, schemeOf } from "./schema-url.ts";

/** Validates a schema, or a part of it, against the schema of its draft. */
export type CheckSchema = (
  document: JsonValue,
  root: SchemaRoot,
  pointer: string,
) => SchemaFailure | undefined;

export interface CompilerSettings {
  /** A document known by its URL, other than the one being compiled. */
  findDocument(url: string): JsonValue | undefined;
  readonly check: CheckSchema;
  /** True if formats are checked even in drafts that treat them as annotations. */
  readonly assertsFormats: boolean;
}

export const tooLarge = "What this schema asks for is more than is looked at here";

/** Limits the number of schemas in a document, including those that it refers to. */
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

  /** Only the first failure counts. */
  fail(message: string, pointer: string): void {
    this.failure ??= new SchemaFailure(message, pointer);
  }

  /** Returns the schema at a place, and queues it for compilation. */
  schemaAt(url: string, pointer: string): CompiledSchema {
    const key = `${url}#${pointer}`;
    const known = this.#schemas.get(key);
    if (known !== undefined) return known;
    const fresh = newSchema(url, pointer);
    this.#schemas.set(key, fresh);
    this.#queue.push(fresh);
    return fresh;
  }

  /** The schema that a keyword refers to. */
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

  /** Helm would look for a file beside the schema in the root folder, and not find it. */
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

  /** A reference may lead to a part that is not in the place of a schema. */
  #ensureCollected(root: SchemaRoot, pointer: string, value: JsonValue): void {
    if (root.isKnown(pointer)) return;
    const within = root.resourceAt(pointer);
    if (within === undefined) return;
    this.failure ??= root.collect(value, within.id, pointer, within.draft);
    this.failure ??= this.#settings.check(value, root, pointer);
  }
}

/** The longest part of a pointer that leads somewhere. */
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

/** Stands for a schema that is not fetched. */
const anything: CompiledSchema = Object.assign(newSchema("", ""), { always: true });
