/** Describes the changes of an update in a few words: `volumeName disk, phase Pending → Bound`. */

/** How many changes are spelled out; the others are counted. */
const toldCountMax = 3;
/** Longer values are left out; the object itself shows them. */
const valueLengthMax = 63;

/** Lists metadata last. Empty if only fields that every write changes have changed. */
export function changesText(before: object, after: object): string {
  const { metadata: old, ...fieldsBefore } = before as Fields;
  const { metadata: present, ...fieldsAfter } = after as Fields;
  const changes = [
    ...changesBelow(fieldsBefore, fieldsAfter, ""),
    ...changesBelow(old, present, "metadata"),
  ];
  const told = changes.slice(0, toldCountMax).join(", ");
  const more = changes.length - toldCountMax;
  return more > 0 ? `${told} and ${more} more` : told;
}

/** Fields that every write changes, or that count writes. */
const ofEveryWrite: ReadonlySet<string> = new Set([
  "resourceVersion",
  "managedFields",
  "generation",
  "observedGeneration",
]);

type Fields = Readonly<Record<string, unknown>>;

/** Fields below these are named without their parents. */
const parts: ReadonlySet<string> = new Set([
  "",
  "metadata",
  "spec",
  "status",
  "labels",
  "annotations",
]);

function* changesBelow(before: unknown, after: unknown, name: string): Iterable<string> {
  if (isFields(before) && isFields(after)) {
    for (const key of new Set([...Object.keys(before), ...Object.keys(after)])) {
      const inner = parts.has(name) ? key : `${name}.${key}`;
      if (!ofEveryWrite.has(key)) yield* changesBelow(before[key], after[key], inner);
    }
  } else if (Array.isArray(before) || Array.isArray(after)) {
    yield* changesInList(listOf(before), listOf(after), name);
  } else if (isFields(after) && before === undefined) {
    if (parts.has(name)) yield* changesBelow({}, after, name);
    else yield name;
  } else if (before !== after) {
    yield `${name} ${valueText(before, after)}`;
  }
}

/** Compares conditions by type and strings by value; of other lists says only that they changed. */
function* changesInList(
  before: readonly unknown[],
  after: readonly unknown[],
  name: string,
): Iterable<string> {
  const [old, present] = [conditionsOf(before), conditionsOf(after)];
  if (old !== undefined && present !== undefined) {
    for (const [type, status] of present)
      if (old.get(type) !== status) yield `${type} ${valueText(old.get(type), status)}`;
    for (const type of old.keys()) if (!present.has(type)) yield `${type} gone`;
  } else if ([...before, ...after].every((item) => typeof item === "string")) {
    for (const item of after) if (!before.includes(item)) yield `${name} with ${item}`;
    for (const item of before) if (!after.includes(item)) yield `${name} without ${item}`;
  } else if (JSON.stringify(before) !== JSON.stringify(after)) {
    yield name;
  }
}

/** Status by type; undefined if it is not a list of conditions. */
function conditionsOf(list: readonly unknown[]): ReadonlyMap<unknown, unknown> | undefined {
  if (!list.every((item) => isFields(item) && "type" in item && "status" in item)) return undefined;
  return new Map((list as readonly Fields[]).map(({ type, status }) => [type, status]));
}

function valueText(before: unknown, after: unknown): string {
  if (after === undefined) return "gone";
  const [old, present] = [String(before), String(after)];
  if (present.length > valueLengthMax) return "changed";
  return before === undefined || old.length > valueLengthMax ? present : `${old} → ${present}`;
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
