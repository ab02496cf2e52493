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
 * As the API stores it, in the order of the names: the server reads what it is sent, so that a binary sum which is no multiple
 * of 1024 comes back decimal (1500Mi and 1G are 2572864k).
 */
export function formatList(list: ResourceList): Readonly<Record<string, string>> {
  return Object.fromEntries(
    sortedEntries(list).map(([name, quantity]) => [
      name,
      formatQuantity(quantityOrZero(formatQuantity(quantity))),
    ]),
  );
}

/** `a=1,b=2Gi`, as error messages write it. */
export function printList(list: ResourceList): string {
  return sortedEntries(list)
    .map(([name, quantity]) => `${name}=${formatQuantity(quantity)}`)
    .join(",");
}

function sortedEntries(list: ResourceList): readonly (readonly [string, Quantity])[] {
  return [...list].sort(([a], [b]) => (a < b ? -1 : 1));
}

/** Adds up what is in either list. */
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

/** The same amounts of the same things, however they are written. Upstream: Equals. */
export function equalLists(a: ResourceList, b: ResourceList): boolean {
  if (a.size !== b.size) return false;
  return [...a].every(([name, quantity]) => {
    const other = b.get(name);
    return other !== undefined && compareQuantities(quantity, other) === 0;
  });
}

/** What is in both the list and the names. */
export function mask(list: ResourceList, names: (name: string) => boolean): ResourceList {
  return new Map([...list].filter(([name]) => names(name)));
}
