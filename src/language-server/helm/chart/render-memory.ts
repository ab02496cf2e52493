/** What the templates of a release were rendered to, for the next time: an edit changes few of them. */
import type { Executed } from "../go-template/execution.ts";
import type { Templates } from "../go-template/templates.ts";
import type { GoMap } from "../go-template/values.ts";

export class RenderMemory {
  #basis: readonly unknown[] = [];
  #values: GoMap | undefined;
  readonly #executed = new Map<string, Executed>();

  /** `basis` is all that templates are executed with; where it is not the same as before nothing is known. */
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

  /** The same values as before, so that what was read of them is still known. */
  valuesAsBefore(values: GoMap): GoMap {
    this.#values ??= values;
    return this.#values;
  }

  /** Undefined where a template that takes part is not the one of before. */
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
