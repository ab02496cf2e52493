/**
 * Compares our validation with ajv's, on the same documents in the same process. Ajv has a schema for each kind, compiled
 * once, and reports all errors. Ours decodes, sets defaults, admits and applies every rule, once with the object as it would
 * be stored and once without it, as for the editor. Also measures one document after an edit: parsed, answered and checked by
 * every rule that needs no other document.
 */
import { readFileSync } from "node:fs";
import { Ajv, type ValidateFunction } from "ajv";
import { quantityFields, resourceListFields } from "../../src/engine/api/decoding/go-types.ts";
import type { ClusterView, RequestContext } from "../../src/engine/api/request-context.ts";
import { answerCreate, reviewCreate } from "../../src/engine/api/requests.ts";
import { type FieldSchema, kindSchemas, modelSchemas } from "../../src/engine/api/schema.ts";
import { catalogueAlone } from "../../src/engine/csi/catalogue/driver-knowledge.ts";
import type { Manifest } from "../../src/engine/scenario.ts";
import { diagnoseFile } from "../../src/language-server/diagnostics/diagnose.ts";
import { Workspace } from "../../src/language-server/workspace/workspace.ts";
import { manifestsIn, withWorkspace } from "./server-process.ts";

type Times = Readonly<Record<string, number>>;

/** Returns medians: microseconds per document by validator, and milliseconds for an edited document. */
export function validation(fileCount: number): Promise<Times> {
  return withWorkspace(
    (directory) => ["--out", directory, "--files", String(fileCount)],
    async (directory) => {
      const texts = manifestsIn(directory).map((file) => readFileSync(file, "utf8"));
      const { objects, afterEdit } = await readAll(texts);
      const validators = compileAll();
      const rounds = takeTurns(objects, {
        ajv: (object) => validators.get(String(object["kind"]))?.(object),
        ours: (object) => answerCreate(object, context),
        review: (object) => reviewCreate(object, context),
      });
      return {
        "ajv, µs": median(rounds.map(({ ajv }) => ajv)),
        "Claimcheck, µs": median(rounds.map(({ ours }) => ours)),
        "verdict alone, µs": median(rounds.map(({ review }) => review)),
        "times as long": median(rounds.map(({ ajv, ours }) => ours / ajv)),
        "verdict alone, times as long": median(rounds.map(({ ajv, review }) => review / ajv)),
        "one document after an edit, ms": afterEdit,
      };
    },
  );
}

interface Documents {
  readonly objects: readonly Manifest[];
  /** Median over the documents, in milliseconds. */
  readonly afterEdit: number;
}

/** Reads each file as the only one of a workspace, so that nothing is compared with other files. */
async function readAll(texts: readonly string[]): Promise<Documents> {
  const objects: Manifest[] = [];
  const edits: number[] = [];
  const workspace = new Workspace();
  workspace.setFolders(["file:///bench"]);
  const uri = "file:///bench/edited.yaml";
  const read = (text: string): void => {
    workspace.setDiskText(uri, text);
    const file = workspace.file(uri);
    if (file !== undefined)
      diagnoseFile(file, { version: "1.36", drivers: catalogueAlone }, new Map());
  };
  for (const text of texts) {
    workspace.setDiskText(uri, text);
    for (const { objects: found } of workspace.file(uri)?.manifest.documents ?? [])
      for (const object of found) if (object.served) objects.push(object.value);
    read(text);
    const name = text.search(/^ {2}name: /m);
    if (name < 0) continue;
    const at = name + "  name: ".length;
    const edited = `${text.slice(0, at)}x${text.slice(at)}`;
    const started = performance.now();
    read(edited);
    edits.push(performance.now() - started);
  }
  return { objects, afterEdit: median(edits) };
}

const warmUpRoundCount = 10;
const roundCount = 30;
/** Many, because short rounds would measure the clock, and few documents the compiler. */
const documentsPerRound = 4000;

type Validate = (object: Manifest) => unknown;

/**
 * Returns each contender's microseconds of CPU per document, for each round. They take turns, so that other load on the machine
 * slows all of them. Every other round reverses their order, so that the garbage of one is not always collected during the same
 * other one.
 */
function takeTurns<Name extends string>(
  objects: readonly Manifest[],
  contenders: Readonly<Record<Name, Validate>>,
): readonly Readonly<Record<Name, number>>[] {
  const passCount = Math.ceil(documentsPerRound / objects.length);
  const names = Object.keys(contenders) as Name[];
  const rounds: Record<Name, number>[] = [];
  for (let round = 0; round < warmUpRoundCount + roundCount; round++) {
    const order = round % 2 === 0 ? names : names.toReversed();
    const spent = order.map((name) => [name, timeOf(objects, passCount, contenders[name])]);
    rounds.push(Object.fromEntries(spent) as Record<Name, number>);
  }
  return rounds.slice(warmUpRoundCount);
}

function timeOf(objects: readonly Manifest[], passCount: number, validate: Validate): number {
  const started = process.cpuUsage();
  for (let pass = 0; pass < passCount; pass++) for (const object of objects) validate(object);
  const { user, system } = process.cpuUsage(started);
  return (user + system) / (objects.length * passCount);
}

function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[sorted.length >> 1] ?? Number.NaN;
}

/** Context of a cluster that has every namespace and nothing else. */
const context: RequestContext = {
  version: "1.36",
  now: "2026-01-01T00:00:00Z",
  cluster: {
    get: (kind: string) => (kind === "Namespace" ? namespace : undefined),
    list: () => [],
  } as unknown as ClusterView,
};

const namespace = { kind: "Namespace", metadata: { name: "any" }, status: { phase: "Active" } };

type JsonSchema = Readonly<Record<string, unknown>>;

/** Compiles strict schemas: like the API server, they refuse unknown fields. */
function compileAll(): ReadonlyMap<string, ValidateFunction> {
  const ajv = new Ajv({ allErrors: true, strict: false });
  ajv.addSchema({
    $id: "models",
    definitions: Object.fromEntries(
      Object.entries(modelSchemas).map(([name, fields]) => [name, modelSchema(name, fields)]),
    ),
  });
  return new Map(
    kindSchemas.map(({ kind, model }) => [
      kind,
      ajv.compile({ $ref: `models#/definitions/${model}` }),
    ]),
  );
}

function modelSchema(name: string, fields: Readonly<Record<string, FieldSchema>>): JsonSchema {
  return {
    type: "object",
    additionalProperties: false,
    required: Object.keys(fields).filter((field) => fields[field]?.[1] === 1),
    properties: Object.fromEntries(
      Object.entries(fields).map(([field, [type]]) => [
        field,
        typeSchema(type, `${name}.${field}`),
      ]),
    ),
  };
}

const quantity: JsonSchema = {
  anyOf: [
    { type: "number" },
    {
      type: "string",
      pattern: "^[+-]?([0-9]+(\\.[0-9]*)?|\\.[0-9]+)([KMGTPE]i|[numkMGTPE]|[eE][+-]?[0-9]+)?$",
    },
  ],
};

const scalars: Readonly<Record<string, JsonSchema>> = {
  string: { type: "string" },
  int32: { type: "integer", minimum: -(2 ** 31), maximum: 2 ** 31 - 1 },
  int64: { type: "integer" },
  boolean: { type: "boolean" },
  intOrString: { type: ["integer", "string"] },
  time: {
    type: "string",
    pattern: "^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d(\\.\\d+)?(Z|[+-]\\d\\d:\\d\\d)$",
  },
  microTime: { type: "string" },
  bytes: { type: "string", pattern: "^[A-Za-z0-9+/]*={0,2}$" },
  double: { type: "number" },
  any: {},
};

function typeSchema(type: string, place: string): JsonSchema {
  if (quantityFields.has(place)) return quantity;
  if (resourceListFields.has(place)) return { type: "object", additionalProperties: quantity };
  if (type.startsWith("[]")) return { type: "array", items: typeSchema(type.slice(2), "") };
  if (type.startsWith("map[]"))
    return { type: "object", additionalProperties: typeSchema(type.slice("map[]".length), "") };
  return scalars[type] ?? { $ref: `#/definitions/${type}` };
}
