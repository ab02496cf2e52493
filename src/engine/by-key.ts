/**
 * What is known of objects, in lists. In a map of many keys each look-up waits for memory several times, so the keys of a kind
 * are numbered once, and store, caches and components keep what they know of an object under its number. One thing that
 * happens to an object asks all of them for the same key in a row: the last ones are remembered.
 */
import type { Key } from "./api/meta.ts";

/** Numbers for keys, in the order in which they are first asked for; none is ever given up. */
export class KeyNumbers {
  readonly #numbers = new Map<Key, number>();
  #last: Key | undefined;
  #lastNumber = 0;
  #before: Key | undefined;
  #beforeNumber = 0;

  of(key: Key): number {
    if (key === this.#last) return this.#lastNumber;
    const number = key === this.#before ? this.#beforeNumber : this.#find(key);
    this.#before = this.#last;
    this.#beforeNumber = this.#lastNumber;
    this.#last = key;
    this.#lastNumber = number;
    return number;
  }

  #find(key: Key): number {
    let number = this.#numbers.get(key);
    if (number === undefined) this.#numbers.set(key, (number = this.#numbers.size));
    return number;
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
    return this.#values[this.#keys.of(key)];
  }

  /** Undefined for nothing. */
  set(key: Key, value: V | undefined): void {
    const number = this.#keys.of(key);
    // An array that is filled far behind its end becomes a map itself.
    while (this.#values.length < number) this.#values.push(undefined);
    this.#values[number] = value;
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
