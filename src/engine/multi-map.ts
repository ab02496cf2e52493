/** Lists by key, with no counterpart upstream: Go appends to a list that is not there. */

export function push<K, V>(map: Map<K, V[]>, key: K, value: V): void {
  const values = map.get(key);
  if (values === undefined) map.set(key, [value]);
  else values.push(value);
}
