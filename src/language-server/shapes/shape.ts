/**
 * What files other than manifests may contain: scenarios, kustomizations, claimcheck.yaml. One table serves their readers,
 * completion, hover and the JSON schema.
 */

export type Shape =
  /** A number is read as text, too: a volume may be called 7. */
  | {
      readonly type: "text";
      readonly oneOf?: readonly string[];
      /** Other accepted spellings, which are not offered. */
      readonly alsoOneOf?: readonly string[];
      /** What the text must look like, if no values are listed. */
      readonly pattern?: Pattern;
      /** What somebody probably meant by another text, where that is not the nearest value. */
      readonly meantBy?: (given: string) => string | undefined;
    }
  | { readonly type: "whole number" }
  | { readonly type: "boolean" }
  | { readonly type: "duration" }
  | { readonly type: "anything" }
  | { readonly type: "list"; readonly of: Shape }
  | MappingShape
  /** Either a list or a single text. */
  | { readonly type: "list or text"; readonly of: Shape };

export interface Pattern {
  readonly expression: RegExp;
  /** Completes the message `“key” is …`. */
  readonly wanted: string;
}

export interface MappingShape {
  readonly type: "mapping";
  readonly fields: Readonly<Record<string, Field>>;
  /** Exactly one of the fields may be present, as in a step. */
  readonly hasOneKey?: boolean;
  /** Exactly one of these keys must be present, with the companions that belong to it. */
  readonly oneKeyOf?: Readonly<Record<string, Companions>>;
  /** At least one of these keys must be present. */
  readonly someKeyOf?: readonly string[];
}

/** Keys that belong to a key. Keys that are nobody's companions are always allowed. */
export interface Companions {
  readonly needs?: readonly string[];
  readonly takes?: readonly string[];
}

export interface Field {
  readonly shape: Shape;
  /** Documentation for the author of the file. */
  readonly about: string;
  /** The text that completion inserts, if it is more than the key. */
  readonly insert?: string;
  readonly isRequired?: boolean;
  /** Still works, but there is something better: it is explained but not offered. */
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

/** Companions of other keys, which mean nothing beside this key. */
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
