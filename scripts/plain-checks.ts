/**
 * The source of src/engine/api/plain.ts: for each model a function that tells whether a value is written exactly as it is stored,
 * so that nothing has to be decoded, and whether any rule has anything to say of it. What Go's types add to OpenAPI's is read
 * where the decoders read it, from go-types.ts.
 */
import {
  alwaysWritten,
  pointerFields,
  quantityFields,
  resourceListFields,
  valueStructs,
} from "../src/engine/api/go-types.ts";
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

/** `roots`: the models that are asked for by name. */
export function plainChecks(models: readonly Model[], roots: readonly string[]): string {
  const known = new Map(models.map((model) => [model.name, model]));
  const reached = new Set<string>();
  const reach = (name: string): void => {
    const model = known.get(name);
    if (model === undefined || reached.has(name)) return;
    reached.add(name);
    for (const { type } of model.fields) reach(elementOf(type));
  };
  for (const root of roots) reach(root);
  /** A list has no zero value until it is stored, so it cannot simply be added. */
  const lacksLists = (name: string): boolean =>
    known
      .get(name)
      ?.fields.some(
        (field) =>
          (field.required && field.type.startsWith("[]")) ||
          (isValueStruct(name, field) && lacksLists(field.type)),
      ) === true;
  const mustStand = (model: string, field: Field): boolean =>
    isValueStruct(model, field) ? lacksLists(field.type) : isAlwaysWritten(model, field);
  const checks = models
    .filter(({ name }) => reached.has(name))
    .map((model) => checkOf(model, mustStand));
  const table = roots.map((root) => `  ${root}: ${nameOf(root)},`);
  const body = checks.join("\n");
  return `${importOf(values, "./plain-values.ts", body)}
${importOf(looks(), "./validation/unremarkable.ts", body)}

${body}
/** By model. */
export const gradings: Readonly<Record<string, Grading>> = {
${table.join("\n")}
};
`;
}

/** What plain-values.ts offers. */
const values: readonly string[] = [
  "type Grade",
  "type Grading",
  "gradeList",
  "isAmountMap",
  "isBytes",
  "isEmpty",
  "isInt32",
  "isInt64",
  "isIntOrText",
  "isListOf",
  "isMapOf",
  "isPlainQuantity",
  "isStruct",
  "isTextList",
  "isTextMap",
  "isTime",
  "isValue",
  "other",
  "plain",
  "unremarkable",
];

function looks(): readonly string[] {
  const rules = Object.values(unremarkable);
  const names = rules.flatMap(({ fields, whole }) => [...Object.values(fields), whole]);
  return names.filter((name) => typeof name === "string");
}

/** Of the names those that the source uses. */
function importOf(names: readonly string[], file: string, source: string): string {
  const used = [...new Set(names)].filter(
    (name) =>
      new RegExp(`\\b${name.replace("type ", "")}\\b`).test(source) || name === "type Grading",
  );
  return `import {\n${used
    .sort()
    .map((name) => `  ${name},\n`)
    .join("")}} from "${file}";`;
}

function elementOf(type: string): string {
  return type.replace(/^(\[\]|map\[\])+/, "");
}

function nameOf(model: string): string {
  return `grade${model}`;
}

function checkOf(
  { name, fields }: Model,
  mustStand: (model: string, field: Field) => boolean,
): string {
  const rules = unremarkable[name];
  const groups = new Map<string, string[]>();
  const counters: Counter[] = [
    new Counter("stored", (field) => mustStand(name, field), "===", fields),
    new Counter(
      "needed",
      ({ name: field }) => rules?.needs?.includes(field) === true,
      "===",
      fields,
    ),
    ...choices(rules, fields),
  ].filter(({ count }) => count > 0);
  for (const field of fields) {
    const statements = [
      ...statementsOf(name, field, rules),
      ...counters.filter((counter) => counter.counts(field)).map((counter) => `${counter.name}++;`),
    ].join("\n        ");
    groups.set(statements, [...(groups.get(statements) ?? []), field.name]);
  }
  const cases = [...groups].map(([statements, names]) => {
    const labels = names.map((label) => `      case ${JSON.stringify(label)}:`);
    return `${labels.join("\n")}\n        ${statements}\n        break;`;
  });
  const stored = counters.find((counter) => counter.name === "stored");
  const conditions = counters.filter((counter) => counter !== stored).map((c) => c.failure);
  if (rules?.whole !== undefined) conditions.push(`!${rules.whole}(value)`);
  const lines = [
    "if (!isStruct(value)) return other;",
    ...(rules === undefined ? [] : ["let grade: Grade = unremarkable;"]),
    ...counters.map((counter) => `let ${counter.name} = 0;`),
    `for (const key in value) {
    const field = value[key];
    switch (key) {
${cases.join("\n")}
      default:
        return other;
    }
  }`,
    ...(stored === undefined ? [] : [`if (${stored.failure}) return other;`]),
    ...(conditions.length === 0
      ? []
      : [`if (grade === unremarkable && (${conditions.join(" || ")})) return plain;`]),
    `return ${rules === undefined ? "plain" : "grade"};`,
  ];
  return `function ${nameOf(name)}(value: unknown): Grade {\n  ${lines.join("\n  ")}\n}\n`;
}

/** Counts those of some fields that are there. */
class Counter {
  readonly name: string;
  readonly counts: (field: Field) => boolean;
  readonly failure: string;
  readonly count: number;

  constructor(
    name: string,
    counts: (field: Field) => boolean,
    order: "===" | "<=",
    fields: readonly Field[],
    wanted?: number,
  ) {
    this.name = name;
    this.counts = counts;
    this.count = fields.filter((field) => counts(field)).length;
    this.failure = `${name} ${order === "===" ? "!==" : ">"} ${wanted ?? this.count}`;
  }
}

function choices(rules: Unremarkable | undefined, fields: readonly Field[]): readonly Counter[] {
  const among =
    (names: readonly string[] | undefined) =>
    ({ name }: Field): boolean =>
      names?.includes(name) === true;
  return [
    new Counter("chosen", among(rules?.oneOf), "===", fields, 1),
    new Counter("alternatives", among(rules?.atMostOneOf), "<=", fields, 1),
  ];
}

/** What is done about a field: its type and content may lower the grade of the whole. */
function statementsOf(
  model: string,
  { name, type, required }: Field,
  rules: Unremarkable | undefined,
): readonly string[] {
  const look = rules?.fields[name];
  const path = `${model}.${name}`;
  const omitsEmpty = !required && pointerFields[model]?.includes(name) !== true;
  const remark = rules === undefined ? [] : remarkOf(look);
  const child = childGrade(type, path);
  if (child === undefined) {
    const refusal = refusalOf(type, path, omitsEmpty);
    return [`if (${refusal}) return other;`, ...remark];
  }
  const empty =
    omitsEmpty && type.startsWith("[]") ? " || (field as readonly unknown[]).length === 0" : "";
  return look === undefined
    ? [`if (${child} === other${empty}) return other;`, ...remark]
    : [`grade &= ${child};`, `if (grade === other${empty}) return other;`, ...remark];
}

function remarkOf(look: Look | undefined): readonly string[] {
  if (look === "any") return [];
  if (look === undefined) return ["grade &= plain;"];
  if (typeof look === "string") return [`if (!${look}(field)) grade &= plain;`];
  const others = look.map((text) => `field !== ${JSON.stringify(text)}`).join(" && ");
  return [`if (${others}) grade &= plain;`];
}

function childGrade(type: string, path: string): string | undefined {
  if (quantityFields.has(path) || resourceListFields.has(path)) return undefined;
  if (type.startsWith("[]") && isStructType(type.slice(2)))
    return `gradeList(field, ${nameOf(type.slice(2))})`;
  return isStructType(type) ? `${nameOf(type)}(field)` : undefined;
}

function isStructType(type: string): boolean {
  return /^[A-Z]/.test(type);
}

function isValueStruct(model: string, { name }: Field): boolean {
  return valueStructs.has(`${model}.${name}`) || name === "metadata";
}

/** A scalar or list that Go writes even when nobody does. */
function isAlwaysWritten(model: string, { name, type, required }: Field): boolean {
  const path = `${model}.${name}`;
  if (!required && !alwaysWritten.has(path)) return false;
  return type.startsWith("[]") || scalars.has(type) || quantityFields.has(path);
}

const scalars: ReadonlySet<string> = new Set([
  "string",
  "int32",
  "int64",
  "intOrString",
  "boolean",
]);

function refusalOf(type: string, path: string, omitsEmpty: boolean): string {
  if (quantityFields.has(path)) return "!isPlainQuantity(field)";
  if (resourceListFields.has(path)) return `!isAmountMap(field)${emptyMap(omitsEmpty)}`;
  if (type === "[]string") return `!isTextList(field)${emptyList(omitsEmpty)}`;
  if (type === "map[]string") return `!isTextMap(field)${emptyMap(omitsEmpty)}`;
  if (type.startsWith("[]"))
    return `!isListOf(field, ${elementCheck(type.slice(2))})${emptyList(omitsEmpty)}`;
  if (type.startsWith("map[]"))
    return `!isMapOf(field, ${elementCheck(type.slice(5))})${emptyMap(omitsEmpty)}`;
  switch (type) {
    case "string":
      return `typeof field !== "string"${omitsEmpty ? ' || field === ""' : ""}`;
    case "boolean":
      return omitsEmpty ? "field !== true" : 'typeof field !== "boolean"';
    case "int32":
    case "int64":
      return `!${elementCheck(type)}(field)${omitsEmpty ? " || field === 0" : ""}`;
    case "intOrString":
      return `!isIntOrText(field)${omitsEmpty ? ' || field === "" || field === 0' : ""}`;
    default:
      return `!${elementCheck(type)}(field)`;
  }
}

function emptyList(isRefused: boolean): string {
  return isRefused ? " || field.length === 0" : "";
}

function emptyMap(isRefused: boolean): string {
  return isRefused ? " || isEmpty(field)" : "";
}

function elementCheck(type: string): string {
  switch (type) {
    case "int32":
      return "isInt32";
    case "int64":
      return "isInt64";
    case "time":
    case "microTime":
      return "isTime";
    case "bytes":
      return "isBytes";
    case "double":
    case "any":
      return "isValue";
    default:
      return nameOf(type);
  }
}
