/** Which attachments a volume has, with no counterpart upstream: the attach-detach controller keeps the state of the world by volume. */
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

/** A migrated volume in a pod's own spec, which has no object. */
export interface InlineUse {
  readonly pod: Pod;
  /** As Kubernetes names it in events: `ebs.csi.aws.com-vol-1`. */
  readonly volume: string;
  readonly at: Place;
}

/** How the attach-detach controller names its attachments; it knows of no others, which stay until somebody deletes them. */
const controllersName = /^csi-[0-9a-f]{64}$/;

/** Whether the attach-detach controller has made the attachment, and takes it back where nobody needs it. */
export function isOfController({ metadata }: Attachment): boolean {
  return controllersName.test(metadata.name);
}

/** Of a finalizer: whether an external-attacher has set it, and takes it away. */
export function isOfAttacher(name: string): boolean {
  return name.startsWith("external-attacher/");
}

/** The attachments of a volume, on all nodes; none for an inline volume, which has no object. */
export function attachmentsOf(facts: RunFacts, volume: string): readonly Attachment[] {
  return indexOf(facts).byVolume.get(volume) ?? [];
}

/** How the attach-detach controller and kubelets see the volume of that name; undefined where nothing is to be attached. */
export function attachableOf(facts: RunFacts, name: string): AttachableVolume | undefined {
  const volume = facts.get("PersistentVolume", undefined, name);
  if (volume === undefined) return undefined;
  return attachableVolume(volume, (driver) => facts.get("CSIDriver", undefined, driver));
}

/** The pods whose own volume an attachment is of, on its node; none where it is a PersistentVolume's. */
export function inlineUses(facts: RunFacts, attachment: Attachment): readonly InlineUse[] {
  return indexOf(facts).inlineUses.get(attachment.metadata.name) ?? [];
}

/** The field of the pod's own volume that Kubernetes gives this name in events; undefined where the pod has none. */
export function inlinePlace(pod: Pod, volume: string): Place | undefined {
  const uses = inlineVolumes(pod, pod.spec.nodeName ?? "");
  return uses.find(({ use }) => use.volume === volume)?.use.at;
}

/** The attachments that a pod needs on its node: of its claims' volumes, then of the volumes in its own spec. */
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
