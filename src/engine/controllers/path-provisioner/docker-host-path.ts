/**
 * Directories on Docker Desktop's machine. Its provisioner is not public; the paths and the annotation are those of volumes
 * that `kubectl describe pv` shows there.
 */
import { type PathVolumes, volumeNameFor } from "./path-volumes.ts";

export const dockerHostPath: PathVolumes = {
  supportsBlock: false,
  plan: ({ claim }) => {
    const path = `/var/lib/k8s-pvs/${claim.metadata.name}/${volumeNameFor(claim)}`;
    return {
      metadata: { annotations: { "docker.io/hostpath": path } },
      spec: { hostPath: { path } },
    };
  },
};
