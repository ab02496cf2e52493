/**
 * Directories of one NFS export. Upstream: kubernetes-sigs/nfs-subdir-external-provisioner
 * cmd/nfs-subdir-external-provisioner/provisioner.go Provision.
 */
import type { KubeObject } from "../../api/meta.ts";
import {
  type PathRequest,
  type PathVolume,
  type PathVolumes,
  volumeNameFor,
} from "./path-volumes.ts";

export const nfsSubdir: PathVolumes = {
  supportsBlock: false,
  plan: (request) =>
    request.claim.spec.selector === undefined ? volume(request) : "claim Selector is not supported",
};

function volume({ claim, storageClass }: PathRequest): PathVolume {
  const { namespace = "default", name } = claim.metadata;
  const pattern = storageClass.parameters?.["pathPattern"] ?? "";
  const folder =
    pattern === "" ? `${namespace}-${name}-${volumeNameFor(claim)}` : fillPattern(pattern, claim);
  const { mountOptions } = storageClass;
  return {
    metadata: {},
    spec: {
      nfs: { server: "nfs-server", path: `/exports/${folder}` },
      ...(mountOptions !== undefined && { mountOptions }),
    },
  };
}

/** `${.PVC.namespace}-${.PVC.annotations.team}` with the claim's values; what it lacks is empty. */
function fillPattern(pattern: string, { metadata }: KubeObject<"PersistentVolumeClaim">): string {
  return pattern.replace(
    /\$\{\.PVC\.(?:(labels|annotations)\.(.*?)|(.*?))\}/g,
    (_, map: string | undefined, key: string, field: string) => {
      if (map === "labels") return metadata.labels?.[key] ?? "";
      if (map === "annotations") return metadata.annotations?.[key] ?? "";
      return field === "name"
        ? metadata.name
        : field === "namespace"
          ? (metadata.namespace ?? "")
          : "";
    },
  );
}
