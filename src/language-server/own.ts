/** Looks up a name from user input in a table, without finding what every JavaScript object inherits. */
export function own<T>(table: Readonly<Record<string, T>>, name: string): T | undefined {
  return Object.hasOwn(table, name) ? table[name] : undefined;
}
