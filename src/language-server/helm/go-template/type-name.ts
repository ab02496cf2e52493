/** What Go calls the types of values. */
import { type GoValue, isGoList, isGoMap, isGoObject } from "./values.ts";

/** As `printf "%T"` tells; `<nil>` of nil. */
export function typeName(value: GoValue): string {
  if (value === null) return "<nil>";
  if (isGoMap(value)) return "map[string]interface {}";
  if (isGoList(value)) return "[]interface {}";
  if (isGoObject(value)) return value.goType;
  switch (typeof value) {
    case "bigint":
      return "int";
    case "number":
      return "float64";
    case "boolean":
      return "bool";
    default:
      return "string";
  }
}
