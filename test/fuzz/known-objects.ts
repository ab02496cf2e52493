/** The names that a scenario has brought so far, so that most of its later steps meet something. */
import type { Kind } from "../../src/engine/api/meta.ts";
import type { Manifest, ObjectName } from "../../src/engine/scenario.ts";

export class KnownObjects {
  readonly #names: ObjectName[] = [];
  readonly nodes: readonly string[];

  constructor(nodes: readonly string[]) {
    this.nodes = nodes;
  }

  add(manifests: readonly Manifest[]): void {
    for (const manifest of manifests) {
      const kind = manifest["kind"] as Kind;
      const { name } = manifest["metadata"] as { name: string };
      this.#names.push({ kind, name });
      // What a set makes has names that a user knows.
      if (kind === "StatefulSet")
        this.#names.push(
          { kind: "Pod", name: `${name}-0` },
          { kind: "PersistentVolumeClaim", name: `data-${name}-0` },
        );
    }
  }

  /** One of a kind, by any number; of a name that is not there where none has been applied. */
  pick(kinds: readonly [Kind, ...Kind[]], choice: number): ObjectName {
    const some = this.#names.filter(({ kind }) => kinds.includes(kind));
    return some[choice % Math.max(some.length, 1)] ?? { kind: kinds[0], name: "nobody" };
  }

  node(choice: number): string {
    return this.nodes[choice % this.nodes.length] ?? "";
  }
}
