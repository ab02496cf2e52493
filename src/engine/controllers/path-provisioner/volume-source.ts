/**
 * Where each path provisioner puts its directories, and which claims it refuses.
 * Upstream: rancher/local-path-provisioner provisioner.go Provision; kubernetes/minikube pkg/storage/storage_provisioner.go;
 * nfs-subdir-external-provisioner cmd/nfs-subdir-external-provisioner/provisioner.go.
 */
import type { KubeObject } from "../../api/meta.ts";
import type { PersistentVolumeSpec } from "../../api/types.ts";
import type { PathProvisioner } from "../../scenario.ts";

type Claim = KubeObject<"PersistentVolumeClaim">;

/** Why the provisioner makes no volume for the claim; undefined where it makes one. */
export function refusal(
  provisioner: PathProvisioner,
  claim: Claim,
  node: string | undefined,
): string | undefined {
  switch (provisioner.type) {
    case "local-path":
      return localPathRefusal(claim, node);
    case "nfs-subdir":
      return claim.spec.selector === undefined ? undefined : "claim Selector is not supported";
    case "minikube-hostpath":
      return undefined;
  }
}

function localPathRefusal(claim: Claim, node: string | undefined): string | undefined {
  if (claim.spec.selector !== undefined) return "claim.Spec.Selector is not supported";
  const others = (claim.spec.accessModes ?? []).filter(
    (mode) => mode !== "ReadWriteOnce" && mode !== "ReadWriteOncePod",
  );
  if (others.length > 0)
    return "NodePath only supports ReadWriteOnce and ReadWriteOncePod (1.22+) access modes";
  return node === undefined ? "configuration error, no node was specified" : undefined;
}

/** local-path notes on the volume which node it is on. */
export function nodeOnVolume(
  provisioner: PathProvisioner,
  node: string | undefined,
): Readonly<Record<string, string>> {
  if (provisioner.type !== "local-path") return {};
  return { "local.path.provisioner/selected-node": node ?? "" };
}

type Source = Pick<PersistentVolumeSpec, "hostPath" | "nfs" | "nodeAffinity">;

/** The volume source, and where it can be reached from. */
export function volumeSource(
  provisioner: PathProvisioner,
  claim: Claim,
  storageClass: KubeObject<"StorageClass">,
  node: string | undefined,
): Source {
  const { uid, namespace = "default", name } = claim.metadata;
  const volume = `pvc-${uid}`;
  switch (provisioner.type) {
    case "local-path": {
      const path = `/opt/local-path-provisioner/${volume}_${namespace}_${name}`;
      return {
        hostPath: { path, type: "DirectoryOrCreate" },
        nodeAffinity: {
          required: {
            nodeSelectorTerms: [
              {
                matchExpressions: [
                  { key: "kubernetes.io/hostname", operator: "In", values: [node ?? ""] },
                ],
              },
            ],
          },
        },
      };
    }
    case "minikube-hostpath":
      return { hostPath: { path: `/tmp/hostpath-provisioner/${namespace}/${name}` } };
    case "nfs-subdir": {
      const pattern = storageClass.parameters?.["pathPattern"] ?? "";
      const folder =
        pattern === "" ? `${namespace}-${name}-${volume}` : fillPattern(pattern, claim);
      return { nfs: { server: "nfs-server", path: `/exports/${folder}` } };
    }
  }
}

/** `${.PVC.namespace}-${.PVC.annotations.team}` with the claim's values; what it lacks is empty. */
function fillPattern(pattern: string, { metadata }: Claim): string {
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
