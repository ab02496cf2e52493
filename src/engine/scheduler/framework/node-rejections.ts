/** Which nodes were rejected, and why. Upstream: kube-scheduler v1.36 pkg/scheduler/framework/types.go NodeToStatus. */
import type { NodeInfo } from "../cache/node-info.ts";
import type { Rejection } from "./plugin.ts";

/**
 * In the order in which the nodes were filtered. Two lists: with a thousand nodes a map would take as long as the filters do.
 */
export class NodeRejections {
  readonly nodes: NodeInfo[] = [];
  readonly rejections: Rejection[] = [];

  get size(): number {
    return this.nodes.length;
  }

  add(node: NodeInfo, rejection: Rejection): void {
    this.nodes.push(node);
    this.rejections.push(rejection);
  }

  of(node: NodeInfo): Rejection | undefined {
    return this.rejections[this.nodes.indexOf(node)];
  }

  /** Returns how many nodes have each rejection; `weightOf` says how often a node counts, once if absent. */
  counts(weightOf: ((node: string) => number) | undefined): ReadonlyMap<Rejection, number> {
    const counts = new Map<Rejection, number>();
    for (const [i, rejection] of this.rejections.entries()) {
      const weight = weightOf?.(this.nodes[i]?.name ?? "") ?? 1;
      counts.set(rejection, (counts.get(rejection) ?? 0) + weight);
    }
    return counts;
  }
}
