/** Defines functions with parameter types, which the execution checks before each call. */
import { withParameters } from "../go-template/parameters.ts";
import type {
  Call,
  Failure,
  GoFunction,
  GoList,
  GoMap,
  GoObject,
  GoValue,
} from "../go-template/values.ts";
import type { Instant } from "./instant.ts";

interface TypeOf {
  readonly any: GoValue;
  readonly string: string;
  readonly int: bigint;
  readonly uint32: bigint;
  readonly bool: boolean;
  readonly float64: number;
  readonly map: GoMap;
  readonly list: GoList | null;
  readonly time: Instant;
  readonly certificate: GoObject;
}

type TypeName = keyof TypeOf;

type Values<Types extends readonly TypeName[]> = { [Index in keyof Types]: TypeOf[Types[Index]] };

type Body<Types extends readonly TypeName[], Rest extends TypeName> = (
  values: Values<Types>,
  call: Call,
  rest: readonly TypeOf[Rest][],
) => GoValue | Failure;

export type Named = readonly [name: string, GoFunction];

export function define<const Types extends readonly TypeName[]>(
  name: string,
  types: Types,
  body: Body<Types, never>,
): Named {
  return named(name, types, undefined, body as unknown as Unchecked);
}

/** The name of the variant that fails instead of returning nothing. */
export function mustName(name: string): string {
  return `must${name.slice(0, 1).toUpperCase()}${name.slice(1)}`;
}

/** A function with any number of further arguments. */
export function defineVariadic<const Types extends readonly TypeName[], Rest extends TypeName>(
  name: string,
  types: Types,
  rest: Rest,
  body: Body<Types, Rest>,
): Named {
  return named(name, types, rest, body as unknown as Unchecked);
}

type Unchecked = Body<readonly TypeName[], TypeName>;

function named(
  name: string,
  fixed: readonly TypeName[],
  rest: TypeName | undefined,
  body: Unchecked,
): Named {
  const run: GoFunction = (args, call) =>
    body(args.slice(0, fixed.length), call, args.slice(fixed.length));
  return [name, withParameters(rest === undefined ? { fixed } : { fixed, rest }, run)];
}
