/** What templates of Go compute with. Maps may be changed by templates (`set`), lists never are. */

/**
 * An int of Go is a bigint, what arithmetic makes a SizedInteger, float64 is a number: all numbers of values files are float64,
 * which prints one million as 1e+06. Nil is null; what a map lacks is nil, too.
 */
export type GoValue = null | boolean | string | number | bigint | GoList | GoMap | GoObject;
export type GoList = readonly GoValue[];
export type GoMap = Map<string, GoValue>;

/** What is no plain data: a chart's files, the versions of an API, an instant, a parsed version. */
export interface GoObject {
  /** As `typeOf` and `printf "%T"` tell. */
  readonly goType: string;
  /** A field's value or a method; undefined where it has none of that name. */
  member(name: string): GoValue | GoFunction | undefined;
  /** As `print` shows it. */
  print(): string;
  /** What `range`, `len`, `index` and truth go by, where it is a list or a map beneath. */
  readonly data?: GoList | GoMap;
}

/** Arguments are as the pipeline gives them, the piped one last. */
export interface GoFunction {
  (args: readonly GoValue[], call: Call): GoValue | Failure;
  /** What it may be given, which is looked at before each call; undefined where it looks itself. */
  readonly parameters?: Parameters;
}

/** What templates give to functions; `any` is `interface {}`, a map holds anything by its texts. */
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
  /** Of any number of further ones. */
  readonly rest?: ParameterType;
}

/** Whole numbers of Go that are no ints: functions that want an int refuse them. */
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

  /** In JSON and YAML. */
  fields(): bigint {
    return this.value;
  }
}

export function int64(value: bigint): SizedInteger {
  return new SizedInteger("int64", value);
}

/** Undefined of what is no whole number of any type. */
export function wholeNumber(value: GoValue | undefined): bigint | undefined {
  if (value instanceof SizedInteger) return value.value;
  return typeof value === "bigint" ? value : undefined;
}

/** What a function may ask of the execution that calls it. */
export interface Call {
  /**
   * To be asked before anything is made whose size the arguments decide (`repeat`, `until`, `indent`): letters or items. A
   * failure where the execution has made too much.
   */
  charge(size: number): Failure | undefined;
  /** Executes a template by its name, as `include` does. */
  include(name: string, data: GoValue): string | Failure;
  /** Executes a text as a template, as `tpl` does. */
  execute(text: string, data: GoValue): string | Failure;
  /** Between 0 and 1, the same row in each execution. */
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

/** Whether `if` takes it for true. Upstream: text/template/exec.go isTrue. */
export function isTrue(value: GoValue): boolean {
  if (value === null) return false;
  if (isGoMap(value)) return value.size > 0;
  if (isGoList(value)) return value.length > 0;
  if (value instanceof SizedInteger) return value.value !== 0n;
  if (isGoObject(value)) return value.data === undefined || isTrue(value.data);
  if (typeof value === "number") return value !== 0;
  return typeof value === "bigint" ? value !== 0n : Boolean(value);
}
