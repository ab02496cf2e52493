/**
 * Properties or items of a value that no schema has evaluated yet. Upstream: santhosh-tekuri/jsonschema v6 validator.go uneval.
 */
import type { CompiledSchema } from "./compiled-schema.ts";
import { isJsonList, isJsonMap, type JsonValue } from "./json-text.ts";

export class Unevaluated {
  #names: Set<string> | undefined;
  #indexes: Set<number> | undefined;

  constructor(value: JsonValue, schema: CompiledSchema, isWanted: boolean) {
    const { unevaluatedProperties, unevaluatedItems, firstItems = [] } = schema;
    if (isJsonMap(value) && schema.additionalProperties === undefined) {
      if (isWanted || unevaluatedProperties !== undefined) this.#names = new Set(value.keys());
    }
    const hasAll = schema.items !== undefined || schema.additionalItems !== undefined;
    if (isJsonList(value) && !hasAll && (isWanted || unevaluatedItems !== undefined))
      this.#indexes = new Set([...value.keys()].slice(firstItems.length));
  }

  get isNothing(): boolean {
    return !this.#names?.size && !this.#indexes?.size;
  }

  names(): readonly string[] {
    return [...(this.#names ?? [])];
  }

  indexes(): readonly number[] {
    return [...(this.#indexes ?? [])];
  }

  lookedAt(part: string | number): void {
    if (typeof part === "string") this.#names?.delete(part);
    else this.#indexes?.delete(part);
  }

  /** Keeps only what another schema has not evaluated either. */
  keepOnly(other: Unevaluated): void {
    for (const name of this.#names ?? []) if (!other.#names?.has(name)) this.#names?.delete(name);
    for (const index of this.#indexes ?? [])
      if (!other.#indexes?.has(index)) this.#indexes?.delete(index);
  }

  clear(): void {
    this.#names = undefined;
    this.#indexes = undefined;
  }
}
