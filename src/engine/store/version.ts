/**
 * One version of an object as store and trace keep it: frozen, and sharing with the version before whatever is the same. A run
 * keeps all of them, so each is made in one go, as one piece of memory for the object and one for its metadata.
 */
import { deepEqual, frozenCopy } from "../api/json.ts";
import { type KubeObject, specAndStatus } from "../api/meta.ts";
import type { Mutable } from "../api/mutable.ts";
import type { ObjectMeta } from "../api/types.ts";

type Fields = Record<string, unknown>;
type Meta = KubeObject["metadata"];

/**
 * A constructor of plain objects with room for so many fields. A `{}` that grows gets a second piece of memory for the fifth
 * field on, which is copied, marked and moved like any other; how much room the objects of a constructor get V8 learns from
 * the first few.
 */
function withRoomFor(fieldCount: number): new () => Fields {
  function PlainObject(): void {}
  PlainObject.prototype = Object.prototype;
  const Plain = PlainObject as unknown as new () => Fields;
  for (let taught = 0; taught < 16; taught++) {
    const object = new Plain();
    for (let i = 0; i < fieldCount; i++) object[`field${i}`] = i;
  }
  return Plain;
}

const PlainObject = withRoomFor(5);
const PlainMetadata = withRoomFor(8);

/** A copy of the fields but one, for its maker to change. */
export function copyOfMetadata<T extends ObjectMeta>(source: T, but?: keyof T): Mutable<T> {
  const copy = new PlainMetadata();
  const fields = source as unknown as Fields;
  for (const key in fields) if (key !== but) copy[key] = fields[key];
  return copy as Mutable<T>;
}

/** `next` with that status, and with that metadata, which is frozen; without status where that is undefined. */
export function frozenVersion(
  before: KubeObject | undefined,
  next: KubeObject,
  metadata: Mutable<Meta>,
  status: unknown,
): KubeObject {
  const version = new PlainObject();
  const fields = next as unknown as Fields;
  const known = before as unknown as Fields | undefined;
  for (const key in fields) {
    if (key === "metadata") version[key] = frozenFields(before?.metadata, metadata);
    else if (key !== "status") version[key] = frozen(known?.[key], fields[key]);
    else if (status !== undefined) version[key] = frozen(known?.[key], status);
  }
  if (status !== undefined && !("status" in fields)) version["status"] = frozen(undefined, status);
  return Object.freeze(version) as unknown as KubeObject;
}

/** Whether `frozenVersion` would make what is there already. */
export function isSameVersion(
  before: KubeObject,
  next: KubeObject,
  metadata: Mutable<Meta>,
  status: unknown,
): boolean {
  if (!deepEqual(metadata, before.metadata)) return false;
  if (!deepEqual(status, specAndStatus(before).status)) return false;
  const [old, fields] = [before, next] as unknown as readonly [Fields, Fields];
  const isOther = (key: string): boolean => key !== "metadata" && key !== "status";
  for (const key in fields) if (isOther(key) && !deepEqual(fields[key], old[key])) return false;
  for (const key in old)
    if (isOther(key) && fields[key] === undefined && old[key] !== undefined) return false;
  return true;
}

/** What the version before had is frozen already, which is told sooner so than by asking. */
function frozen(known: unknown, value: unknown): unknown {
  return typeof value !== "object" || value === known ? value : frozenCopy(value);
}

function frozenFields(before: Meta | undefined, own: Mutable<Meta>): Meta {
  const known = before as unknown as Fields | undefined;
  const fields = own as unknown as Fields;
  for (const key in fields) {
    const value = fields[key];
    if (typeof value === "object") fields[key] = frozen(known?.[key], value);
  }
  return Object.freeze(own);
}
