/**
 * OpenEBS's provisioner of local host paths: directories of one node.
 * Upstream: openebs/dynamic-localpv-provisioner cmd/provisioner-localpv/app/provisioner.go Provision, Delete;
 * provisioner_hostpath.go ProvisionHostPath, DeleteHostPath. Not modeled: quotas of XFS and ext4.
 */

import { withoutEndSlashes } from "../../api/go/file-path.ts";
import { goPrint } from "../../api/go/text.ts";
import type { KubeObject } from "../../api/meta.ts";
import { hostnameLabel } from "../../api/well-known-labels.ts";
import type { ComponentContext } from "../../runtime/component.ts";
import { listLive, type Task } from "../../runtime/effects.ts";
import { nodeLabelsOf, runHelperPod } from "./helper-pod.ts";
import { openEbsConfig } from "./openebs-config.ts";
import {
  nodeAffinityTo,
  type PathRequest,
  type PathVolume,
  type PathVolumes,
  volumeNameFor,
} from "./path-volumes.ts";

export const openEbsLocal: PathVolumes = {
  supportsBlock: true,
  plan: (request) => refusal(request) ?? volume(request),
  makeDirectory,
  removeDirectory,
};

function refusal({ claim, storageClass, node }: PathRequest): string | undefined {
  const { dataSource, selector, accessModes = [], volumeMode } = claim.spec;
  if (dataSource !== undefined) return sourceRefusal(dataSource);
  if (selector !== undefined) return "claim.Spec.Selector is not supported";
  if (accessModes.some((mode) => mode !== "ReadWriteOnce"))
    return "Only support ReadWriteOnce access mode";
  if (node === undefined) return "configuration error, no node was specified";
  if ((node.metadata.labels?.[hostnameLabel] ?? "") === "")
    return `configuration error, node{${node.metadata.name}} hostname is empty`;
  const { storageType } = openEbsConfig(storageClass, claim);
  if (volumeMode === "Block" && storageType !== "device")
    return `PV with BlockMode is not supported with StorageType ${storageType}`;
  return storageType === "hostpath"
    ? undefined
    : `PV with StorageType ${storageType} is not supported`;
}

function sourceRefusal({
  apiGroup = "",
  kind,
}: NonNullable<KubeObject<"PersistentVolumeClaim">["spec"]["dataSource"]>): string {
  return kind === "PersistentVolumeClaim"
    ? "clone feature not supported by this provisioner"
    : `datasource \`${kind}\` of group \`${apiGroup}\` is not handled by the provisioner`;
}

function pathFor({ claim, storageClass }: PathRequest): string {
  const { basePath } = openEbsConfig(storageClass, claim);
  return `${withoutEndSlashes(basePath)}/${volumeNameFor(claim)}`;
}

function volume(request: PathRequest): PathVolume {
  const labels = request.node?.metadata.labels ?? {};
  const { nodeAffinityLabels } = openEbsConfig(request.storageClass, request.claim);
  return {
    metadata: { labels: { "openebs.io/cas-type": "local-hostpath" } },
    spec: {
      local: { path: pathFor(request), fsType: "" },
      nodeAffinity: nodeAffinityTo(
        Object.fromEntries(nodeAffinityLabels.map((key) => [key, labels[key] ?? ""])),
      ),
    },
  };
}

function makeDirectory(context: ComponentContext, request: PathRequest): Task<string | undefined> {
  return runHelperPod(context, {
    node: request.node?.metadata.name ?? "",
    act: ({ files }) => files.makeDirectories(pathFor(request), 0o777),
  });
}

/** Finds the node by the labels in the volume's nodeAffinity; exactly one node must have them. */
function* removeDirectory(
  context: ComponentContext,
  volume: KubeObject<"PersistentVolume">,
): Task<string | undefined> {
  const name = volume.metadata.name;
  const failed = `failed to delete volume ${name}`;
  const labels = nodeLabelsOf(volume);
  const nodes = (yield* listLive("Node")).filter(({ metadata }) =>
    Object.entries(labels).every(([key, value]) => metadata.labels?.[key] === value),
  );
  const [node] = nodes;
  const asked = `Node Labels {${goPrint(labels)}}`;
  if (node === undefined) return `${failed}: ${failed}: Unable to get the Node with the ${asked}`;
  if (nodes.length > 1)
    return `${failed}: ${failed}: Unable to determine the Node. Found multiple nodes matching the ${asked.replace("Node Labels", "labels")}`;
  const error = yield* runHelperPod(context, {
    node: node.metadata.name,
    act: ({ files }) => files.remove(volume.spec.local?.path ?? ""),
  });
  return error && `${failed}: ${failed}: clean up volume ${name} failed: ${error}`;
}
