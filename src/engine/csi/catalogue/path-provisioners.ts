/** Provisioners that are no CSI drivers, by the name under which each is usually installed. */
import type { PathProvisioner } from "../../scenario.ts";

export const pathProvisionerTypes: Readonly<Record<string, PathProvisioner["type"]>> = {
  "rancher.io/local-path": "local-path",
  "k8s.io/minikube-hostpath": "minikube-hostpath",
  "k8s-sigs.io/nfs-subdir-external-provisioner": "nfs-subdir",
  "cluster.local/nfs-subdir-external-provisioner": "nfs-subdir",
  "openebs.io/local": "openebs-local",
};
