/** Which attachments a volume has. No counterpart upstream: the attach-detach controller keeps its state by volume. */
import { push } from "../../api/go/multi-map.ts";
import { type KubeObject, refOf } from "../../api/meta.ts";
import { migratedField } from "../../matching/csi-migration.ts";
import { type AttachableVolume, attachableVolume } from "../../volume/attachable-volume.ts";
import { translatedInlineVolume } from "../../volume/csi-translation.ts";
import { attachmentName } from "../../volume/volume-names.ts";
import { claimNames } from "../pods-using.ts";
import { onceOf, type RunFacts } from "../run-facts.ts";
import type { Place } from "../verdict.ts";

type Attachment = KubeObject<"VolumeAttachment">;
type Pod = KubeObject<"Pod">;

/** A volume of an in-tree plugin in a pod's own spec, migrated to CSI: it has no PersistentVolume. */
export interface InlineUse {
  readonly pod: Pod;
  /** As Kubernetes names it in events: `ebs.csi.aws.com-vol-1`. */
  readonly volume: string;
  readonly at: Place;
}

/** The names that the attach-detach controller gives. It knows no other attachments: those stay until somebody deletes them. */
const controllersName = /^csi-[0-9a-f]{64}$/;

/** True if the attach-detach controller made the attachment, and so deletes it when no pod needs it. */
export function isOfController({ metadata }: Attachment): boolean {
  return controllersName.test(metadata.name);
}

/** True for finalizers that an external-attacher sets and removes. */
export function isOfAttacher(name: string): boolean {
  return name.startsWith("external-attacher/");
}

/** The attachments of a PersistentVolume, on all nodes. Those of inline volumes are not among them. */
export function attachmentsOf(facts: RunFacts, volume: string): readonly Attachment[] {
  return indexOf(facts).byVolume.get(volume) ?? [];
}

/** The named volume as the attach-detach controller and kubelets see it; undefined if it is not attachable. */
export function attachableOf(facts: RunFacts, name: string): AttachableVolume | undefined {
  const volume = facts.get("PersistentVolume", undefined, name);
  if (volume === undefined) return undefined;
  return attachableVolume(volume, (driver) => facts.get("CSIDriver", undefined, driver));
}

/** The pods on the attachment's node whose inline volume it attaches; empty if it attaches a PersistentVolume. */
export function inlineUses(facts: RunFacts, attachment: Attachment): readonly InlineUse[] {
  return indexOf(facts).inlineUses.get(attachment.metadata.name) ?? [];
}

/** The field of the pod's inline volume that events call by this name; undefined if the pod has none. */
export function inlinePlace(pod: Pod, volume: string): Place | undefined {
  const uses = inlineVolumes(pod, pod.spec.nodeName ?? "");
  return uses.find(({ use }) => use.volume === volume)?.use.at;
}

/** The attachments that a pod needs on its node: those of its claims' volumes, then those of its inline volumes. */
export function attachmentsFor(facts: RunFacts, pod: Pod, node: string): readonly Attachment[] {
  const { namespace } = pod.metadata;
  const volumes = claimNames(pod).flatMap(
    (name) => facts.get("PersistentVolumeClaim", namespace, name)?.spec.volumeName ?? [],
  );
  const ofClaims = [...new Set(volumes)]
    .flatMap((volume) => attachmentsOf(facts, volume))
    .filter(({ spec }) => spec.nodeName === node);
  const ofPod = inlineVolumes(pod, node).flatMap(
    ({ attachment }) => facts.get("VolumeAttachment", undefined, attachment) ?? [],
  );
  return [...ofClaims, ...new Set(ofPod)];
}

function inlineVolumes(
  pod: Pod,
  node: string,
): readonly { readonly attachment: string; readonly use: InlineUse }[] {
  return (pod.spec.volumes ?? []).flatMap((source, index) => {
    const field = migratedField(source);
    const volume = field === undefined ? undefined : translatedInlineVolume(pod, source);
    const csi = volume?.spec.csi;
    if (volume === undefined || csi === undefined) return [];
    const at = { ref: refOf(pod), field: `spec.volumes[${index}].${field}` };
    const attachment = attachmentName(csi.volumeHandle, csi.driver, node);
    return [{ attachment, use: { pod, volume: volume.metadata.name, at } }];
  });
}

interface AttachmentIndex {
  readonly byVolume: ReadonlyMap<string, readonly Attachment[]>;
  /** By the attachment's name. */
  readonly inlineUses: ReadonlyMap<string, readonly InlineUse[]>;
}

const indexOf = onceOf((facts): AttachmentIndex => {
  const byVolume = new Map<string, Attachment[]>();
  const uses = new Map<string, InlineUse[]>();
  for (const attachment of facts.list("VolumeAttachment")) {
    const { persistentVolumeName } = attachment.spec.source;
    if (persistentVolumeName !== undefined) push(byVolume, persistentVolumeName, attachment);
  }
  for (const pod of facts.list("Pod"))
    for (const { attachment, use } of inlineVolumes(pod, pod.spec.nodeName ?? ""))
      push(uses, attachment, use);
  return { byVolume, inlineUses: uses };
});
