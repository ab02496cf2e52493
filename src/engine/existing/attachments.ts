/**
 * Volumes that Nodes report to be attached and whose VolumeAttachments nobody has saved. Where pods were saved the attachments
 * are there; without any pod nobody needs them. Kubelets would otherwise ask for attachments that are not there. Upstream:
 * nothing; an API server has everything.
 */
import type { KubeObject } from "../api/meta.ts";
import { attacherFinalizer } from "../controllers/external-attacher/attachment-sync.ts";
import { csiOfUniqueName } from "../volume/attachable-volume.ts";
import { translatedVolume } from "../volume/csi-translation.ts";
import { attachmentName, csiVolumeName } from "../volume/volume-names.ts";

/** The objects, with Nodes that report only what is attached, and what `assume` is to add of what is. */
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
  /** Whether the node has it, be its attachment saved or assumed. */
  const isAttached = (uniqueName: string, nodeName: string): boolean => {
    const csi = csiOfUniqueName(uniqueName);
    if (csi === undefined) return true;
    const { driver, handle } = csi;
    const name = attachmentName(handle, driver, nodeName);
    if (saved.has(name)) return true;
    const persistentVolumeName = volumes.get(csiVolumeName(driver, handle));
    if (!hasPods || persistentVolumeName === undefined) return false;
    assume(name, {
      // By which its attacher has the driver asked before it goes.
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
