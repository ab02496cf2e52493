/**
 * Maps from object keys to values, stored as arrays. Each look-up in a Map with many keys costs several cache misses, so the
 * keys of a kind are numbered once, and store, caches and components keep what they know of an object at its number. A single
 * change of an object makes all of them look up the same key in a row, so the last two keys are remembered.
 */
import type { Key } from "./api/meta.ts";

/** Numbers keys in the order of their first use. A key keeps its number forever. */
export class KeyNumbers {
  readonly #numbers = new Map<Key, number>();
  #last: Key | undefined;
  #lastNumber = 0;
  #before: Key | undefined;
  #beforeNumber = 0;

  /** Returns the key's number, or -1 if it has none yet. */
  find(key: Key): number {
    if (key === this.#last) return this.#lastNumber;
    const number = key === this.#before ? this.#beforeNumber : (this.#numbers.get(key) ?? -1);
    this.#before = this.#last;
    this.#beforeNumber = this.#lastNumber;
    this.#last = key;
    this.#lastNumber = number;
    return number;
  }

  of(key: Key): number {
    const known = this.find(key);
    if (known >= 0) return known;
    this.#lastNumber = this.#numbers.size;
    this.#numbers.set(key, this.#lastNumber);
    return this.#lastNumber;
  }
}

/** A map without iteration. All maps of objects of one kind share the numbers of their keys. */
export class ByKey<V> {
  readonly #keys: KeyNumbers;
  readonly #values: (V | undefined)[] = [];

  constructor(keys: KeyNumbers) {
    this.#keys = keys;
  }

  get(key: Key): V | undefined {
    const number = this.#keys.find(key);
    return number < 0 ? undefined : this.#values[number];
  }

  set(key: Key, value: V): void {
    const number = this.#keys.of(key);
    // Filling the gaps keeps the array dense: V8 turns one that is written far beyond its end into a hash table.
    while (this.#values.length < number) this.#values.push(undefined);
    this.#values[number] = value;
  }

  delete(key: Key): void {
    const number = this.#keys.find(key);
    if (number >= 0 && number < this.#values.length) this.#values[number] = undefined;
  }
}

/** A list in order of insertion whose removed items are dropped lazily. */
export class InOrder<T> {
  readonly #isGone: (item: T) => boolean;
  #items: T[] = [];
  #goneCount = 0;

  constructor(isGone: (item: T) => boolean) {
    this.#isGone = isGone;
  }

  get count(): number {
    return this.#items.length - this.#goneCount;
  }

  /** The items that are not gone. */
  get items(): readonly T[] {
    if (this.#goneCount > 0) this.#letGo();
    return this.#items;
  }

  add(item: T): void {
    this.#items.push(item);
  }

  /** Must be called once for each item that is gone; such an item must not come back. */
  hasLost(): void {
    this.#goneCount++;
    if (2 * this.#goneCount > this.#items.length) this.#letGo();
  }

  #letGo(): void {
    this.#items = this.#items.filter((item) => !this.#isGone(item));
    this.#goneCount = 0;
  }
}
