/** Objects under construction, which decoding and the steps after it may change before anybody else sees them. */
import type { Kind, KubeObject } from "./meta.ts";

export type Mutable<T> = T extends string | number | boolean | undefined | null
  ? T
  : T extends readonly (infer Item)[]
    ? Mutable<Item>[]
    : T extends object
      ? { -readonly [Key in keyof T]: Mutable<T[Key]> }
      : T;

export type MutableObject<K extends Kind = Kind> = Mutable<KubeObject<K>>;

/** Like `untyped`, for an object whose fields are to be changed in place. */
export function mutableFields(object: object): Record<string, unknown> {
  return object as Record<string, unknown>;
}

/** Deletes the field if it is there: deleting an absent one takes longer than most rules. */
export function dropField<T extends object>(object: T, field: keyof T): void {
  if (object[field] !== undefined) delete object[field];
}
