/**
 * Functions with the types of their parameters, which are looked at before each call. Upstream: text/template/exec.go evalCall,
 * validateType.
 */
import {
  type Call,
  Failure,
  type GoFunction,
  type GoMap,
  type GoValue,
  isGoMap,
} from "../go-template/values.ts";
import { typeOf } from "./go-types.ts";

interface TypeOf {
  readonly any: GoValue;
  readonly string: string;
  readonly int: bigint;
  readonly bool: boolean;
  readonly float64: number;
  readonly map: GoMap;
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
  return [name, checked(name, types, undefined, body as unknown as Unchecked)];
}

/** The name of the function that fails where the other one may give nothing. */
export function mustName(name: string): string {
  return `must${name.slice(0, 1).toUpperCase()}${name.slice(1)}`;
}

/** One that takes any number of further arguments. */
export function defineVariadic<const Types extends readonly TypeName[], Rest extends TypeName>(
  name: string,
  types: Types,
  rest: Rest,
  body: Body<Types, Rest>,
): Named {
  return [name, checked(name, types, rest, body as unknown as Unchecked)];
}

type Unchecked = Body<readonly TypeName[], TypeName>;

function checked(
  name: string,
  types: readonly TypeName[],
  rest: TypeName | undefined,
  body: Unchecked,
): GoFunction {
  return (args, call) => {
    const least = types.length;
    if (args.length < least || (rest === undefined && args.length > least)) {
      const want = rest === undefined ? least : `at least ${least}`;
      return new Failure(`wrong number of args for ${name}: want ${want} got ${args.length}`);
    }
    const values: GoValue[] = [];
    for (const [index, arg] of args.entries()) {
      const type = types[index] ?? rest ?? "any";
      const isLast = index === args.length - 1;
      const value = arg === null && isLast ? assignedNil(type) : assigned(arg, type);
      if (value === undefined) return new Failure(wrongType(arg, type, isLast));
      values.push(value);
    }
    return body(values.slice(0, least), call, values.slice(least));
  };
}

/** Undefined where the value cannot be given to a parameter of that type. */
function assigned(value: GoValue, type: TypeName): GoValue | undefined {
  if (type === "any") return value;
  if (type === "map") return isGoMap(value) && holdsAnything(value) ? value : undefined;
  if (type === "int") return typeof value === "bigint" ? value : undefined;
  if (type === "bool") return typeof value === "boolean" ? value : undefined;
  if (type === "string") return typeof value === "string" ? value : undefined;
  // A whole number that is written in the template is one of these, too.
  if (typeof value === "bigint") return Number(value);
  return typeof value === "number" ? value : undefined;
}

/**
 * Upstream takes nil for an empty map where it is piped in, and only there. Here the last argument is taken for a piped one, as what
 * may be missing mostly is.
 */
function assignedNil(type: TypeName): GoValue | undefined {
  if (type === "any") return null;
  return type === "map" ? new Map() : undefined;
}

function holdsAnything(map: GoMap): boolean {
  return typeOf(map) !== "map[string]string";
}

const goNames: Readonly<Record<TypeName, string>> = {
  any: "interface {}",
  string: "string",
  int: "int",
  bool: "bool",
  float64: "float64",
  map: "map[string]interface {}",
};

function wrongType(value: GoValue, type: TypeName, isLast: boolean): string {
  if (value === null && isLast) return `invalid value; expected ${goNames[type]}`;
  const found = value === null ? "interface {}" : typeOf(value);
  return `wrong type for value; expected ${goNames[type]}; got ${found}`;
}
