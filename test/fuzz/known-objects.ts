/** The objects that a scenario has applied so far, so that most of its later steps are about existing ones. */
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
      // A user also knows the names of what a set makes.
      if (kind === "StatefulSet")
        this.#names.push(
          { kind: "Pod", name: `${name}-0` },
          { kind: "PersistentVolumeClaim", name: `data-${name}-0` },
        );
    }
  }

  /** One of the objects of these kinds, chosen by a number; one that does not exist if none was applied. */
  pick(kinds: readonly [Kind, ...Kind[]], choice: number): ObjectName {
    const some = this.#names.filter(({ kind }) => kinds.includes(kind));
    return some[choice % Math.max(some.length, 1)] ?? { kind: kinds[0], name: "nobody" };
  }

  node(choice: number): string {
    return this.nodes[choice % this.nodes.length] ?? "";
  }
}
