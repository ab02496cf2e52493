/** The objects of an environment by what couples them, so that finding those that an edit affects takes no full search. */
import { push } from "../../../engine/api/go/multi-map.ts";
import { makeRef } from "../../../engine/api/meta.ts";
import type { Environment } from "../../workspace/environment.ts";
import { referencesOf } from "../../workspace/references.ts";
import type { WorkspaceObject } from "../../workspace/workspace-object.ts";
import type { ManifestObject } from "../../yaml/manifest.ts";
import { couplingsOf, isOfStaticVolumes, readOnlyKinds } from "../parting/couplings.ts";

export class CouplingIndex {
  readonly #joined = new Map<string, WorkspaceObject[]>();
  readonly #held = new Map<string, WorkspaceObject[]>();
  readonly #sought = new Map<string, WorkspaceObject[]>();
  /** The objects that refer to one of a read-only kind. */
  readonly #readers = new Map<string, WorkspaceObject[]>();

  /** Yields after each object. */
  static *of({ objects }: Environment): Generator<void, CouplingIndex> {
    const index = new CouplingIndex();
    for (const entry of objects) {
      index.#add(entry);
      yield;
    }
    return index;
  }

  #add(entry: WorkspaceObject): void {
    const { joins, holds, seeks } = couplingsOf(entry.object);
    for (const key of joins) push(this.#joined, key, entry);
    for (const key of holds) if (!isOfStaticVolumes(key)) push(this.#held, key, entry);
    for (const key of seeks) if (!isOfStaticVolumes(key)) push(this.#sought, key, entry);
    for (const { kind, namespace, name } of referencesOf(entry.object))
      if (readOnlyKinds.has(kind)) push(this.#readers, makeRef(kind, namespace, name), entry);
  }

  /** Everything that an object can influence or be influenced by, except through static volumes of a class. */
  *partnersOf(object: ManifestObject): Iterable<WorkspaceObject> {
    const { joins, holds, seeks } = couplingsOf(object);
    for (const key of joins) yield* this.#joined.get(key) ?? [];
    for (const [keys, others] of [
      [holds, this.#sought],
      [seeks, this.#held],
    ] as const)
      for (const key of keys) {
        if (!others.has(key)) continue;
        yield* this.#held.get(key) ?? [];
        yield* this.#sought.get(key) ?? [];
      }
    if (readOnlyKinds.has(object.kind) && object.ref !== undefined)
      yield* this.#readers.get(object.ref) ?? [];
  }
}
