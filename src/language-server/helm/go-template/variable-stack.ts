/**
 * Variables in the order in which they are declared; of several of one name the last is meant. Upstream: Go 1.25
 * text/template/exec.go state.vars, parse/parse.go Tree.vars, which look through all of them for each name: here one look is
 * enough, however many a template declares.
 */
export class VariableStack<Variable extends { readonly name: string }> {
  readonly #all: Variable[] = [];
  readonly #byName = new Map<string, Variable[]>();

  constructor(first: Variable) {
    this.push(first);
  }

  get first(): Variable | undefined {
    return this.#all[0];
  }

  get count(): number {
    return this.#all.length;
  }

  push(variable: Variable): void {
    this.#all.push(variable);
    const ofName = this.#byName.get(variable.name);
    if (ofName === undefined) this.#byName.set(variable.name, [variable]);
    else ofName.push(variable);
  }

  find(name: string): Variable | undefined {
    return this.#byName.get(name)?.at(-1);
  }

  /** Leaves the first ones, so many of them. */
  keep(count: number): void {
    while (this.#all.length > count) {
      const last = this.#all.pop();
      if (last !== undefined) this.#byName.get(last.name)?.pop();
    }
  }
}
