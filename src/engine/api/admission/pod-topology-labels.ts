/**
 * A pod gets the zone and the region label of its node when it is bound, or created with a node (1.35 and newer). Upstream:
 * plugin/pkg/admission/podtopologylabels v1.36, with the gate PodTopologyLabelsAdmission.
 */
import type { KubernetesVersion } from "../../scenario.ts";
import { labelsPodsWithTopology } from "../../version-differences.ts";
import type { ClusterView } from "../request-context.ts";
import { regionLabel, zoneLabel } from "../well-known-labels.ts";

const topologyLabels = [zoneLabel, regionLabel];

type Labels = Readonly<Record<string, string>>;

/** `labels` with those of the node, which override the pod's own; `labels` itself if there is nothing to add. */
export function withTopologyLabels(
  labels: Labels | undefined,
  node: string,
  cluster: ClusterView,
  version: KubernetesVersion,
): Labels | undefined {
  if (!labelsPodsWithTopology(version)) return labels;
  const found = cluster.get("Node", undefined, node)?.metadata.labels ?? {};
  const taken: Record<string, string> = {};
  for (const key of topologyLabels) {
    const value = found[key];
    if (value !== undefined) taken[key] = value;
  }
  return Object.keys(taken).length > 0 ? { ...labels, ...taken } : labels;
}
