/**
 * What a value comes to where it is written out. A map can hold itself by way of `set`, and others many times over: both are
 * found here, before anything walks through them.
 */
import {
  type Call,
  Failure,
  type GoValue,
  isGoList,
  isGoMap,
  isGoObject,
} from "../go-template/values.ts";

/** What is deeper is read by nobody; upstream's JSON looks for cycles from a depth of 1,000 on. */
const depthMax = 100;

/** A text may have many lines, each with its indent: so deep they come to as many letters again as are charged for. */
const linesInDepth = 8;

/** About as long as one is with what stands around it. */
const numberLength = 8;

/** Undefined where all is well and charged for; "endless" for what holds itself. */
export function weigh(value: GoValue, call: Call): Failure | "endless" | undefined {
  return weighed(value, call, 0);
}

function weighed(value: GoValue, call: Call, depth: number): Failure | "endless" | undefined {
  if (typeof value === "string") return call.charge(value.length * (1 + depth / linesInDepth) + 1);
  if (typeof value === "number" || typeof value === "bigint") return call.charge(numberLength);
  if (isGoObject(value) && value.data !== undefined) return weighed(value.data, call, depth);
  if (!isGoMap(value) && !isGoList(value)) return undefined;
  if (depth > depthMax) return "endless";
  // Before each item stands an indent.
  const refused = call.charge(1 + (isGoMap(value) ? value.size : value.length) * (1 + depth));
  if (refused !== undefined) return refused;
  for (const item of value.values()) {
    const found = weighed(item, call, depth + 1);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** The same for those to whom what holds itself is a failure, too. */
export function weighAll(values: readonly GoValue[], call: Call): Failure | undefined {
  for (const value of values) {
    const found = weigh(value, call);
    if (found !== undefined) return found === "endless" ? new Failure(endless) : found;
  }
  return undefined;
}

const endless = "the value holds itself";
