/** Arithmetic on lists of named quantities. Upstream: apiserver v0.36 pkg/quota/v1/resources.go. */
import {
  addQuantities,
  compareQuantities,
  formatQuantity,
  type Quantity,
  quantityOrZero,
  subtractQuantities,
  zeroQuantity,
} from "../api/quantity.ts";

export type ResourceList = ReadonlyMap<string, Quantity>;

export function parseList(list: Readonly<Record<string, string>> | undefined): ResourceList {
  return new Map(Object.entries(list ?? {}).map(([name, text]) => [name, quantityOrZero(text)]));
}

/**
 * Formats the list as the API stores it, sorted by name. The server parses what it is sent, so a binary sum that is not a
 * multiple of 1024 comes back decimal (1500Mi and 1G are 2572864k).
 */
export function formatList(list: ResourceList): Readonly<Record<string, string>> {
  return Object.fromEntries(
    sortedEntries(list).map(([name, quantity]) => [
      name,
      formatQuantity(quantityOrZero(formatQuantity(quantity))),
    ]),
  );
}

/** Formats the list as in error messages: `a=1,b=2Gi`. */
export function printList(list: ResourceList): string {
  return sortedEntries(list)
    .map(([name, quantity]) => `${name}=${formatQuantity(quantity)}`)
    .join(",");
}

function sortedEntries(list: ResourceList): readonly (readonly [string, Quantity])[] {
  return [...list].sort(([a], [b]) => (a < b ? -1 : 1));
}

/** Returns the sum of both lists; a name in only one of them keeps its quantity. */
export function addLists(a: ResourceList, b: ResourceList): ResourceList {
  const sum = new Map(a);
  for (const [name, quantity] of b) {
    const known = sum.get(name);
    sum.set(name, known === undefined ? quantity : addQuantities(known, quantity));
  }
  return sum;
}

export function subtractLists(a: ResourceList, b: ResourceList): ResourceList {
  const difference = new Map(a);
  for (const [name, quantity] of b)
    difference.set(name, subtractQuantities(difference.get(name) ?? zeroQuantity, quantity));
  return difference;
}

/** True if both lists have the same names and amounts, however they are written. Upstream: Equals. */
export function equalLists(a: ResourceList, b: ResourceList): boolean {
  if (a.size !== b.size) return false;
  return [...a].every(([name, quantity]) => {
    const other = b.get(name);
    return other !== undefined && compareQuantities(quantity, other) === 0;
  });
}

/** Returns the entries whose name is accepted. */
export function mask(list: ResourceList, names: (name: string) => boolean): ResourceList {
  return new Map([...list].filter(([name]) => names(name)));
}
