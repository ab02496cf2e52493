/**
 * Keeps what was found about nodes when a claim's volume was first requested: a repeated call must be the same even if nodes
 * have changed since. Upstream: external-provisioner v6.3 pkg/controller/cache.go InMemoryStore.
 * Also caches the terms of all nodes until a node changes, since thousands of claims need the same ones.
 */
import type { ComponentContext } from "../../runtime/component.ts";
import { type ClaimTopology, nodeTerms, type Term } from "./topology-requirement.ts";

export class TopologyCache {
  readonly #claims = new Map<string, ClaimTopology>();
  readonly #context: ComponentContext;
  readonly #terms = new Map<string, readonly Term[]>();

  constructor(context: ComponentContext) {
    this.#context = context;
    const forget = (): void => this.#terms.clear();
    context.informer("Node").on({
      add: forget,
      update: (before, after) => {
        if (before.metadata.labels !== after.metadata.labels) forget();
      },
      delete: forget,
    });
  }

  terms(keys: readonly string[]): readonly Term[] {
    const id = keys.join("\n");
    const known = this.#terms.get(id);
    if (known !== undefined) return known;
    const terms = nodeTerms(keys, this.#context.informer("Node").list());
    this.#terms.set(id, terms);
    return terms;
  }

  /** What was found for the claim, whichever node is selected now. */
  of(claimUid: string): ClaimTopology {
    const known = this.#claims.get(claimUid) ?? {};
    this.#claims.set(claimUid, known);
    return known;
  }

  /** Called once the volume exists, or the driver has given a final answer. */
  forget(claimUid: string): void {
    this.#claims.delete(claimUid);
  }
}
