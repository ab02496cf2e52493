/**
 * Generates src/engine/api/decoding/plain.ts: for each model of unremarkable.ts a function that tells whether a value is plain,
 * that is, written exactly as it is stored, breaking no rule and causing no warning. What Go's types add to OpenAPI's comes
 * from go-types.ts, as for the decoders.
 */
import {
  alwaysWritten,
  pointerFields,
  quantityFields,
  resourceListFields,
  valueStructs,
} from "../src/engine/api/decoding/go-types.ts";
import { type Look, type Unremarkable, unremarkable } from "./unremarkable.ts";

interface Field {
  readonly name: string;
  readonly type: string;
  readonly required: boolean;
}

interface Model {
  readonly name: string;
  readonly fields: readonly Field[];
}

/** `kinds` are the models that `isPlain` accepts by name. */
export function plainChecks(models: readonly Model[], kinds: readonly string[]): string {
  const checks = models.flatMap((model) => {
    const rules = unremarkable[model.name];
    return rules === undefined ? [] : [checkOf(model, rules)];
  });
  const body = [...mapLooks(models)].map(mapCheckOf).concat(checks).join("\n");
  const cases = kinds
    .filter((kind) => unremarkable[kind] !== undefined)
    .map((kind) => `    case ${JSON.stringify(kind)}:\n      return ${nameOf(kind)}(value);\n`);
  return `${importOf(values, "./plain-values.ts", body)}
${importOf(looks(), "../validation/unremarkable.ts", body)}

${body}
/** True if the value is written exactly as it is stored, and certainly breaks no rule and causes no warning. */
export function isPlain(model: string, value: unknown): boolean {
  switch (model) {
${cases.join("")}    default:
      return false;
  }
}
`;
}

/** The functions of plain-values.ts. */
const values: readonly string[] = [
  "isBoundedMap",
  "isInt32",
  "isInt64",
  "isIntOrText",
  "isListOf",
  "isPlainQuantity",
  "isStruct",
  "isTextList",
];

function looks(): readonly string[] {
  const rules = Object.values(unremarkable);
  const names = rules.flatMap(({ fields, together }) => [...Object.values(fields), together?.[0]]);
  const functions = names
    .filter((name) => typeof name === "string")
    .filter((name) => name !== "any");
  return [...new Set(functions)].sort();
}

function importOf(names: readonly string[], file: string, body: string): string {
  const used = names.filter((name) => body.includes(`${name}(`));
  return `import {\n${used.map((name) => `  ${name},\n`).join("")}} from "${file}";`;
}

function nameOf(model: string): string {
  return `isPlain${model}`;
}

function isMap({ name }: Model, field: Field): boolean {
  return field.type === "map[]string" || resourceListFields.has(`${name}.${field.name}`);
}

/** The names of the checks on entries of maps. */
function mapLooks(models: readonly Model[]): ReadonlySet<string> {
  const names = models.flatMap((model) =>
    model.fields
      .filter((field) => isMap(model, field))
      .map((field) => unremarkable[model.name]?.fields[field.name])
      .filter((look) => typeof look === "string"),
  );
  return new Set(names.sort());
}

function mapNameOf(look: string): string {
  return `isMapOf${look.replace(/^(is)?(.)/, (_, __, first: string) => first.toUpperCase())}`;
}

/** Walks the map once. Each check has a function of its own, as V8 could not inline checks into a shared one. */
function mapCheckOf(look: string): string {
  const remarks = look === "any" ? "" : ` || !${look}(key, text)`;
  return `function ${mapNameOf(look)}(value: unknown): boolean {
  if (!isStruct(value)) return false;
  let entryCount = 0;
  let letterCount = 0;
  for (const key in value) {
    const text = value[key];
    if (typeof text !== "string"${remarks}) return false;
    entryCount++;
    letterCount += key.length + text.length;
  }
  return isBoundedMap(entryCount, letterCount);
}
`;
}

function checkOf(model: Model, rules: Unremarkable): string {
  const { name, fields } = model;
  const among =
    (names: readonly string[] = []) =>
    (field: Field): boolean =>
      names.includes(field.name);
  const isStored = (field: Field): boolean => isAlwaysWritten(name, field);
  const isNeeded = (field: Field): boolean => isStored(field) || among(rules.needs)(field);
  const counters = [
    new Counter("needed", fields.filter(isNeeded), (count) => `=== ${count}`),
    new Counter("chosen", fields.filter(among(rules.oneOf)), () => "=== 1"),
    new Counter("alternatives", fields.filter(among(rules.atMostOneOf)), () => "< 2"),
  ].filter(({ fields: counted }) => counted.length > 0);
  const [together, ...shared] = rules.together ?? [];
  const groups = new Map<string, string[]>();
  for (const field of fields) {
    const look = rules.fields[field.name];
    if (look === undefined) continue;
    const statements = [
      `if (${refusalsOf(model, field, look).join(" || ")}) return false;`,
      ...(shared.includes(field.name) ? [`${field.name} = field;`] : []),
      ...counters.filter((counter) => counter.fields.includes(field)).map((c) => `${c.name}++;`),
    ].join("\n        ");
    groups.set(statements, [...(groups.get(statements) ?? []), field.name]);
  }
  const cases = [...groups].map(([statements, names]) => {
    const labels = names.map((label) => `      case ${JSON.stringify(label)}:\n`).join("");
    return `${labels}        ${statements}\n        break;\n`;
  });
  const conditions = counters.map((counter) => counter.condition);
  if (together !== undefined)
    conditions.push(`${together}(${shared.map((field) => `${field} as never`).join(", ")})`);
  return `function ${nameOf(name)}(value: unknown): boolean {
  if (!isStruct(value)) return false;
${counters.map((counter) => `  let ${counter.name} = 0;\n`).join("")}${shared.map((field) => `  let ${field}: unknown;\n`).join("")}  for (const key in value) {
    const field = value[key];
    switch (key) {
${cases.join("")}      default:
        return false;
    }
  }
  return ${conditions.length === 0 ? "true" : conditions.join(" && ")};
}
`;
}

/** Generated code that counts how many of some fields are present. */
class Counter {
  readonly name: string;
  readonly fields: readonly Field[];
  readonly condition: string;

  constructor(name: string, fields: readonly Field[], wanted: (count: number) => string) {
    this.name = name;
    this.fields = fields;
    this.condition = `${name} ${wanted(fields.length)}`;
  }
}

/**
 * True for scalars and lists that Go writes even if the manifest omits them. Omitted structs are added when the object is
 * copied; those with a list of this sort are among the needs in unremarkable.ts.
 */
function isAlwaysWritten(model: string, { name, type, required }: Field): boolean {
  const path = `${model}.${name}`;
  if (valueStructs.has(path) || (!required && !alwaysWritten.has(path))) return false;
  return type.startsWith("[]") || scalars.has(type) || quantityFields.has(path);
}

const scalars: ReadonlySet<string> = new Set([
  "string",
  "int32",
  "int64",
  "intOrString",
  "boolean",
]);

/** Conditions under which a field is not plain: wrong type, empty where storage drops empty values, or failing its check. */
function refusalsOf(model: Model, field: Field, look: Look): readonly string[] {
  if (typeof look === "string" && isMap(model, field)) return [`!${mapNameOf(look)}(field)`];
  const path = `${model.name}.${field.name}`;
  const omitsEmpty = !field.required && pointerFields[model.name]?.includes(field.name) !== true;
  const remarks = remarksOf(look, field.type);
  return typeof look === "string"
    ? [...typeRefusals(field.type, path, omitsEmpty, look), ...remarks]
    : remarks;
}

function remarksOf(look: Look, type: string): readonly string[] {
  if (look === "any") return [];
  const isOfModels = unremarkable[type.replace("[]", "")] !== undefined;
  if (typeof look === "string") return [`!${look}(field${isOfModels ? " as never" : ""})`];
  return [look.map((text) => `field !== ${JSON.stringify(text)}`).join(" && ")];
}

function typeRefusals(
  type: string,
  path: string,
  omitsEmpty: boolean,
  look: string,
): readonly string[] {
  const orEmpty = (refusal: string): readonly string[] => (omitsEmpty ? [refusal] : []);
  if (quantityFields.has(path)) return ["!isPlainQuantity(field)"];
  if (type === "[]string") return ["!isTextList(field)", ...orEmpty("field.length === 0")];
  if (type.startsWith("[]"))
    return [`!isListOf(field, ${nameOf(type.slice(2))})`, ...orEmpty("field.length === 0")];
  switch (type) {
    case "string":
      // Named checks decide themselves about empty texts.
      return ['typeof field !== "string"', ...(look === "any" ? orEmpty('field === ""') : [])];
    case "boolean":
      return [omitsEmpty ? "field !== true" : 'typeof field !== "boolean"'];
    case "int32":
      return ["!isInt32(field)", ...orEmpty("field === 0")];
    case "int64":
      return ["!isInt64(field)", ...orEmpty("field === 0")];
    case "intOrString":
      return ["!isIntOrText(field)", ...orEmpty('field === ""'), ...orEmpty("field === 0")];
    default:
      if (unremarkable[type] === undefined) throw new Error(`${path}: ${type} cannot be plain`);
      return [`!${nameOf(type)}(field)`];
  }
}
