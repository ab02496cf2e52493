/**
 * Reconciles the attached volumes in Nodes' status with the saved VolumeAttachments. If pods were saved, missing attachments
 * are assumed; without pods nobody needs them, so the Nodes stop reporting them. Kubelets would otherwise wait for attachments
 * that do not exist. Upstream: nothing; an API server has everything.
 */
import type { KubeObject } from "../api/meta.ts";
import { attacherFinalizer } from "../controllers/external-attacher/attachment-sync.ts";
import { csiOfUniqueName } from "../volume/attachable-volume.ts";
import { translatedVolume } from "../volume/csi-translation.ts";
import { attachmentName, csiVolumeName } from "../volume/volume-names.ts";

/** Returns the objects, with Nodes that report only attached volumes. Calls `assume` for each VolumeAttachment to add. */
export function withAttachments(
  objects: readonly KubeObject[],
  assume: (name: string, rest: object) => void,
): readonly KubeObject[] {
  const hasPods = objects.some(({ kind }) => kind === "Pod");
  const saved = new Set<string>();
  const volumes = new Map<string, string>();
  for (const object of objects) {
    if (object.kind === "VolumeAttachment") saved.add(object.metadata.name);
    const csi = object.kind === "PersistentVolume" ? translatedVolume(object).spec.csi : undefined;
    if (csi !== undefined)
      volumes.set(csiVolumeName(csi.driver, csi.volumeHandle), object.metadata.name);
  }
  /** True if the volume is attached to the node by a saved or an assumed VolumeAttachment. */
  const isAttached = (uniqueName: string, nodeName: string): boolean => {
    const csi = csiOfUniqueName(uniqueName);
    if (csi === undefined) return true;
    const { driver, handle } = csi;
    const name = attachmentName(handle, driver, nodeName);
    if (saved.has(name)) return true;
    const persistentVolumeName = volumes.get(csiVolumeName(driver, handle));
    if (!hasPods || persistentVolumeName === undefined) return false;
    assume(name, {
      // Makes the attacher detach the volume before the attachment is removed.
      metadata: { finalizers: [attacherFinalizer(driver)] },
      spec: { attacher: driver, nodeName, source: { persistentVolumeName } },
      status: { attached: true },
    });
    return true;
  };
  return objects.map((object) => {
    if (object.kind !== "Node" || object.status === undefined) return object;
    const { volumesAttached = [], volumesInUse = [] } = object.status;
    const { name: node } = object.metadata;
    const attached = volumesAttached.filter(({ name }) => isAttached(name, node));
    if (attached.length === volumesAttached.length) return object;
    const gone = new Set(volumesAttached.map(({ name }) => name));
    for (const { name } of attached) gone.delete(name);
    const status = {
      ...object.status,
      volumesAttached: attached,
      volumesInUse: volumesInUse.filter((name) => !gone.has(name)),
    };
    return { ...object, status };
  });
}
