/** Lists by key, as Go's `m[key] = append(m[key], value)` fills them: a list that is not there is an empty one. */
export function push<K, V>(map: Map<K, V[]>, key: K, value: V): void {
  const values = map.get(key);
  if (values === undefined) map.set(key, [value]);
  else values.push(value);
}
