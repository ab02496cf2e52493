/**
 * A document of schemas: which of them have ids, and where references lead. Upstream: santhosh-tekuri/jsonschema v6 root.go,
 * roots.go collectResources.
 */
import { goQuote } from "../../../engine/api/go/text.ts";
import {
  type Draft,
  draftOf,
  idOf,
  segmentsOf,
  splitUrl,
  subschemasOf,
  wrongEscape,
} from "./drafts.ts";
import { isJsonList, isJsonMap, type JsonMap, type JsonValue } from "./json-text.ts";
import { escapedFragment, resolvedUrl, schemeOf } from "./schema-url.ts";

/** A schema with an id, together with those inside that have none. */
export interface Resource {
  readonly pointer: string;
  readonly id: string;
  readonly draft: Draft;
  /** Pointers of schemas by their anchors. */
  readonly anchors: Map<string, string>;
  readonly dynamicAnchors: Set<string>;
}

/** Whether Helm refuses the schema, fetches a part of it, or accepts more than is read here. */
export type FailureCause = "refused" | "elsewhere" | "limit";

/** Why values cannot be validated. */
export class SchemaFailure {
  readonly message: string;
  /** Pointer in the document. */
  readonly pointer: string;
  readonly cause: FailureCause;

  constructor(message: string, pointer: string, cause: FailureCause = "refused") {
    this.message = message;
    this.pointer = pointer;
    this.cause = cause;
  }
}

export class SchemaRoot {
  readonly url: string;
  readonly document: JsonValue;
  readonly resources: Map<string, Resource> = new Map();
  readonly #byId = new Map<string, Resource>();
  readonly #seen = new Set<string>();

  constructor(url: string, document: JsonValue) {
    this.url = url;
    this.document = document;
  }

  /** The resource that contains a pointer. */
  resourceAt(pointer: string): Resource | undefined {
    for (let at = pointer; ; at = at.slice(0, at.lastIndexOf("/"))) {
      const found = this.resources.get(at);
      if (found !== undefined || at === "") return found;
    }
  }

  resourceNamed(url: string): Resource | undefined {
    return url === this.url ? this.resources.get("") : this.#byId.get(url);
  }

  isKnown(pointer: string): boolean {
    return this.#seen.has(pointer);
  }

  /** Undefined if it leads nowhere. */
  valueAt(pointer: string): JsonValue | undefined {
    let value: JsonValue | undefined = this.document;
    for (const segment of segmentsOf(pointer))
      if (isJsonMap(value)) value = value.get(segment);
      else value = isJsonList(value) && /^\d+$/.test(segment) ? value[Number(segment)] : undefined;
    return value;
  }

  /** The pointer in the document that a URL's fragment refers to. */
  pointerOf(fragment: string, resource: Resource, at: string): string | SchemaFailure {
    if (fragment === "" || fragment.startsWith("/")) {
      const pointer = resource.pointer + fragment;
      const bad = wrongEscape.exec(pointer);
      if (bad === null) return pointer;
      const url = goQuote(`${this.url}#${escapedFragment(pointer)}`);
      // Upstream decodes segments only as it descends.
      const above = pointer.slice(0, pointer.lastIndexOf("/", bad.index));
      return new SchemaFailure(
        this.valueAt(above) === undefined
          ? `json-pointer in ${url} not found`
          : `invalid json-pointer ${url}`,
        at,
      );
    }
    const found = resource.anchors.get(fragment);
    if (found !== undefined) return found;
    const whole = goQuote(`${resource.id}#${escapedFragment(fragment)}`);
    return new SchemaFailure(`anchor in ${whole} not found in schema ${goQuote(this.url)}`, at);
  }

  /** Collects the resources in a schema and in those inside it. */
  collect(
    schema: JsonValue,
    base: string,
    pointer: string,
    draft: Draft,
  ): SchemaFailure | undefined {
    if (this.#seen.has(pointer)) return undefined;
    this.#seen.add(pointer);
    if (!isJsonMap(schema)) {
      if (pointer === "") this.#add(newResource(pointer, base, draft));
      return undefined;
    }
    const own = draftFor(schema, pointer, draft);
    if (own instanceof SchemaFailure) return own;
    const resource = this.#resourceOf(schema, base, pointer, { draft, own });
    if (resource instanceof SchemaFailure) return resource;
    const failed = this.#collectAnchors(schema, pointer, resource);
    if (failed !== undefined) return failed;
    for (const [at, value] of subschemasOf(schema, pointer, resource.draft)) {
      const inside = this.collect(value, resource.id, at, resource.draft);
      if (inside !== undefined) return inside;
    }
    return undefined;
  }

  #resourceOf(
    schema: JsonMap,
    base: string,
    pointer: string,
    { draft, own }: { readonly draft: Draft; readonly own: Draft },
  ): Resource | SchemaFailure {
    // Only a schema with an id may be written for another draft.
    const named = pointer === "" || idOf(schema, own) !== "" ? own : draft;
    const id = idOf(schema, named);
    const within = this.#byId.get(base);
    if (id === "" && pointer !== "" && within !== undefined) return within;
    const url = id === "" ? base : resolvedUrl(base, id);
    const twin = this.#byId.get(url);
    if (twin !== undefined && twin.pointer !== pointer) {
      const both = `${goQuote(pointer)} and ${goQuote(twin.pointer)}`;
      const message = `duplicate id ${goQuote(url)} in ${goQuote(this.url)} at ${both}`;
      return new SchemaFailure(message, pointer);
    }
    return this.#add(newResource(pointer, url, named));
  }

  #add(resource: Resource): Resource {
    this.resources.set(resource.pointer, resource);
    this.#byId.set(resource.id, resource);
    return resource;
  }

  #collectAnchors(
    schema: JsonMap,
    pointer: string,
    { anchors, dynamicAnchors, draft }: Resource,
  ): SchemaFailure | undefined {
    for (const [name, isDynamic] of anchorsOf(schema, draft)) {
      const known = anchors.get(name);
      if (known !== undefined && known !== pointer) {
        const both = `${goQuote(known)} and ${goQuote(pointer)}`;
        const message = `duplicate anchor ${goQuote(name)} in ${goQuote(this.url)} at ${both}`;
        return new SchemaFailure(message, pointer);
      }
      anchors.set(name, pointer);
      if (isDynamic) dynamicAnchors.add(name);
    }
    return undefined;
  }
}

function newResource(pointer: string, id: string, draft: Draft): Resource {
  return { pointer, id, draft, anchors: new Map(), dynamicAnchors: new Set() };
}

/** The draft that `$schema` names, else that of the surrounding schema. */
function draftFor(schema: JsonMap, pointer: string, within: Draft): Draft | SchemaFailure {
  const named = schema.get("$schema");
  if (typeof named !== "string") return within;
  const draft = draftOf(named);
  if (draft !== undefined) return draft;
  const [url] = splitUrl(named);
  return notLoaded(url, `${pointer}/$schema`);
}

/** For a URL that Helm would fetch, which is not done here; without a known scheme Helm does not find it either. */
export function notLoaded(url: string, pointer: string): SchemaFailure {
  const scheme = schemeOf(url);
  const isElsewhere = ["http", "https", "urn", "file"].includes(scheme);
  const message = `failing loading ${goQuote(url)}: no URLLoader registered for ${goQuote(url)}`;
  return new SchemaFailure(message, pointer, isElsewhere ? "elsewhere" : "refused");
}

/** The anchors of a schema, each with whether it is dynamic. */
function anchorsOf(
  schema: JsonMap,
  { version, idKey }: Draft,
): readonly (readonly [string, boolean])[] {
  if (version < 2019) {
    const id = schema.get(idKey);
    if (typeof id !== "string" || schema.has("$ref")) return [];
    const [, fragment] = splitUrl(id);
    return fragment === "" || fragment.startsWith("/") ? [] : [[fragment, false]];
  }
  const anchor = schema.get("$anchor");
  const dynamic = version < 2020 ? undefined : schema.get("$dynamicAnchor");
  return [
    ...(typeof anchor === "string" ? ([[anchor, false]] as const) : []),
    ...(typeof dynamic === "string" ? ([[dynamic, true]] as const) : []),
  ];
}
