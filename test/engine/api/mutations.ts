/** Manifests with one value changed. */
import { kindSchema } from "../../../src/engine/api/meta.ts";
import { modelSchemas } from "../../../src/engine/api/schema.ts";
import type { Manifest } from "./good-objects.ts";

export type Path = readonly (string | number)[];

export interface Field {
  readonly object: Manifest;
  readonly path: Path;
}

/** Each model only where it is found first, so that pods are not tested in nine workloads. */
export function fieldsOf(objects: readonly Manifest[]): readonly Field[] {
  const fields: Field[] = [];
  const met = new Set<string>();
  const walk = (object: Manifest, model: string, path: Path): void => {
    if (met.has(model)) return;
    met.add(model);
    for (const [name, [type]] of Object.entries(modelSchemas[model] ?? {})) {
      const at = [...path, name];
      fields.push({ object, path: at });
      if (type.startsWith("[]")) {
        fields.push({ object, path: [...at, 0] });
        walk(object, type.slice(2), [...at, 0]);
      } else if (type.startsWith("map[]")) fields.push({ object, path: [...at, "key"] });
      else walk(object, type, at);
    }
  };
  for (const object of objects) walk(object, kindSchema(object.kind)?.model ?? "", []);
  return fields;
}

export const wrongValues: readonly unknown[] = [
  undefined,
  null,
  "",
  "text",
  "A b/c",
  "1Gi",
  "x".repeat(300),
  -1,
  0,
  1.5,
  1e30,
  true,
  [],
  [null],
  ["a", "a"],
  {},
  { a: "b" },
];

/** The object with this value at the path; missing parents are added, and undefined removes the field. */
export function withValue(object: unknown, path: Path, value: unknown): unknown {
  const [head, ...rest] = path;
  if (head === undefined) return value;
  const given = typeof object === "object" && object !== null ? object : undefined;
  if (typeof head === "number") {
    const list: unknown[] = Array.isArray(given) ? [...(given as unknown[])] : [];
    list[head] = withValue(list[head], rest, value);
    return list.filter((item) => item !== undefined);
  }
  const before = (Array.isArray(given) ? undefined : given) as Record<string, unknown> | undefined;
  const next: Record<string, unknown> = {
    ...before,
    [head]: withValue(before?.[head], rest, value),
  };
  if (next[head] === undefined) delete next[head];
  return next;
}
