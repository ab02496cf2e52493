/** Records which objects of other islands rules look at, to find out later whether they have changed. */
import type { Ref } from "../../engine/api/meta.ts";
import type { WorkspaceObject } from "../workspace/workspace-object.ts";

type ByRef = ReadonlyMap<Ref, readonly WorkspaceObject[]>;

export class RecordedRefs {
  readonly #outside = new Map<Ref, readonly WorkspaceObject[] | undefined>();

  /** Finds the island's own objects, and records lookups of others. */
  record(own: ByRef, all: () => ByRef): ByRef {
    const get = (ref: Ref): readonly WorkspaceObject[] | undefined => {
      const found = own.get(ref);
      if (found !== undefined) return found;
      const outside = all().get(ref);
      this.#outside.set(ref, outside);
      return outside;
    };
    return new MapWithRest(own, get);
  }

  holdFor(all: () => ByRef): boolean {
    for (const [ref, before] of this.#outside) if (!isSame(before, all().get(ref))) return false;
    return true;
  }
}

/** Iterates over the island's own objects only, but lookups also find others. */
export class MapWithRest extends Map<Ref, readonly WorkspaceObject[]> {
  readonly #get: (ref: Ref) => readonly WorkspaceObject[] | undefined;

  constructor(own: ByRef, get: (ref: Ref) => readonly WorkspaceObject[] | undefined) {
    super();
    for (const [ref, entries] of own) super.set(ref, entries);
    this.#get = get;
  }

  override get(ref: Ref): readonly WorkspaceObject[] | undefined {
    return this.#get(ref);
  }

  override has(ref: Ref): boolean {
    return this.#get(ref) !== undefined;
  }
}

function isSame(
  a: readonly WorkspaceObject[] | undefined,
  b: readonly WorkspaceObject[] | undefined,
): boolean {
  if (a === undefined || b === undefined) return a === b;
  return (
    a.length === b.length &&
    a.every(({ object, file }, i) => object === b[i]?.object && file.uri === b[i]?.file.uri)
  );
}
