/**
 * The drafts' own schemas, against which each schema is validated before it is used. They are those of json-schema.org, without
 * titles and comments. Upstream: santhosh-tekuri/jsonschema v6 draft.go, roots.go validate.
 */
import { goQuote } from "../../../engine/api/go/text.ts";
import { type CompilerSettings, SchemaCompiler, tooLarge } from "./compile-schema.ts";
import type { CompiledSchema } from "./compiled-schema.ts";
import { type Draft, pointerTo, splitUrl } from "./drafts.ts";
import { type JsonValue, readJson, UnreadJson } from "./json-text.ts";
import documents from "./metaschemas.json" with { type: "json" };
import { type SchemaError, shownError } from "./schema-error.ts";
import { SchemaFailure, type SchemaRoot } from "./schema-root.ts";
import { escapedFragment } from "./schema-url.ts";
import { type StepBudget, validate } from "./validator.ts";

const texts: Readonly<Record<string, unknown>> = documents;
const read = new Map<string, JsonValue | undefined>();
const compiled = new Map<Draft, CompiledSchema>();

/** The draft's schema with this URL; undefined if it is none of them. */
export function metaschemaAt(url: string): JsonValue | undefined {
  if (read.has(url)) return read.get(url);
  const [bare] = splitUrl(url);
  const document =
    texts[bare] ?? texts[bare.replace(/^https?/, (it) => (it === "http" ? "https" : "http"))];
  const value = document === undefined ? undefined : readJson(JSON.stringify(document));
  const found = value instanceof UnreadJson ? undefined : value;
  if (found !== undefined) read.set(url, found);
  return found;
}

const ofMetaschemas: CompilerSettings = {
  findDocument: metaschemaAt,
  check: () => undefined,
  assertsFormats: true,
};

function metaschemaOf(draft: Draft): CompiledSchema {
  const known = compiled.get(draft);
  if (known !== undefined) return known;
  const made = new SchemaCompiler(ofMetaschemas).compile(
    draft.url,
    metaschemaAt(draft.url) ?? true,
  );
  if (made instanceof SchemaFailure) throw new Error(`${draft.url}: ${made.message}`);
  compiled.set(draft, made);
  return made;
}

/** Why a schema is invalid in its draft; undefined if it is valid. */
export function checkedByDraft(
  document: JsonValue,
  root: SchemaRoot,
  pointer: string,
  budget: StepBudget,
): SchemaFailure | undefined {
  const draft = root.resourceAt(pointer)?.draft;
  if (draft === undefined || metaschemaAt(root.url) !== undefined) return undefined;
  const draftAt = (at: string): Draft | undefined => root.resources.get(at)?.draft;
  const meta = { schemaOf: metaschemaOf, draftAt };
  const errors = validate(metaschemaOf(draft), document, { budget, meta });
  if (budget.isSpent) return new SchemaFailure(tooLarge, pointer, "limit");
  const [first] = errors;
  if (first === undefined) return undefined;
  const url = goQuote(`${root.url}#${escapedFragment(pointer)}`);
  const message = [
    `${url} is not valid against metaschema: jsonschema validation failed with '${draft.url}#'`,
    ...errors.map((error) => shownError(error)),
  ].join("\n");
  return new SchemaFailure(message, pointerTo(pointer, ...innermostPath(first)));
}

/** Path of the first mistake that has no cause of its own. */
function innermostPath(error: SchemaError): readonly string[] {
  const [first] = error.properties === undefined ? error.causes : [];
  return first === undefined ? error.path : innermostPath(first);
}
