/** The path of a field as errors write it. Upstream: apimachinery v0.36 pkg/util/validation/field/path.go. */

let keepsPaths = true;

/**
 * Gives what `look` finds. Most objects are good, and of a good one nobody asks where anything stands: the first look keeps no
 * paths, and only where it finds something is there a second one that does. It must not change what it looks at.
 */
export function pathsWhereFound<Found>(
  look: () => Found,
  hasFound: (found: Found) => boolean,
): Found {
  keepsPaths = false;
  try {
    const found = look();
    if (!hasFound(found)) return found;
  } finally {
    keepsPaths = true;
  }
  return look();
}

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
    return keepsPaths ? new FieldPath(name, this) : this;
  }

  index(index: number): FieldPath {
    return keepsPaths ? new FieldPath(index, this, false) : this;
  }

  key(key: string): FieldPath {
    return keepsPaths ? new FieldPath(key, this, false) : this;
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
