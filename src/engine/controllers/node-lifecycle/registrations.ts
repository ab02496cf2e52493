/**
 * Tells of nodes that have come and gone, as seen by the next look at all nodes. Upstream:
 * pkg/controller/nodelifecycle/node_lifecycle_controller.go monitorNodeHealth, classifyNodes v1.36. The cluster's own nodes,
 * and those that are there when the controller starts, count as registered before.
 */
import { refOf } from "../../api/meta.ts";
import type { Node } from "../../api/types.ts";
import type { ComponentContext } from "../../runtime/component.ts";
import { event, type Task } from "../../runtime/effects.ts";
import type { Informer } from "../../runtime/informer.ts";

export class Registrations {
  readonly #ctx: ComponentContext;
  readonly #nodes: Informer<"Node">;
  readonly #lookMs: number;
  readonly #registered: Set<string>;
  /** As they were last, since the last look. */
  readonly #changed = new Map<string, Node>();

  /** `lookMs` is the time between two looks. */
  constructor(ctx: ComponentContext, nodes: Informer<"Node">, lookMs: number) {
    this.#ctx = ctx;
    this.#nodes = nodes;
    this.#lookMs = lookMs;
    const own = ctx.machines.map(({ name }) => name);
    this.#registered = new Set([...own, ...nodes.list().map(({ metadata }) => metadata.name)]);
  }

  /** To be called for each node that comes or goes. */
  changed(node: Node): void {
    const { name } = node.metadata;
    if (this.#isAsRegistered(name)) return;
    if (this.#changed.size === 0) {
      const { now } = this.#ctx;
      const nextLookAt = (Math.floor(now / this.#lookMs) + 1) * this.#lookMs;
      this.#ctx.after(nextLookAt - now, () => this.#ctx.go(this.#tell()));
    }
    this.#changed.set(name, node);
  }

  *#tell(): Task {
    const changed = [...this.#changed];
    this.#changed.clear();
    for (const [name, node] of changed) {
      if (this.#isAsRegistered(name)) continue;
      const isGone = this.#registered.delete(name);
      if (!isGone) this.#registered.add(name);
      const [reason, what] = isGone
        ? ["RemovingNode", `Removing Node ${name} from Controller`]
        : ["RegisteredNode", `Registered Node ${name} in Controller`];
      yield* event(refOf(node), "Normal", reason, `Node ${name} event: ${what}`);
    }
  }

  /** Nothing is told of what has come and gone between two looks. */
  #isAsRegistered(name: string): boolean {
    return this.#registered.has(name) === (this.#nodes.get(name) !== undefined);
  }
}
