/**
 * Records events about added and deleted nodes at the next check of all nodes. Upstream:
 * pkg/controller/nodelifecycle/node_lifecycle_controller.go monitorNodeHealth, classifyNodes v1.36. The cluster's own nodes,
 * and those that exist when the controller starts, count as registered already.
 */
import { refOf } from "../../api/meta.ts";
import type { Node } from "../../api/types.ts";
import type { ComponentContext } from "../../runtime/component.ts";
import { event, type Task } from "../../runtime/effects.ts";
import type { Informer } from "../../runtime/informer.ts";

export class Registrations {
  readonly #ctx: ComponentContext;
  readonly #nodes: Informer<"Node">;
  readonly #checkMs: number;
  readonly #registered: Set<string>;
  /** Nodes added or deleted since the last check, in their last version. */
  readonly #changed = new Map<string, Node>();

  /** `checkMs` is the time between two checks. */
  constructor(ctx: ComponentContext, nodes: Informer<"Node">, checkMs: number) {
    this.#ctx = ctx;
    this.#nodes = nodes;
    this.#checkMs = checkMs;
    const own = ctx.machines.map(({ name }) => name);
    this.#registered = new Set([...own, ...nodes.list().map(({ metadata }) => metadata.name)]);
  }

  /** To be called for each node that is added or deleted. */
  changed(node: Node): void {
    const { name } = node.metadata;
    if (this.#isAsRegistered(name)) return;
    if (this.#changed.size === 0) {
      const { now } = this.#ctx;
      const nextCheckAt = (Math.floor(now / this.#checkMs) + 1) * this.#checkMs;
      this.#ctx.after(nextCheckAt - now, () => this.#ctx.go(this.#report()));
    }
    this.#changed.set(name, node);
  }

  *#report(): Task {
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

  /** True if there is nothing to report; so for a node that was added and deleted between two checks. */
  #isAsRegistered(name: string): boolean {
    return this.#registered.has(name) === (this.#nodes.get(name) !== undefined);
  }
}
