/** Finds the fields of an object that a long table has rules for. */

interface Table<Name> {
  has(name: Name): boolean;
  keys(): Iterable<Name>;
}

/**
 * The fields of an object that a table has rules for, in the table's order. It iterates over the object, because a volume has
 * one source and the table has many.
 */
export function presentFields<Name extends string>(
  object: object,
  table: Table<Name>,
): readonly Name[] {
  const present: Name[] = [];
  for (const key in object) if (table.has(key as Name)) present.push(key as Name);
  return present.length < 2 ? present : [...table.keys()].filter((name) => present.includes(name));
}
