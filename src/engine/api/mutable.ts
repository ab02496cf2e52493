/** An object that its maker may still change: what decoding built, before anybody else sees it. */
import type { Kind, KubeObject } from "./meta.ts";

export type Mutable<T> = T extends string | number | boolean | undefined | null
  ? T
  : T extends readonly (infer Item)[]
    ? Mutable<Item>[]
    : T extends object
      ? { -readonly [Key in keyof T]: Mutable<T[Key]> }
      : T;

export type MutableObject<K extends Kind = Kind> = Mutable<KubeObject<K>>;

/** Deletes the field where it is: deleting what is not there takes longer than most rules. */
export function dropField<T extends object>(object: T, field: keyof T): void {
  if (object[field] !== undefined) delete object[field];
}
