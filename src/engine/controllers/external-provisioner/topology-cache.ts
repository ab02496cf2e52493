/**
 * What is known of nodes when a claim's volume is first asked for: a repeated call must be the same even if nodes have
 * changed in between. Upstream: external-provisioner v6.3 pkg/controller/cache.go InMemoryStore.
 * What all nodes say is kept too, until one of them changes: thousands of claims ask for the same.
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

  /** Of one claim, whatever node is selected for it. */
  of(claimUid: string): ClaimTopology {
    const known = this.#claims.get(claimUid) ?? {};
    this.#claims.set(claimUid, known);
    return known;
  }

  /** When its volume is there, or has been refused for good. */
  forget(claimUid: string): void {
    this.#claims.delete(claimUid);
  }
}
