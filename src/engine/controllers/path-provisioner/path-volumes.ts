/**
 * What path provisioners differ in: which claims each refuses, what volume it makes of the others, and what has to happen on
 * a node for it. Upstream: sig-storage-lib-external-provisioner controller/controller.go Provisioner, BlockProvisioner.
 */
import { compareText } from "../../api/go/text-order.ts";
import type { KubeObject, Ref } from "../../api/meta.ts";
import type { ObjectMeta, PersistentVolumeSpec } from "../../api/types.ts";
import type { ComponentContext } from "../../runtime/component.ts";
import type { Task } from "../../runtime/effects.ts";

/** What a volume is asked for with. */
export interface PathRequest {
  readonly claim: KubeObject<"PersistentVolumeClaim">;
  readonly storageClass: KubeObject<"StorageClass">;
  /** Where the scheduler wants it; absent where nobody has said. */
  readonly node?: KubeObject<"Node">;
}

/** What a volume has beside what each volume of a claim has. */
export interface PathVolume {
  readonly metadata: Pick<ObjectMeta, "labels" | "annotations">;
  readonly spec: Pick<
    PersistentVolumeSpec,
    "hostPath" | "local" | "nfs" | "nodeAffinity" | "mountOptions"
  >;
}

export interface PathVolumes {
  /** False where block claims are refused without an attempt. */
  readonly supportsBlock: boolean;
  /** The object that it is configured by; absent where none is, or nobody knows which. */
  configuredBy?(): Ref | undefined;
  /** Why it does not run, and so does nothing for anybody. */
  outage?(): string | undefined;
  /** The volume that is made of the claim, or in the provisioner's words why none is. */
  plan(request: PathRequest): PathVolume | string;
  /** Makes a volume's directory on its node; answers what went wrong. Absent where no pod is needed for it. */
  makeDirectory?(
    context: ComponentContext,
    request: PathRequest,
    planned: PathVolume,
  ): Task<string | undefined>;
  /** Removes it again. */
  removeDirectory?(
    context: ComponentContext,
    volume: KubeObject<"PersistentVolume">,
  ): Task<string | undefined>;
}

export function volumeNameFor(claim: KubeObject<"PersistentVolumeClaim">): string {
  return `pvc-${claim.metadata.uid}`;
}

/** A volume that is only where a node has these labels. */
export function nodeAffinityTo(
  labels: Readonly<Record<string, string>>,
): NonNullable<PersistentVolumeSpec["nodeAffinity"]> {
  const matchExpressions = Object.entries(labels)
    .sort(([a], [b]) => compareText(a, b))
    .map(([key, value]) => ({ key, operator: "In", values: [value] }));
  return { required: { nodeSelectorTerms: [{ matchExpressions }] } };
}
