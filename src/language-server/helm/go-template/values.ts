/** The values that Go templates compute with. Templates may change maps (by `set`), but never lists. */

/**
 * A Go int is a bigint, results of arithmetic are SizedIntegers, float64 is a number. All numbers in values files are float64,
 * which prints one million as 1e+06. Nil is null; missing map entries are nil, too.
 */
export type GoValue = null | boolean | string | number | bigint | GoList | GoMap | GoObject;
export type GoList = readonly GoValue[];
export type GoMap = Map<string, GoValue>;

/** A value that is not plain data: a chart's files, a set of API versions, an instant, a parsed version. */
export interface GoObject {
  /** As printed by `typeOf` and `printf "%T"`. */
  readonly goType: string;
  /** A field's value or a method; undefined if it has none of that name. */
  member(name: string): GoValue | GoFunction | undefined;
  /** As printed by `print`. */
  print(): string;
  /** What `range`, `len`, `index` and truth use, if it is a list or map underneath. */
  readonly data?: GoList | GoMap;
}

/** Gets the arguments of the pipeline, the piped one last. */
export interface GoFunction {
  (args: readonly GoValue[], call: Call): GoValue | Failure;
  /** Parameter types that are checked before each call; undefined if the function checks its arguments itself. */
  readonly parameters?: Parameters;
}

/** Types of arguments; `any` is `interface {}`, and a map has text keys and any values. */
export type ParameterType =
  | "any"
  | "string"
  | "int"
  | "uint32"
  | "bool"
  | "float64"
  | "map"
  | "list"
  | "time"
  | "duration"
  | "version"
  | "certificate";

export interface Parameters {
  readonly fixed: readonly ParameterType[];
  /** Type of any number of further arguments. */
  readonly rest?: ParameterType;
}

/** Go integers of other types than int: functions that expect an int refuse them. */
export class SizedInteger implements GoObject {
  readonly goType: "int64" | "uint64";
  readonly value: bigint;

  constructor(goType: SizedInteger["goType"], value: bigint) {
    this.goType = goType;
    this.value = value;
  }

  member(): undefined {
    return undefined;
  }

  print(): string {
    return String(this.value);
  }

  /** Its form in JSON and YAML. */
  fields(): bigint {
    return this.value;
  }
}

export function int64(value: bigint): SizedInteger {
  return new SizedInteger("int64", value);
}

/** Undefined for anything but an integer of some type. */
export function wholeNumber(value: GoValue | undefined): bigint | undefined {
  if (value instanceof SizedInteger) return value.value;
  return typeof value === "bigint" ? value : undefined;
}

/** What a function can ask of the execution that calls it. */
export interface Call {
  /**
   * Must be called before creating anything whose size depends on the arguments (`repeat`, `until`, `indent`), with the number
   * of letters or items. Returns a failure if the execution has created too much.
   */
  charge(size: number): Failure | undefined;
  /** Executes a template by its name, as `include` does. */
  include(name: string, data: GoValue): string | Failure;
  /** Executes a text as a template, as `tpl` does. */
  execute(text: string, data: GoValue): string | Failure;
  /** Between 0 and 1; the same sequence in each execution. */
  random(): number;
}

/** Why an execution ends. The message is Go's, without the place. */
export class Failure {
  readonly message: string;

  constructor(message: string) {
    this.message = message;
  }
}

export function isGoMap(value: GoValue | undefined): value is GoMap {
  return value instanceof Map;
}

export function isGoList(value: GoValue | undefined): value is GoList {
  return Array.isArray(value);
}

export function isGoObject(value: GoValue | undefined): value is GoObject {
  return typeof value === "object" && value !== null && !isGoMap(value) && !isGoList(value);
}

/** True if `if` treats it as true. Upstream: text/template/exec.go isTrue. */
export function isTrue(value: GoValue): boolean {
  if (value === null) return false;
  if (isGoMap(value)) return value.size > 0;
  if (isGoList(value)) return value.length > 0;
  if (value instanceof SizedInteger) return value.value !== 0n;
  if (isGoObject(value)) return value.data === undefined || isTrue(value.data);
  if (typeof value === "number") return value !== 0;
  return typeof value === "bigint" ? value !== 0n : Boolean(value);
}
