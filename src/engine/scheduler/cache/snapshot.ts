/** The cluster as one scheduling cycle sees it. Upstream: kube-scheduler v1.36 pkg/scheduler/backend/cache/snapshot.go. */
import type { Key } from "../../api/meta.ts";
import type { NamespaceLabels } from "./affinity-term.ts";
import type { NodeInfo } from "./node-info.ts";
import type { PlacedTerms } from "./placed-terms.ts";
import type { PodCounts } from "./pod-counts.ts";

export interface Snapshot {
  /** One node from each zone in turn; within a zone in order of arrival. */
  readonly nodes: readonly NodeInfo[];
  node(name: string): NodeInfo | undefined;
  /** True if any node is cordoned, or has taints. In most clusters none is, and filters skip asking each node. */
  readonly hasCordons: boolean;
  readonly hasTaints: boolean;
  /** True if any node reports its images. */
  readonly hasImages: boolean;
  readonly counts: PodCounts;
  readonly terms: PlacedTerms;
  /** True if a pod with a lower priority is on any node. */
  hasPodsBelow(priority: number): boolean;
  /** How many pods on nodes use a claim. */
  claimUses(key: Key): number;
  readonly namespaceLabels: NamespaceLabels;
}
