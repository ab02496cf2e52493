/** Records which values below `.Values` an action reads, so that its output can be located where a value is written. */
import type { ValuesRead } from "./rendered-text.ts";
import { type GoList, type GoMap, type GoValue, isGoList, isGoMap, wholeNumber } from "./values.ts";

export class ValuesReads {
  /** Paths of maps and lists. */
  readonly #places = new WeakMap<GoMap | GoList, ValuesRead>();
  #reads: ValuesRead[] = [];

  /** From now on, reads below these values are recorded. */
  begin(values: GoMap): void {
    this.#places.set(values, { root: values, path: [] });
  }

  isRead(value: GoValue): boolean {
    return (isGoMap(value) || isGoList(value)) && this.#places.has(value);
  }

  /** True if this is all of the values. */
  isWhole(value: GoMap): boolean {
    return this.#places.get(value)?.path.length === 0;
  }

  /** The path of a member of a map or list; undefined if that is not part of the values. */
  below(whole: GoValue, segment: string | number): ValuesRead | undefined {
    if (!isGoMap(whole) && !isGoList(whole)) return undefined;
    const place = this.#places.get(whole);
    return place === undefined ? undefined : { root: place.root, path: [...place.path, segment] };
  }

  place(value: GoValue, read: ValuesRead | undefined): void {
    if (read === undefined || !(isGoMap(value) || isGoList(value))) return;
    if (!this.#places.has(value)) this.#places.set(value, read);
  }

  note(value: GoValue, read: ValuesRead | undefined): void {
    const own = isGoMap(value) || isGoList(value) ? this.#places.get(value) : read;
    if (own !== undefined) this.#reads.push(own);
  }

  /** Records what `index` has found. */
  noteIndexed([whole = null, ...keys]: readonly GoValue[], value: GoValue): void {
    const place = isGoMap(whole) || isGoList(whole) ? this.#places.get(whole) : undefined;
    if (place === undefined) return;
    const path = keys.map((key) => (typeof key === "string" ? key : Number(wholeNumber(key))));
    const read = { root: place.root, path: [...place.path, ...path] };
    this.place(value, read);
    this.note(value, read);
  }

  /** The result of `run`, and what it has read. */
  during<T>(run: () => T): { readonly value: T; readonly reads: readonly ValuesRead[] } {
    const count = this.#reads.length;
    const value = run();
    return { value, reads: this.#reads.slice(count) };
  }

  /** Discards what `run` reads. */
  unnoted<T>(run: () => T): T {
    const before = this.#reads;
    this.#reads = [];
    const value = run();
    this.#reads = before;
    return value;
  }
}
