/** Caches what a release's templates rendered to: an edit changes few of them. */
import type { Executed } from "../go-template/execution.ts";
import type { Templates } from "../go-template/templates.ts";
import type { GoMap } from "../go-template/values.ts";

export class RenderMemory {
  #basis: readonly unknown[] = [];
  #values: GoMap | undefined;
  readonly #executed = new Map<string, Executed>();

  /** `basis` is everything that templates are executed with; if it has changed, the cache is cleared. */
  begin(basis: readonly unknown[]): void {
    const isSame =
      basis.length === this.#basis.length && basis.every((one, at) => one === this.#basis[at]);
    this.#basis = basis;
    if (isSame) return;
    this.forget();
  }

  forget(): void {
    this.#values = undefined;
    this.#executed.clear();
  }

  /** Returns the earlier values object, so that what was read from it is still known. */
  valuesAsBefore(values: GoMap): GoMap {
    this.#values ??= values;
    return this.#values;
  }

  /** Undefined if a template that takes part has changed. */
  executed(name: string, templates: Templates): Executed | undefined {
    const known = this.#executed.get(name);
    if (known === undefined) return undefined;
    for (const [used, nodes] of known.used)
      if (templates.get(used)?.nodes !== nodes) return undefined;
    return known;
  }

  note(name: string, executed: Executed): void {
    this.#executed.set(name, executed);
  }
}
