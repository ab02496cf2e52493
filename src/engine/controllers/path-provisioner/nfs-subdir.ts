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

/** Fills the claim's values into `${.PVC.namespace}-${.PVC.annotations.team}`; missing ones are empty. */
function fillPattern(pattern: string, { metadata }: KubeObject<"PersistentVolumeClaim">): string {
  const filled = (_: string, map: string | undefined, key: string, field: string): string => {
    if (map === "labels") return metadata.labels?.[key] ?? "";
    if (map === "annotations") return metadata.annotations?.[key] ?? "";
    if (field === "name") return metadata.name;
    return field === "namespace" ? (metadata.namespace ?? "") : "";
  };
  return pattern
    .split("\n")
    .map((line) => {
      // No reference ends after the last brace, so the slow search stops there.
      const end = line.lastIndexOf("}") + 1;
      return line.slice(0, end).replace(reference, filled) + line.slice(end);
    })
    .join("\n");
}

const reference = /\$\{\.PVC\.(?:(labels|annotations)\.([^}]*)|([^}]*))\}/g;
