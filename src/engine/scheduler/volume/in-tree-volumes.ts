/**
 * The in-tree plugins whose volumes the scheduler treats as CSI volumes. vSphere and Azure File are not among them, although
 * kubelets and attach-detach controller migrate them too: the scheduler takes their affinity as written and counts them for no
 * driver's limit. Upstream: kube-scheduler v1.36 plugins/nodevolumelimits/utils.go isCSIMigrationOn,
 * plugins/volumebinding/binder.go isCSIMigrationOnForPlugin, tryTranslatePVToCSI. Assumes that every CSINode lists all of them
 * as migrated.
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

/** The volume with the topology of the CSI driver it is migrated to; as it is if not translated. */
export function asPlaced(volume: PersistentVolume): PersistentVolume {
  const plugin = migratedPluginOf(volume.spec);
  return plugin !== undefined && isTranslated(plugin) ? withDriverTopology(volume) : volume;
}
