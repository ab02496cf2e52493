/**
 * From which nodes an in-tree cloud volume can be reached once its CSI driver serves it: the driver's own topology labels take
 * the place of the zone label, for vSphere of the region label too. Upstream: csi-translation-lib v0.36
 * plugins/in_tree_volume.go translateTopologyFromInTreeToCSI, aws_ebs.go, gce_pd.go, openstack_cinder.go, vsphere_volume.go
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

/** The driver's labels; a driver without one for regions leaves them the stable label. */
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

/** The volume with the affinity that its driver gives it; volumes of other kinds are returned as they are. */
export function withDriverTopology(volume: PersistentVolume): PersistentVolume {
  const drivers = driversLabels(volume);
  if (drivers === undefined) return volume;
  const terms = volume.spec.nodeAffinity?.required?.nodeSelectorTerms ?? [];
  const labels = volume.metadata.labels ?? {};
  const known = topologyLabels(terms, labels);
  // A disk of vSphere is in one zone and one region, whose names may hold anything.
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

/** The labels that place the volume, be they stable or old; its affinity says more than its own labels. Upstream: getTopologyLabel. */
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

/** An expression that only asks whether there is such a label places the volume nowhere. Upstream: getTopologyValues. */
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

/** Every term also asks for one of the zones or regions. Upstream: addTopology. */
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
