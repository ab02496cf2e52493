/** Values with fields and methods, as templates see structs of Go. */
import { typeName } from "../go-template/type-name.ts";
import {
  type Call,
  Failure,
  type GoFunction,
  type GoList,
  type GoMap,
  type GoObject,
  type GoValue,
} from "../go-template/values.ts";

interface Parts {
  readonly goType: string;
  /** By their names in Go. */
  readonly members: Readonly<Record<string, GoValue | GoFunction>>;
  /** Made where it is asked for: it may be all files of a chart. */
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

/** A method that takes texts. */
export function method(
  name: string,
  count: number,
  body: (args: readonly string[], call: Call) => GoValue | Failure,
): GoFunction {
  return (args, call) => {
    if (args.length !== count)
      return new Failure(`wrong number of args for ${name}: want ${count} got ${args.length}`);
    const texts = args.filter((arg) => typeof arg === "string");
    if (texts.length === count) return body(texts, call);
    const other = args.find((arg) => typeof arg !== "string") ?? null;
    const found = other === null ? "interface {}" : typeName(other);
    return new Failure(`wrong type for value; expected string; got ${found}`);
  };
}
