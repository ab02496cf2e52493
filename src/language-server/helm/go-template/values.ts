/** What templates of Go compute with. Maps may be changed by templates (`set`), lists never are. */

/**
 * Whole numbers of Go (int, int64) are bigints, float64 is a number: all numbers of values files are float64, which prints one
 * million as 1e+06. Nil is null; what a map lacks is nil, too.
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
export type GoFunction = (args: readonly GoValue[], call: Call) => GoValue | Failure;

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
  if (isGoObject(value)) return value.data === undefined || isTrue(value.data);
  return typeof value === "bigint" ? value !== 0n : Boolean(value);
}
