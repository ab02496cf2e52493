/**
 * What is known of objects, in lists. In a map of many keys each look-up waits for memory several times, so the keys of a kind
 * are numbered once, and store, caches and components keep what they know of an object under its number. One thing that
 * happens to an object asks all of them for the same key in a row: the last ones are remembered.
 */
import type { Key } from "./api/meta.ts";

/** Numbers for keys, in the order in which something is first known of them; none is ever given up. */
export class KeyNumbers {
  readonly #numbers = new Map<Key, number>();
  #last: Key | undefined;
  #lastNumber = 0;
  #before: Key | undefined;
  #beforeNumber = 0;

  /** Negative where the key has none. */
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

/** A map without an order; its keys have their numbers from outside, the same for all maps of objects of one kind. */
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
    // An array that is filled far behind its end becomes a map itself.
    while (this.#values.length < number) this.#values.push(undefined);
    this.#values[number] = value;
  }

  delete(key: Key): void {
    const number = this.#keys.find(key);
    if (number >= 0 && number < this.#values.length) this.#values[number] = undefined;
  }
}

/** Things in the order in which they came. */
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

  /** Those that are not gone. */
  get items(): readonly T[] {
    if (this.#goneCount > 0) this.#letGo();
    return this.#items;
  }

  add(item: T): void {
    this.#items.push(item);
  }

  /** To be called once for each that is gone, which must not come back. */
  hasLost(): void {
    this.#goneCount++;
    if (2 * this.#goneCount > this.#items.length) this.#letGo();
  }

  #letGo(): void {
    this.#items = this.#items.filter((item) => !this.#isGone(item));
    this.#goneCount = 0;
  }
}
