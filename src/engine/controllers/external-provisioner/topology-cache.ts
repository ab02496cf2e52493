/**
 * The topology that a claim's volume was first asked for: a repeated call must be the same even if nodes have changed in
 * between. Upstream: external-provisioner v6.3 pkg/controller/topology.go with its in-memory store of claims.
 */
import type { TopologyRequirement } from "../../csi/messages.ts";

export class TopologyCache {
  readonly #known = new Map<
    string,
    { readonly node: string | undefined; readonly requirement: TopologyRequirement }
  >();

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
