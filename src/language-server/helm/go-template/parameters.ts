/**
 * Which values a function's parameters accept, and Go's messages for others. Upstream: Go 1.25 text/template/exec.go evalCall,
 * evalArg, validateType.
 */
import type { ConstantNode } from "./nodes.ts";
import { typeName } from "./type-name.ts";
import {
  Failure,
  type GoFunction,
  type GoValue,
  isGoList,
  isGoMap,
  isGoObject,
  type Parameters,
  type ParameterType,
} from "./values.ts";

export function withParameters(parameters: Parameters, run: GoFunction): GoFunction {
  return Object.assign(run, { parameters });
}

export function wrongCount(
  name: string,
  { fixed, rest }: Parameters,
  count: number,
): string | undefined {
  const least = fixed.length;
  if (count >= least && (rest !== undefined || count === least)) return undefined;
  const want = rest === undefined ? least : `at least ${least}`;
  return `wrong number of args for ${name}: want ${want} got ${count}`;
}

export function parameterType({ fixed, rest }: Parameters, index: number): ParameterType {
  return fixed[index] ?? rest ?? "any";
}

const goNames: Readonly<Record<ParameterType, string>> = {
  any: "interface {}",
  string: "string",
  int: "int",
  uint32: "uint32",
  bool: "bool",
  float64: "float64",
  map: "map[string]interface {}",
  list: "[]interface {}",
  time: "time.Time",
  duration: "time.Duration",
  version: "*semver.Version",
  certificate: "sprig.certificate",
};

const takesNil: ReadonlySet<ParameterType> = new Set(["any", "map", "list", "version"]);

/** A constant is converted to the parameter's type if possible: 3.0 to an int, 3 to a float64. */
export function constantGiven(
  { value, written }: ConstantNode,
  type: ParameterType,
): GoValue | Failure {
  if (value === null) {
    if (takesNil.has(type)) return zeroOf(type);
    return new Failure(`cannot assign nil to ${goNames[type]}`);
  }
  const isNumber = typeof value === "bigint" || typeof value === "number";
  switch (type) {
    case "any":
      return value;
    case "string":
      return typeof value === "string" ? value : new Failure(`expected string; found ${written}`);
    case "bool":
      return typeof value === "boolean" ? value : new Failure(`expected bool; found ${written}`);
    case "float64":
      return isNumber ? Number(value) : new Failure(`expected float; found ${written}`);
    case "int":
    case "duration":
      return whole(value) ?? new Failure(`expected integer; found ${written}`);
    case "uint32": {
      const number = whole(value);
      if (number !== undefined && number >= 0n) return number;
      return new Failure(`expected unsigned integer; found ${written}`);
    }
    default:
      return new Failure(`can't handle ${written} for arg of type ${goNames[type]}`);
  }
}

function whole(value: GoValue): bigint | undefined {
  if (typeof value === "bigint") return value;
  return Number.isSafeInteger(value) ? BigInt(Number(value)) : undefined;
}

/** A nil item of a map or list has the items' type; any other nil has no type, and may stand for an empty map. */
export function valueGiven(
  value: GoValue,
  type: ParameterType,
  isItem: boolean,
): GoValue | Failure {
  if (type === "any") return value;
  if (value === null && !isItem) {
    if (takesNil.has(type)) return zeroOf(type);
    return new Failure(`invalid value; expected ${goNames[type]}`);
  }
  if (isOf(value, type)) return value;
  const found = value === null ? "interface {}" : typeName(value);
  return new Failure(`wrong type for value; expected ${goNames[type]}; got ${found}`);
}

function zeroOf(type: ParameterType): GoValue {
  return type === "map" ? new Map() : null;
}

function isOf(value: GoValue, type: ParameterType): boolean {
  switch (type) {
    case "string":
    case "int":
    case "float64":
    case "bool":
      return value !== null && typeName(value) === type;
    case "uint32":
    case "duration":
      return false;
    case "map":
      return isGoMap(value) && typeName(value) !== "map[string]string";
    case "list":
      return isGoList(value) && typeName(value) === goNames.list;
    case "any":
      return true;
    default:
      return isGoObject(value) && value.goType === goNames[type];
  }
}
