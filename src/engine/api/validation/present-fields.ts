/** Long tables of fields, of which an object has few: the few are looked at, in the table's order. */

interface Table<Name> {
  has(name: Name): boolean;
  keys(): Iterable<Name>;
}

/**
 * The fields of an object that a table has rules for, in the table's order. The table of volume sources is long and a volume has
 * one of them, so it is the volume that is gone through.
 */
export function presentFields<Name extends string>(
  object: object,
  table: Table<Name>,
): readonly Name[] {
  const present: Name[] = [];
  for (const key in object) if (table.has(key as Name)) present.push(key as Name);
  return present.length < 2 ? present : [...table.keys()].filter((name) => present.includes(name));
}
