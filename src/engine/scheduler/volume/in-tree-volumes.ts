/**
 * The in-tree plugins whose volumes are CSI volumes to the scheduler. vSphere's and Azure Files' are not, though kubelets and
 * attach-detach controller redirect them as well: their affinity stays as it is written, and they count for no driver's limit.
 * Upstream: kube-scheduler v1.36 plugins/nodevolumelimits/utils.go isCSIMigrationOn, plugins/volumebinding/binder.go
 * isCSIMigrationOnForPlugin, tryTranslatePVToCSI. Every node's CSINode says that all of them have moved.
 */
import type { PersistentVolume } from "../../api/types.ts";
import { migratedPluginOf } from "../../matching/csi-migration.ts";
import { withDriverTopology } from "../../matching/in-tree-topology.ts";

const translated: ReadonlySet<string> = new Set([
  "kubernetes.io/aws-ebs",
  "kubernetes.io/gce-pd",
  "kubernetes.io/azure-disk",
  "kubernetes.io/cinder",
  "kubernetes.io/portworx-volume",
]);

export function isTranslated(plugin: string): boolean {
  return translated.has(plugin);
}

/** The volume as it is placed; one that is not translated is returned as it is. */
export function asPlaced(volume: PersistentVolume): PersistentVolume {
  const plugin = migratedPluginOf(volume.spec);
  return plugin !== undefined && isTranslated(plugin) ? withDriverTopology(volume) : volume;
}
