/** The path of a field as errors write it. Upstream: apimachinery v0.36 pkg/util/validation/field/path.go. */

export class FieldPath {
  readonly #parent: FieldPath | undefined;
  readonly #part: string | number;
  readonly #isField: boolean;

  constructor(part: string | number, parent?: FieldPath, isField = true) {
    this.#parent = parent;
    this.#part = part;
    this.#isField = isField;
  }

  child(name: string): FieldPath {
    return new FieldPath(name, this);
  }

  index(index: number): FieldPath {
    return new FieldPath(index, this, false);
  }

  key(key: string): FieldPath {
    return new FieldPath(key, this, false);
  }

  toString(): string {
    const before = this.#parent?.toString() ?? "";
    if (!this.#isField) return `${before}[${this.#part}]`;
    return before === "" ? String(this.#part) : `${before}.${this.#part}`;
  }
}

export const metadataPath: FieldPath = new FieldPath("metadata");
export const specPath: FieldPath = new FieldPath("spec");
export const statusPath: FieldPath = new FieldPath("status");
