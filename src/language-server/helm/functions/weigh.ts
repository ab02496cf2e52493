/**
 * Measures the size of a value when written out. By `set`, a map may contain itself, or another one many times over: both are
 * detected here, before anything iterates over the value.
 */
import {
  type Call,
  Failure,
  type GoValue,
  isGoList,
  isGoMap,
  isGoObject,
} from "../go-template/values.ts";

/** Deeper values are never useful; upstream's JSON looks for cycles from a depth of 1,000 on. */
const depthMax = 100;

/** A text may have many lines that are each indented: at this depth, the indentation doubles its size. */
const linesInDepth = 8;

/** Approximate length of a number with what surrounds it. */
const numberLength = 8;

/** Undefined if the value is fine and charged for; "endless" if it contains itself. */
export function weigh(value: GoValue, call: Call): Failure | "endless" | undefined {
  return weighed(value, call, 0);
}

function weighed(value: GoValue, call: Call, depth: number): Failure | "endless" | undefined {
  if (typeof value === "string") return call.charge(value.length * (1 + depth / linesInDepth) + 1);
  if (typeof value === "number" || typeof value === "bigint") return call.charge(numberLength);
  if (isGoObject(value) && value.data !== undefined) return weighed(value.data, call, depth);
  if (!isGoMap(value) && !isGoList(value)) return undefined;
  if (depth > depthMax) return "endless";
  // Each item is preceded by indentation.
  const refused = call.charge(1 + (isGoMap(value) ? value.size : value.length) * (1 + depth));
  if (refused !== undefined) return refused;
  for (const item of value.values()) {
    const found = weighed(item, call, depth + 1);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** The same for several values, where one that contains itself is a failure, too. */
export function weighAll(values: readonly GoValue[], call: Call): Failure | undefined {
  for (const value of values) {
    const found = weigh(value, call);
    if (found !== undefined) return found === "endless" ? new Failure(endless) : found;
  }
  return undefined;
}

const endless = "the value holds itself";
