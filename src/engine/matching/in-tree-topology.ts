/**
 * Node affinity of in-tree cloud volumes once their CSI drivers serve them: the driver's own topology labels replace the zone
 * label, for vSphere the region label too. Upstream: csi-translation-lib v0.36 plugins/in_tree_volume.go
 * translateTopologyFromInTreeToCSI, aws_ebs.go, gce_pd.go, openstack_cinder.go, vsphere_volume.go
 * translateTopologyFromInTreevSphereToCSI.
 */

import { compareText } from "../api/go/text-order.ts";
import type { NodeSelectorRequirement, NodeSelectorTerm, PersistentVolume } from "../api/types.ts";
import {
  betaRegionLabel,
  betaZoneLabel,
  regionLabel,
  zoneLabel,
} from "../api/well-known-labels.ts";

interface TopologyLabels {
  readonly zone: string;
  readonly region: string;
}

const stable: TopologyLabels = {
  zone: zoneLabel,
  region: regionLabel,
};
const beta: TopologyLabels = {
  zone: betaZoneLabel,
  region: betaRegionLabel,
};

/** Returns the driver's labels. Drivers without a region label of their own use the stable one. */
function driversLabels({ spec }: PersistentVolume): TopologyLabels | undefined {
  const { region } = stable;
  if (spec.awsElasticBlockStore !== undefined) {
    return { zone: "topology.ebs.csi.aws.com/zone", region };
  }
  if (spec.gcePersistentDisk !== undefined) return { zone: "topology.gke.io/zone", region };
  if (spec.cinder !== undefined) return { zone: "topology.cinder.csi.openstack.org/zone", region };
  if (spec.vsphereVolume !== undefined) {
    return { zone: "topology.csi.vmware.com/zone", region: "topology.csi.vmware.com/region" };
  }
  return undefined;
}

/** Returns the volume with its driver's node affinity; volumes of other kinds unchanged. */
export function withDriverTopology(volume: PersistentVolume): PersistentVolume {
  const drivers = driversLabels(volume);
  if (drivers === undefined) return volume;
  const terms = volume.spec.nodeAffinity?.required?.nodeSelectorTerms ?? [];
  const labels = volume.metadata.labels ?? {};
  const known = topologyLabels(terms, labels);
  // A vSphere disk is in one zone and one region, and their names may contain `__`.
  const isSingle = volume.spec.vsphereVolume !== undefined;
  const namesIn = (label: string): readonly string[] => (isSingle ? [label] : label.split("__"));
  const zoned = terms.some((term) => namesValues(term, known.zone))
    ? renamed(terms, known.zone, drivers.zone)
    : withNames(terms, drivers.zone, namesIn(labels[known.zone] ?? ""));
  const isRegional = isSingle && !zoned.some((term) => namesValues(term, known.region));
  const nodeSelectorTerms = isRegional
    ? withNames(zoned, drivers.region, namesIn(labels[known.region] ?? ""))
    : renamed(zoned, known.region, drivers.region);
  if (nodeSelectorTerms === terms) return volume;
  return { ...volume, spec: { ...volume.spec, nodeAffinity: { required: { nodeSelectorTerms } } } };
}

/**
 * Returns the stable or beta labels, whichever the volume uses; its node affinity takes precedence over its labels. Upstream:
 * getTopologyLabel.
 */
function topologyLabels(
  terms: readonly NodeSelectorTerm[],
  labels: Readonly<Record<string, string>>,
): TopologyLabels {
  for (const known of [stable, beta]) {
    if (terms.some((term) => hasKey(term, known.zone))) return known;
  }
  return labels[stable.zone] === undefined && labels[beta.zone] !== undefined ? beta : stable;
}

function hasKey({ matchExpressions = [] }: NodeSelectorTerm, key: string): boolean {
  return matchExpressions.some((expression) => expression.key === key);
}

/** True if a term names values for the key; an Exists expression does not count. Upstream: getTopologyValues. */
function namesValues({ matchExpressions = [] }: NodeSelectorTerm, key: string): boolean {
  return matchExpressions.some((e) => e.key === key && (e.values ?? []).length > 0);
}

function renamed(
  terms: readonly NodeSelectorTerm[],
  from: string,
  to: string,
): readonly NodeSelectorTerm[] {
  if (from === to || !terms.some((term) => namesValues(term, from))) return terms;
  const rename = (expression: NodeSelectorRequirement): NodeSelectorRequirement =>
    expression.key === from ? { ...expression, key: to } : expression;
  return terms.map((term) => ({
    ...term,
    ...(term.matchExpressions !== undefined && {
      matchExpressions: term.matchExpressions.map(rename),
    }),
  }));
}

/** Adds to every term the requirement of one of these zones or regions. Upstream: addTopology. */
function withNames(
  terms: readonly NodeSelectorTerm[],
  key: string,
  names: readonly string[],
): readonly NodeSelectorTerm[] {
  const given = names.map((name) => name.trim()).filter((name) => name !== "");
  const values = [...new Set(given)].sort(compareText);
  if (values.length === 0) return terms;
  const place: NodeSelectorRequirement = { key, operator: "In", values };
  return (terms.length === 0 ? [{}] : terms).map((term: NodeSelectorTerm) => ({
    ...term,
    matchExpressions: [...(term.matchExpressions ?? []), place],
  }));
}
