/**
 * The topology that a claim's volume was first asked for: a repeated call must be the same even if nodes have changed in
 * between. Upstream: external-provisioner v6.3 pkg/controller/topology.go with its in-memory store of claims.
 * What all nodes say is kept too, until one of them changes: thousands of claims ask for the same.
 */
import type { TopologyRequirement } from "../../csi/messages.ts";
import type { ComponentContext } from "../../runtime/component.ts";
import { nodeTerms, type Term } from "./topology-requirement.ts";

export class TopologyCache {
  readonly #known = new Map<
    string,
    { readonly node: string | undefined; readonly requirement: TopologyRequirement }
  >();

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

  get(claimUid: string, node: string | undefined): TopologyRequirement | undefined {
    const known = this.#known.get(claimUid);
    return known?.node === node ? known?.requirement : undefined;
  }

  put(claimUid: string, node: string | undefined, requirement: TopologyRequirement): void {
    this.#known.set(claimUid, { node, requirement });
  }

  forget(claimUid: string): void {
    this.#known.delete(claimUid);
  }
}
