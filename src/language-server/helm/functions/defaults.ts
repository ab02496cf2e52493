/** Functions that choose between values. Upstream: sprig v3 defaults.go. */
import { isEmpty } from "./go-types.ts";
import { define, defineVariadic, type Named } from "./signature.ts";

export const defaultFunctions: readonly Named[] = [
  defineVariadic("default", ["any"], "any", ([fallback], _call, [given = null]) =>
    isEmpty(given) ? fallback : given,
  ),
  define("empty", ["any"], ([value]) => isEmpty(value)),
  defineVariadic(
    "coalesce",
    [],
    "any",
    (_none, _call, values) => values.find((value) => !isEmpty(value)) ?? null,
  ),
  defineVariadic("all", [], "any", (_none, _call, values) => !values.some(isEmpty)),
  defineVariadic("any", [], "any", (_none, _call, values) =>
    values.some((value) => !isEmpty(value)),
  ),
  define("ternary", ["any", "any", "bool"], ([yes, no, condition]) => (condition ? yes : no)),
];
