/**
 * From which nodes an in-tree cloud volume can be reached once its CSI driver serves it: the driver's own topology label takes
 * the zone label's place. Upstream: csi-translation-lib v0.36 plugins/in_tree_volume.go translateTopologyFromInTreeToCSI,
 * aws_ebs.go, gce_pd.go, openstack_cinder.go. Every node's CSINode says that these plugins have moved. Not modelled: the same
 * for vSphere.
 */
import type { NodeSelectorRequirement, NodeSelectorTerm, PersistentVolume } from "../api/types.ts";

const zoneLabel = "topology.kubernetes.io/zone";
const betaZoneLabel = "failure-domain.beta.kubernetes.io/zone";
const regionLabel = "topology.kubernetes.io/region";
const betaRegionLabel = "failure-domain.beta.kubernetes.io/region";

function driversLabel({ spec }: PersistentVolume): string | undefined {
  if (spec.awsElasticBlockStore !== undefined) return "topology.ebs.csi.aws.com/zone";
  if (spec.gcePersistentDisk !== undefined) return "topology.gke.io/zone";
  if (spec.cinder !== undefined) return "topology.cinder.csi.openstack.org/zone";
  return undefined;
}

/** The volume with the affinity that its driver gives it; volumes of other kinds are returned as they are. */
export function withDriverTopology(volume: PersistentVolume): PersistentVolume {
  const key = driversLabel(volume);
  if (key === undefined) return volume;
  const terms = volume.spec.nodeAffinity?.required?.nodeSelectorTerms ?? [];
  const isBeta = !names(volume, terms, zoneLabel) && names(volume, terms, betaZoneLabel);
  const zone = isBeta ? betaZoneLabel : zoneLabel;
  const translated = terms.some((term) => hasKey(term, zone))
    ? renamed(terms, zone, key)
    : withZones(terms, key, volume.metadata.labels?.[zone] ?? "");
  const nodeSelectorTerms = isBeta ? renamed(translated, betaRegionLabel, regionLabel) : translated;
  if (nodeSelectorTerms === terms) return volume;
  return { ...volume, spec: { ...volume.spec, nodeAffinity: { required: { nodeSelectorTerms } } } };
}

function names(volume: PersistentVolume, terms: readonly NodeSelectorTerm[], key: string): boolean {
  return terms.some((term) => hasKey(term, key)) || volume.metadata.labels?.[key] !== undefined;
}

function hasKey({ matchExpressions = [] }: NodeSelectorTerm, key: string): boolean {
  return matchExpressions.some((expression) => expression.key === key);
}

function renamed(
  terms: readonly NodeSelectorTerm[],
  from: string,
  to: string,
): readonly NodeSelectorTerm[] {
  if (!terms.some((term) => hasKey(term, from))) return terms;
  const rename = (expression: NodeSelectorRequirement): NodeSelectorRequirement =>
    expression.key === from ? { ...expression, key: to } : expression;
  return terms.map((term) => ({
    ...term,
    ...(term.matchExpressions !== undefined && {
      matchExpressions: term.matchExpressions.map(rename),
    }),
  }));
}

/** Every term also asks for one of the zones, which a label lists with `__` in between. */
function withZones(
  terms: readonly NodeSelectorTerm[],
  key: string,
  label: string,
): readonly NodeSelectorTerm[] {
  const values = label
    .split("__")
    .map((zone) => zone.trim())
    .filter((zone) => zone !== "");
  if (values.length === 0) return terms;
  const zone: NodeSelectorRequirement = { key, operator: "In", values };
  return (terms.length === 0 ? [{}] : terms).map((term: NodeSelectorTerm) => ({
    ...term,
    matchExpressions: [...(term.matchExpressions ?? []), zone],
  }));
}
