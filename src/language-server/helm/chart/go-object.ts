/** Values with fields and methods, as templates see Go structs. */
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

interface Parts {
  readonly goType: string;
  /** By their names in Go. */
  readonly members: Readonly<Record<string, GoValue | GoFunction>>;
  /** Called only when needed: it may print all files of a chart. */
  readonly print: () => string;
  readonly data?: GoList | GoMap;
}

export function goObject({ goType, members, print, data }: Parts): GoObject {
  return {
    goType,
    member: (name) => (Object.hasOwn(members, name) ? members[name] : undefined),
    print,
    ...(data !== undefined && { data }),
  };
}

/** A method with string parameters. */
export function method(
  count: number,
  body: (args: readonly string[], call: Call) => GoValue | Failure,
): GoFunction {
  const fixed = Array.from({ length: count }, () => "string" as const);
  return withParameters({ fixed }, (args, call) => body(args.map(String), call));
}
