/** Directories on minikube's machine. Upstream: kubernetes/minikube pkg/storage/storage_provisioner.go Provision. */
import type { PathVolumes } from "./path-volumes.ts";

export const minikubeHostPath: PathVolumes = {
  supportsBlock: false,
  plan: ({ claim: { metadata } }) => ({
    metadata: {},
    spec: {
      hostPath: {
        path: `/tmp/hostpath-provisioner/${metadata.namespace ?? "default"}/${metadata.name}`,
      },
    },
  }),
};
