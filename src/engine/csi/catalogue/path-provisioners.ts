/** Provisioners that are not CSI drivers, by the name under which each is usually installed. */
import { isCsiDriverName } from "../../api/validation/csi.ts";
import type { PathProvisioner } from "../../scenario.ts";
import { flexProvisioners } from "./other-volumes.ts";

type ProvisionerType = PathProvisioner["type"];

const types: ReadonlyMap<string, ProvisionerType> = new Map([
  ["ceph.com/cephfs", "ceph-fs"],
  ["ceph.com/rbd", "ceph-rbd"],
  ["rancher.io/local-path", "local-path"],
  ["cluster.local/local-path-provisioner", "local-path"],
  ["docker.io/hostpath", "docker-hostpath"],
  ["microk8s.io/hostpath", "microk8s-hostpath"],
  ["k8s.canonical.com/hostpath", "microk8s-hostpath"],
  ["k8s.io/minikube-hostpath", "minikube-hostpath"],
  ["k8s-sigs.io/nfs-subdir-external-provisioner", "nfs-subdir"],
  // Used in the manifests of its predecessor, nfs-client-provisioner.
  ["fuseim.pri/ifs", "nfs-subdir"],
  ["ibm.io/ibmc-file", "nfs-subdir"],
  ["gluster.org/glusterblock", "iscsi"],
  ["gluster.org/glusterfile", "gluster-fs"],
  ["openebs.io/local", "openebs-local"],
  ["openebs.io/provisioner-iscsi", "iscsi"],
  ...flexProvisioners.map((name): [string, ProvisionerType] => [name, "flex-volume"]),
]);

export const pathProvisionerNames: readonly string[] = [...types.keys()];

/** Names given by the charts of the provisioner and its predecessor, which contain the release's name. */
const nfsOfRelease = /^cluster\.local\/(?:.+-)?nfs-(?:subdir-external|client)-provisioner$/;

/** OpenShift's installer adds the namespace. */
const glusterBlockOfNamespace = /^gluster\.org\/glusterblock-.+$/;

/**
 * Names that somebody has given to a provisioner of NFS shares, such as `example.com/nfs`, `nfs-client` and `aws-efs`. CSI
 * drivers are named like domains.
 */
const meansNfs = /^(?=[^.]*$|.*\/)(?!.*csi).*(?<![a-z0-9])(?:nfs|efs)(?![a-z0-9])/;

/** True if the name says that its volumes are NFS shares, and is none that a CSI driver has. */
export function isNfsByName(name: string): boolean {
  return meansNfs.test(name);
}

/** Returns undefined for CSI drivers, and for provisioners that are not described here. */
export function pathProvisionerType(name: string): ProvisionerType | undefined {
  const type = types.get(name);
  if (type !== undefined) return type;
  if (nfsOfRelease.test(name)) return "nfs-subdir";
  return glusterBlockOfNamespace.test(name) ? "iscsi" : undefined;
}

/** False for names that the API server refuses for a CSI driver, such as those with a slash or an underscore. */
export function mayBeCsi(name: string): boolean {
  return isCsiDriverName(name) && pathProvisionerType(name) === undefined;
}

/**
 * Keys that they read from StorageClass.parameters, case-sensitive; they ignore all others. Those for Ceph do neither.
 * Upstream: rancher/local-path-provisioner provisioner.go; nfs-subdir-external-provisioner cmd/…/provisioner.go Provision,
 * Delete.
 */
export const pathProvisionerParameters: Readonly<
  Partial<Record<ProvisionerType, readonly string[]>>
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
  "docker-hostpath": [],
  "microk8s-hostpath": ["pvDir"],
  "minikube-hostpath": [],
  "openebs-local": [],
};

/** The ConfigMap of local-path: manifests, chart, kind and k3s all use this name, each in its own namespace. */
export const localPathConfigMap = "local-path-config";
/** The key of that ConfigMap that holds the configuration. */
export const localPathConfigFile = "config.json";
