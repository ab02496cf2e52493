/**
 * Directories of one node, created by pods: the provisioner of MicroK8s and of Canonical Kubernetes.
 * Upstream: canonical/hostpath-provisioner hostpath-provisioner.go Provision, runOnNode, Delete. Not modeled: that failures
 * are retried every 15 seconds, which only a helper pod that fails could show.
 */
import { joinFilePath } from "../../api/go/file-path.ts";
import { hostnameLabel } from "../../api/well-known-labels.ts";
import type { ComponentContext } from "../../runtime/component.ts";
import type { PathProvisioner } from "../../scenario.ts";
import { nodeLabelsOf, runHelperPod } from "./helper-pod.ts";
import {
  nodeAffinityTo,
  type PathRequest,
  type PathVolume,
  type PathVolumes,
  volumeNameFor,
} from "./path-volumes.ts";

/** Upstream: runOnNode looks at its pod a hundred times, every five seconds, and goes on whether or not the pod has ended. */
const timing = { pollSeconds: 5, timeoutSeconds: 500 };

export function microk8sHostPath(
  context: ComponentContext,
  { path = "/var/snap/microk8s/common/default-storage" }: PathProvisioner,
): PathVolumes {
  return {
    supportsBlock: false,
    plan: (request) => plan(context, path, request),
    *makeDirectory(_context, _request, volume) {
      const directory = volume.spec.hostPath?.path ?? "";
      yield* runHelperPod(context, {
        ...timing,
        node: nodeOf(volume),
        act: ({ files }) => files.makeDirectories(directory, 0o777),
      });
      return undefined;
    },
    *removeDirectory(_context, volume) {
      const node = nodeOf(volume);
      if (node === "") return undefined;
      const directory = volume.spec.hostPath?.path ?? "";
      yield* runHelperPod(context, {
        ...timing,
        node,
        act: ({ files }) => files.remove(directory),
      });
      return undefined;
    },
  };
}

/** If no node is selected, the scheduler places the helper pod: on the first node here, for all suit it. */
function plan(
  { machines }: ComponentContext,
  usualPath: string,
  { claim, storageClass, node }: PathRequest,
): PathVolume {
  const { namespace = "default", name } = claim.metadata;
  const base = storageClass.parameters?.["pvDir"] ?? usualPath;
  const place = node?.metadata.name ?? machines.find(({ kubeletUp }) => kubeletUp)?.name ?? "";
  return {
    metadata: { annotations: { hostPathProvisionerIdentity: machines[0]?.name ?? "" } },
    spec: {
      hostPath: {
        path: joinFilePath(base, `${namespace}-${name}-${volumeNameFor(claim)}`),
        type: "DirectoryOrCreate",
      },
      nodeAffinity: nodeAffinityTo({ [hostnameLabel]: place }),
    },
  };
}

/** The node that the volume's nodeAffinity names; "" if it names none. */
function nodeOf(volume: Pick<PathVolume, "spec">): string {
  return nodeLabelsOf(volume)[hostnameLabel] ?? "";
}
