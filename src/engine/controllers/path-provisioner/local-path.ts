/**
 * Directories of one node, by Rancher's local-path-provisioner (kind, k3s).
 * Upstream: rancher/local-path-provisioner provisioner.go provisionFor, createPersistentVolumeSource, deleteFor.
 * Not modelled: its ConfigMap (other paths, a shared file system, limits of size) and the class's nodePath and pathPattern.
 */
import type { KubeObject } from "../../api/meta.ts";
import type { ComponentContext } from "../../runtime/component.ts";
import { getLive, isNotFound, type Task } from "../../runtime/effects.ts";
import { nodeLabelsOf, runHelperPod } from "./helper-pod.ts";
import {
  hostnameLabel,
  nodeAffinityTo,
  type PathRequest,
  type PathVolume,
  type PathVolumes,
  volumeNameFor,
} from "./path-volumes.ts";

const root = "/opt/local-path-provisioner";

export const localPath: PathVolumes = {
  supportsBlock: false,
  refusal,
  volume,
  makeDirectory,
  removeDirectory,
};

function refusal({ claim, storageClass, node }: PathRequest): string | undefined {
  if (claim.spec.selector !== undefined) return "claim.Spec.Selector is not supported";
  const others = (claim.spec.accessModes ?? []).filter(
    (mode) => mode !== "ReadWriteOnce" && mode !== "ReadWriteOncePod",
  );
  if (others.length > 0)
    return "NodePath only supports ReadWriteOnce and ReadWriteOncePod (1.22+) access modes";
  if (node === undefined) return "configuration error, no node was specified";
  const type = volumeType(claim, storageClass);
  return ["local", "hostpath"].includes(type.toLowerCase())
    ? undefined
    : `failed to create persistent volume source: "${type}" is not a recognised volume type`;
}

function volumeType(
  claim: KubeObject<"PersistentVolumeClaim">,
  storageClass: KubeObject<"StorageClass">,
): string {
  return (
    claim.metadata.annotations?.["volumeType"] ??
    storageClass.metadata.annotations?.["defaultVolumeType"] ??
    "hostPath"
  );
}

function pathFor({ metadata }: KubeObject<"PersistentVolumeClaim">): string {
  return `${root}/pvc-${metadata.uid}_${metadata.namespace ?? "default"}_${metadata.name}`;
}

function volume({ claim, storageClass, node }: PathRequest): PathVolume {
  const path = pathFor(claim);
  const nodeName = node?.metadata.name ?? "";
  const hostname = node?.metadata.labels?.[hostnameLabel] ?? nodeName;
  return {
    metadata: { annotations: { "local.path.provisioner/selected-node": nodeName } },
    spec: {
      ...(volumeType(claim, storageClass).toLowerCase() === "local"
        ? { local: { path } }
        : { hostPath: { path, type: "DirectoryOrCreate" } }),
      nodeAffinity: nodeAffinityTo({ [hostnameLabel]: hostname }),
    },
  };
}

function* makeDirectory(
  context: ComponentContext,
  { claim, node }: PathRequest,
): Task<string | undefined> {
  const error = yield* runHelperPod(context, node?.metadata.name ?? "", ({ files }) =>
    files.makeDirectories(pathFor(claim), 0o777),
  );
  return error && `failed to create volume ${volumeNameFor(claim)}: ${error}`;
}

/** Of a node that is gone nothing is left to remove. */
function* removeDirectory(
  context: ComponentContext,
  volume: KubeObject<"PersistentVolume">,
): Task<string | undefined> {
  const node = nodeLabelsOf(volume)[hostnameLabel] ?? "";
  const found = yield* getLive("Node", undefined, node);
  if (!found.ok && isNotFound(found.error)) return undefined;
  const { hostPath, local } = volume.spec;
  const path = hostPath?.path ?? local?.path ?? "";
  const error = yield* runHelperPod(context, node, ({ files }) => files.remove(path));
  const failed = `failed to delete volume ${volume.metadata.name}`;
  return error && `${failed}: ${failed}: ${error}`;
}
