/**
 * The names shown for the rules that volumes and nodes are checked against: the deciding field, as the API spells it, or a
 * short phrase; for filters of the scheduler with the plugin's name.
 */

const words: Readonly<Record<string, string>> = {
  // Volumes. Upstream: component-helpers storage/volume FindMatchingVolume, CheckVolumeModeMismatches and others.
  "access-modes": "accessModes",
  capacity: "capacity",
  "claim-ref": "claimRef",
  "delayed-binding": "WaitForFirstConsumer",
  deletion: "not being deleted",
  "equal-volume-first": "first of equal volumes",
  "fewer-access-modes-first": "fewer access modes come first",
  "node-affinity": "nodeAffinity",
  phase: "phase",
  "reserved-volume-first": "reserved volumes come first",
  selector: "selector",
  "smaller-volume-first": "smaller volumes come first",
  "storage-class": "storageClassName",
  "taken-by-same-pod": "a volume for each claim",
  "volume-attributes-class": "volumeAttributesClassName",
  "volume-mode": "volumeMode",
  // Nodes. Upstream: kube-scheduler pkg/scheduler/framework/plugins/names.
  "claim-bound": "claim bound (VolumeBinding)",
  "claim-exists": "claim exists (VolumeRestrictions)",
  "claim-usable": "claim usable (VolumeBinding)",
  "disk-free": "disk in use (VolumeRestrictions)",
  "existing-pod-anti-affinity": "podAntiAffinity of other pods (InterPodAffinity)",
  "host-port": "hostPort (NodePorts)",
  "node-name": "nodeName (NodeName)",
  "node-order": "first of equal nodes",
  "node-resources": "resources (NodeResourcesFit)",
  "node-schedulable": "cordoned (NodeUnschedulable)",
  "node-score": "node with the highest score",
  "node-selector": "node selector (NodeAffinity)",
  "pod-affinity": "podAffinity (InterPodAffinity)",
  "pod-anti-affinity": "podAntiAffinity (InterPodAffinity)",
  "read-write-once-pod": "ReadWriteOncePod (VolumeRestrictions)",
  "storage-capacity": "CSIStorageCapacity (VolumeBinding)",
  taint: "taints",
  "taint-toleration": "taints (TaintToleration)",
  "topology-label": "topologyKey (PodTopologySpread)",
  "topology-spread": "maxSkew (PodTopologySpread)",
  "volume-exists": "volume exists (VolumeBinding)",
  "volume-limit": "volume limit (NodeVolumeLimits)",
  "volume-node-affinity": "volume's nodeAffinity (VolumeBinding)",
  "volume-to-bind": "volume to bind (VolumeBinding)",
  "volume-zone": "volume's zone (VolumeZone)",
};

/** A rule without an entry is a whole scheduler plugin: its id in kebab case becomes the plugin's name. */
export function ruleWords(rule: string): string {
  return (
    words[rule] ?? rule.replace(/(?:^|-)([a-z])/g, (_, letter: string) => letter.toUpperCase())
  );
}
