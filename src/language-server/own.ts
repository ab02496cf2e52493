/** What a table has for a name that somebody has written, and not what every JavaScript object has by that name. */
export function own<T>(table: Readonly<Record<string, T>>, name: string): T | undefined {
  return Object.hasOwn(table, name) ? table[name] : undefined;
}
