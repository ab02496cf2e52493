/**
 * The parts in which path provisioners differ: which claims they refuse, what volumes they create for the others, and what
 * they do on a node. Upstream: sig-storage-lib-external-provisioner controller/controller.go Provisioner, BlockProvisioner.
 */
import { compareText } from "../../api/go/text-order.ts";
import type { KubeObject, Ref } from "../../api/meta.ts";
import type { ObjectMeta, PersistentVolumeSpec } from "../../api/types.ts";
import type { ComponentContext } from "../../runtime/component.ts";
import type { Task } from "../../runtime/effects.ts";

/** A request for a volume. */
export interface PathRequest {
  readonly claim: KubeObject<"PersistentVolumeClaim">;
  readonly storageClass: KubeObject<"StorageClass">;
  /** The selected node; absent if there is none. */
  readonly node?: KubeObject<"Node">;
}

/** The fields of a volume that depend on the provisioner. */
export interface PathVolume {
  readonly metadata: Pick<ObjectMeta, "labels" | "annotations">;
  readonly spec: Pick<
    PersistentVolumeSpec,
    | "cephfs"
    | "flexVolume"
    | "glusterfs"
    | "hostPath"
    | "iscsi"
    | "local"
    | "nfs"
    | "rbd"
    | "nodeAffinity"
    | "mountOptions"
    | "volumeMode"
  >;
}

export interface PathVolumes {
  /** If false, claims with volumeMode Block are refused without an attempt. */
  readonly supportsBlock: boolean;
  /** Returns the object with its configuration, if known. */
  configuredBy?(): Ref | undefined;
  /** Returns why the provisioner does not run at all; undefined if it does. */
  outage?(): string | undefined;
  /** Returns the volume for the claim, or the provisioner's error. */
  plan(request: PathRequest): PathVolume | string;
  /** Creates the volume's directory on its node, or returns an error. Absent if no helper pod is needed. */
  makeDirectory?(
    context: ComponentContext,
    request: PathRequest,
    planned: PathVolume,
  ): Task<string | undefined>;
  /** Removes it again, or returns an error. */
  removeDirectory?(
    context: ComponentContext,
    volume: KubeObject<"PersistentVolume">,
  ): Task<string | undefined>;
}

export function volumeNameFor(claim: KubeObject<"PersistentVolumeClaim">): string {
  return `pvc-${claim.metadata.uid}`;
}

/** The node affinity that requires these labels. */
export function nodeAffinityTo(
  labels: Readonly<Record<string, string>>,
): NonNullable<PersistentVolumeSpec["nodeAffinity"]> {
  const matchExpressions = Object.entries(labels)
    .sort(([a], [b]) => compareText(a, b))
    .map(([key, value]) => ({ key, operator: "In", values: [value] }));
  return { required: { nodeSelectorTerms: [{ matchExpressions }] } };
}
