/** Appends to a list in a map, like Go's `m[key] = append(m[key], value)`: a missing list counts as empty. */
export function push<K, V>(map: Map<K, V[]>, key: K, value: V): void {
  const values = map.get(key);
  if (values === undefined) map.set(key, [value]);
  else values.push(value);
}
