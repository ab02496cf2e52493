/** A validator for the part of JSON Schema that our own schemas use; it returns lines `path: complaint`. */

interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: boolean;
  readonly items?: Schema;
  readonly definitions?: Readonly<Record<string, Schema>>;
}

export function complaints(
  value: unknown,
  root: Schema,
  schema: Schema = root,
  path = "$",
): readonly string[] {
  if (schema.$ref !== undefined) {
    const target = root.definitions?.[schema.$ref.replace("#/definitions/", "")];
    return target === undefined
      ? [`${path}: no ${schema.$ref}`]
      : complaints(value, root, target, path);
  }
  if (schema.const !== undefined && value !== schema.const)
    return [`${path}: not ${JSON.stringify(schema.const)}`];
  if (schema.enum !== undefined && !schema.enum.includes(value))
    return [`${path}: ${JSON.stringify(value)} is none of the values`];
  const types = schema.type === undefined ? [] : [schema.type].flat();
  if (types.length > 0 && !types.some((type) => isOfType(value, type)))
    return [`${path}: not ${types.join(" or ")}`];
  if (Array.isArray(value)) {
    const { items } = schema;
    return items === undefined
      ? []
      : value.flatMap((item, i) => complaints(item, root, items, `${path}[${i}]`));
  }
  if (typeof value !== "object" || value === null) return [];
  const found = (schema.required ?? [])
    .filter((key) => !Object.hasOwn(value, key))
    .map((key) => `${path}: no ${key}`);
  for (const [key, item] of Object.entries(value)) {
    const known = schema.properties?.[key];
    if (known !== undefined) found.push(...complaints(item, root, known, `${path}.${key}`));
    else if (schema.additionalProperties === false) found.push(`${path}: unknown ${key}`);
  }
  return found;
}

function isOfType(value: unknown, type: string): boolean {
  if (type === "array") return Array.isArray(value);
  if (type === "null") return value === null;
  if (type === "integer") return Number.isInteger(value);
  if (type === "object")
    return typeof value === "object" && value !== null && !Array.isArray(value);
  return typeof value === type;
}
