/** The cluster as one scheduling cycle sees it. Upstream: kube-scheduler v1.36 pkg/scheduler/backend/cache/snapshot.go. */
import type { Key } from "../../api/meta.ts";
import type { NamespaceLabels } from "./affinity-term.ts";
import type { NodeInfo } from "./node-info.ts";
import type { PlacedTerms } from "./placed-terms.ts";
import type { PodCounts } from "./pod-counts.ts";

export interface Snapshot {
  /** Zone by zone in turn, in each zone in order of arrival. */
  readonly nodes: readonly NodeInfo[];
  node(name: string): NodeInfo | undefined;
  /** True where a node is cordoned, and where one has taints: most clusters' filters need not ask each node. */
  readonly hasCordons: boolean;
  readonly hasTaints: boolean;
  /** True where a node says which images it has. */
  readonly hasImages: boolean;
  readonly counts: PodCounts;
  readonly terms: PlacedTerms;
  /** True where a pod with a lower priority is on any node. */
  hasPodsBelow(priority: number): boolean;
  /** How many pods on nodes use a claim. */
  claimUses(key: Key): number;
  readonly namespaceLabels: NamespaceLabels;
}
