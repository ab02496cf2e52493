/** Provisioners that are not CSI drivers, by the name under which each is usually installed. */
import type { PathProvisioner } from "../../scenario.ts";

export const pathProvisionerTypes: ReadonlyMap<string, PathProvisioner["type"]> = new Map([
  ["rancher.io/local-path", "local-path"],
  ["cluster.local/local-path-provisioner", "local-path"],
  ["k8s.io/minikube-hostpath", "minikube-hostpath"],
  ["k8s-sigs.io/nfs-subdir-external-provisioner", "nfs-subdir"],
  ["cluster.local/nfs-subdir-external-provisioner", "nfs-subdir"],
  ["openebs.io/local", "openebs-local"],
]);

/**
 * Keys that they read from StorageClass.parameters, case-sensitive; they ignore all others.
 * Upstream: rancher/local-path-provisioner provisioner.go; nfs-subdir-external-provisioner cmd/…/provisioner.go Provision,
 * Delete.
 */
export const pathProvisionerParameters: Readonly<
  Record<PathProvisioner["type"], readonly string[]>
> = {
  "local-path": [
    "nodePath",
    "pathPattern",
    "nodeAffinityKey",
    "userPattern",
    "groupPattern",
    "permPattern",
  ],
  "nfs-subdir": ["pathPattern", "onDelete", "archiveOnDelete"],
  "minikube-hostpath": [],
  "openebs-local": [],
};

/** The ConfigMap of local-path: manifests, chart, kind and k3s all use this name, each in its own namespace. */
export const localPathConfigMap = "local-path-config";
/** The key of that ConfigMap that holds the configuration. */
export const localPathConfigFile = "config.json";
