/** Who deletes a volume's storage. Upstream: sig-storage-lib-external-provisioner v13 controller.go shouldDelete. */
import type { PersistentVolume } from "../../api/types.ts";
import { annotation, annotationOf } from "../../matching/annotations.ts";

/** The name of the driver or provisioner; "" if there is none. */
export function provisionerOf(volume: PersistentVolume): string {
  return (
    annotationOf(volume, annotation.migratedTo) ??
    annotationOf(volume, annotation.provisionedBy) ??
    volume.spec.csi?.driver ??
    ""
  );
}
