/**
 * What may stand in a file that is no manifest: a scenario, a kustomization, claimcheck.yaml. One table says it, to the reader, to
 * completion and hover, and to the JSON schema.
 */

export type Shape =
  /** Numbers, too, are read as the text they stand for: a volume may be called 7. */
  | {
      readonly type: "text";
      readonly oneOf?: readonly string[];
      /** Other spellings of the same, which nobody is offered. */
      readonly alsoOneOf?: readonly string[];
      /** What any text must look like, where none are listed. */
      readonly pattern?: Pattern;
      /** What somebody has meant by a text that is none of them, where that is not the nearest. */
      readonly meantBy?: (given: string) => string | undefined;
    }
  | { readonly type: "whole number" }
  | { readonly type: "boolean" }
  | { readonly type: "duration" }
  | { readonly type: "anything" }
  | { readonly type: "list"; readonly of: Shape }
  | MappingShape
  /** Of one of two types. */
  | { readonly type: "list or text"; readonly of: Shape };

export interface Pattern {
  readonly expression: RegExp;
  /** `“key” is …`. */
  readonly wanted: string;
}

export interface MappingShape {
  readonly type: "mapping";
  readonly fields: Readonly<Record<string, Field>>;
  /** A step is the one key that it has. */
  readonly hasOneKey?: boolean;
  /** It has one of these keys, and no other of them; with it those that belong to it. */
  readonly oneKeyOf?: Readonly<Record<string, Companions>>;
  /** It has one of these keys at least. */
  readonly someKeyOf?: readonly string[];
}

/** What stands beside a key; a key that no companions name may stand beside each. */
export interface Companions {
  readonly needs?: readonly string[];
  readonly takes?: readonly string[];
}

export interface Field {
  readonly shape: Shape;
  /** For whoever writes the file. */
  readonly about: string;
  /** What completion writes where more than the key belongs to it. */
  readonly insert?: string;
  readonly isRequired?: boolean;
  /** It still works, and something better has come: it is explained and no longer offered. */
  readonly isOutdated?: boolean;
}

export const text: Shape = { type: "text" };
export const wholeNumber: Shape = { type: "whole number" };
export const boolean: Shape = { type: "boolean" };
export const duration: Shape = { type: "duration" };
export const anything: Shape = { type: "anything" };

export function oneOf(...values: readonly string[]): Shape {
  return { type: "text", oneOf: values };
}

export function listOf(of: Shape): Shape {
  return { type: "list", of };
}

export function mapping(fields: Readonly<Record<string, Field>>): MappingShape {
  return { type: "mapping", fields };
}

export function field(shape: Shape, about: string, insert?: string): Field {
  return insert === undefined ? { shape, about } : { shape, about, insert };
}

export function required(shape: Shape, about: string): Field {
  return { shape, about, isRequired: true };
}

export function outdated(shape: Shape, about: string): Field {
  return { shape, about, isOutdated: true };
}

/** What belongs to others of these keys, and says nothing beside this one. */
export function strangersTo(
  key: string,
  oneKeyOf: NonNullable<MappingShape["oneKeyOf"]>,
): readonly string[] {
  const { needs = [], takes = [] } = oneKeyOf[key] ?? {};
  const companions = Object.values(oneKeyOf).flatMap((of) => [
    ...(of.needs ?? []),
    ...(of.takes ?? []),
  ]);
  return [...new Set(companions)].filter(
    (other) => !needs.includes(other) && !takes.includes(other),
  );
}
