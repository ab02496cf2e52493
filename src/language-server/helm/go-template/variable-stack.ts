/**
 * Variables in the order of declaration; a name refers to the last one declared. Upstream: Go 1.25 text/template/exec.go
 * state.vars, parse/parse.go Tree.vars, which search all of them for each name; here lookup is fast, however many a template
 * declares.
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

  /** Keeps only the first `count` variables. */
  keep(count: number): void {
    while (this.#all.length > count) {
      const last = this.#all.pop();
      if (last !== undefined) this.#byName.get(last.name)?.pop();
    }
  }
}
