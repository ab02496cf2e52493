/**
 * One version of an object as store and trace keep it: frozen, sharing all unchanged parts with the previous version. A run
 * keeps all versions, so each is built in one go, with one allocation for the object and one for its metadata.
 */
import { deepEqual, frozenCopy, untyped } from "../api/json.ts";
import { asKubeObject, type KubeObject, specAndStatus } from "../api/meta.ts";
import { type Mutable, mutableFields } from "../api/mutable.ts";
import type { ObjectMeta } from "../api/types.ts";

type Fields = Record<string, unknown>;
type Meta = KubeObject["metadata"];

/**
 * Returns a constructor of plain objects that have room for this many fields. A `{}` that grows gets a second allocation from
 * the fifth field on, which costs the garbage collector extra work. V8 sizes a constructor's objects by the first few that it
 * makes.
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

/** Returns a mutable copy of the metadata, without the field `but`. */
export function copyOfMetadata<T extends ObjectMeta>(source: T, but?: keyof T): Mutable<T> {
  const copy = new PlainMetadata();
  const fields = untyped(source);
  for (const key in fields) if (key !== but) copy[key] = fields[key];
  return copy as Mutable<T>;
}

/** Returns `next` frozen, with this status (none if undefined) and this metadata, which is frozen in place. */
export function frozenVersion(
  before: KubeObject | undefined,
  next: KubeObject,
  metadata: Mutable<Meta>,
  status: unknown,
): KubeObject {
  const version = new PlainObject();
  const fields = untyped(next);
  const known = before && untyped(before);
  for (const key in fields) {
    if (key === "metadata") version[key] = frozenFields(before?.metadata, metadata);
    else if (key !== "status") version[key] = frozen(known?.[key], fields[key]);
    else if (status !== undefined) version[key] = frozen(known?.[key], status);
  }
  if (status !== undefined && !("status" in fields)) version["status"] = frozen(undefined, status);
  return asKubeObject(Object.freeze(version));
}

/** True if `frozenVersion` would produce the same version as `before`. */
export function isSameVersion(
  before: KubeObject,
  next: KubeObject,
  metadata: Mutable<Meta>,
  status: unknown,
): boolean {
  if (!deepEqual(metadata, before.metadata)) return false;
  if (!deepEqual(status, specAndStatus(before).status)) return false;
  const old = untyped(before);
  const fields = untyped(next);
  const isOther = (key: string): boolean => key !== "metadata" && key !== "status";
  for (const key in fields) if (isOther(key) && !deepEqual(fields[key], old[key])) return false;
  for (const key in old)
    if (isOther(key) && fields[key] === undefined && old[key] !== undefined) return false;
  return true;
}

/** Parts shared with the previous version are frozen already; comparing them is faster than asking whether they are frozen. */
function frozen(known: unknown, value: unknown): unknown {
  return typeof value !== "object" || value === known ? value : frozenCopy(value);
}

function frozenFields(before: Meta | undefined, own: Mutable<Meta>): Meta {
  const known = before && untyped(before);
  const fields = mutableFields(own);
  for (const key in fields) {
    const value = fields[key];
    if (typeof value === "object") fields[key] = frozen(known?.[key], value);
  }
  return Object.freeze(own);
}
