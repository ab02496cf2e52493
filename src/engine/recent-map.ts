/**
 * A map that remembers what was found last. One thing that happens to an object makes several look-ups of its key in a row, and
 * in a map of many keys each of them waits for memory.
 */
export class RecentMap<V> {
  readonly #map = new Map<string, V>();
  #key: string | undefined;
  #value: V | undefined;

  get size(): number {
    return this.#map.size;
  }

  get(key: string): V | undefined {
    if (key === this.#key) return this.#value;
    const value = this.#map.get(key);
    if (value !== undefined) this.#remember(key, value);
    return value;
  }

  set(key: string, value: V): void {
    this.#map.set(key, value);
    this.#remember(key, value);
  }

  delete(key: string): void {
    this.#map.delete(key);
    if (key === this.#key) this.#remember(undefined, undefined);
  }

  /** In order of insertion, as with any map. */
  values(): MapIterator<V> {
    return this.#map.values();
  }

  #remember(key: string | undefined, value: V | undefined): void {
    this.#key = key;
    this.#value = value;
  }
}
