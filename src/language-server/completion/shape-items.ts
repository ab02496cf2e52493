/** Completion and hover from a shape: the keys and values that may stand at a place, and what the keys are for. */
import { own } from "../own.ts";
import { type MappingShape, type Shape, strangersTo } from "../shapes/shape.ts";
import { isRecord, valueAt } from "../yaml/manifest.ts";
import type { Path } from "../yaml/place.ts";
import { type Item, textItem, valueItem } from "./item.ts";
import type { Probe } from "./probe.ts";

/** Undefined below what the shape describes. */
function shapeAt(root: Shape, path: Path): Shape | undefined {
  return path.reduce<Shape | undefined>(shapeBelow, root);
}

function shapeBelow(shape: Shape | undefined, segment: string | number): Shape | undefined {
  if (typeof segment === "string")
    return shape?.type === "mapping" ? own(shape.fields, segment)?.shape : undefined;
  return shape?.type === "list" || shape?.type === "list or text" ? shape.of : undefined;
}

/** Keys that are not written yet, or the values that the shape lists; undefined where any text may stand. */
export function shapeItems(
  root: MappingShape,
  { path, part, value }: Probe,
): readonly Item[] | undefined {
  if (part === "key") {
    const parent = path.slice(0, -1);
    const shape = shapeAt(root, parent);
    return shape?.type === "mapping" ? keyItems(shape, valueAt(value, parent)) : [];
  }
  const found = shapeAt(root, path);
  const shape = found?.type === "list or text" ? found.of : found;
  if (shape?.type === "boolean") return ["true", "false"].map(valueItem);
  if (shape?.type !== "text") return [];
  return shape.oneOf?.map(textItem);
}

/** What the key at the end of the path is for; undefined for unknown keys. */
export function shapeKeyText(root: MappingShape, path: Path): string | undefined {
  const shape = shapeAt(root, path.slice(0, -1));
  const last = path.at(-1);
  if (shape?.type !== "mapping" || typeof last !== "string") return undefined;
  return own(shape.fields, last)?.about;
}

function keyItems({ fields, oneKeyOf = {} }: MappingShape, written: unknown): readonly Item[] {
  const present = Object.keys(isRecord(written) ? written : {});
  const decided = present.find((key) => own(oneKeyOf, key) !== undefined);
  const left =
    decided === undefined ? [] : [...Object.keys(oneKeyOf), ...strangersTo(decided, oneKeyOf)];
  return Object.entries(fields)
    .filter(([, { isOutdated }]) => isOutdated !== true)
    .filter(([label]) => !present.includes(label) && !left.includes(label))
    .map(([label, { about, insert = `${label}: ` }]) => ({
      label,
      kind: "field",
      insert,
      about: { type: "text", text: about },
    }));
}
