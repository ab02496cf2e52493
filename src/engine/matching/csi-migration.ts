/**
 * The CSI drivers that replace in-tree plugins, and the plugins that Kubernetes has removed. Upstream: csi-translation-lib v0.36
 * translate.go; since 1.32 all of these are always migrated. The volume sources themselves are translated by
 * volume/csi-translation.ts.
 */
import type { PersistentVolumeSpec } from "../api/types.ts";

const drivers: Readonly<Record<string, string>> = {
  "kubernetes.io/aws-ebs": "ebs.csi.aws.com",
  "kubernetes.io/gce-pd": "pd.csi.storage.gke.io",
  "kubernetes.io/azure-disk": "disk.csi.azure.com",
  "kubernetes.io/azure-file": "file.csi.azure.com",
  "kubernetes.io/cinder": "cinder.csi.openstack.org",
  "kubernetes.io/vsphere-volume": "csi.vsphere.vmware.com",
  "kubernetes.io/portworx-volume": "pxd.portworx.com",
};

/** The provisioner name of local volumes; it creates nothing. */
export const noProvisioner = "kubernetes.io/no-provisioner";

/** Returns the driver that an in-tree plugin is migrated to; undefined for every other provisioner. */
export function migratedDriver(plugin: MigratedPlugin): string;
export function migratedDriver(plugin: string): string | undefined;
export function migratedDriver(plugin: string): string | undefined {
  return Object.hasOwn(drivers, plugin) ? drivers[plugin] : undefined;
}

/** False for in-tree plugins that Kubernetes has removed or that never provisioned volumes. */
export function makesVolumes(provisioner: string): boolean {
  return !isInTreeName(provisioner) || migratedDriver(provisioner) !== undefined;
}

export function isInTreeName(provisioner: string): boolean {
  return provisioner.startsWith("kubernetes.io/");
}

const pluginsBySource = {
  awsElasticBlockStore: "kubernetes.io/aws-ebs",
  gcePersistentDisk: "kubernetes.io/gce-pd",
  azureDisk: "kubernetes.io/azure-disk",
  azureFile: "kubernetes.io/azure-file",
  cinder: "kubernetes.io/cinder",
  vsphereVolume: "kubernetes.io/vsphere-volume",
  portworxVolume: "kubernetes.io/portworx-volume",
} as const;

type MigratedField = keyof typeof pluginsBySource;
type MigratedPlugin = (typeof pluginsBySource)[MigratedField];

/** The fields of migrated sources with their plugins' names. */
export const migratedSources: readonly (readonly [field: string, plugin: string])[] =
  Object.entries(pluginsBySource);

type Source = Pick<PersistentVolumeSpec, MigratedField>;

/** Returns the field with a migrated in-tree source of a PersistentVolume or a pod's volume; undefined for other sources. */
export function migratedField(source: Source): MigratedField | undefined {
  for (const field of Object.keys(pluginsBySource) as MigratedField[])
    if (source[field] !== undefined) return field;
  return undefined;
}

/** Returns the driver for volumes with this source field; undefined if the field is not migrated. */
export function driverOfSource(field: string): string | undefined {
  const plugin = Object.hasOwn(pluginsBySource, field)
    ? pluginsBySource[field as MigratedField]
    : undefined;
  return plugin === undefined ? undefined : migratedDriver(plugin);
}

/** Returns the migrated in-tree plugin of a PersistentVolume's or pod volume's source; undefined for others. */
export function migratedPluginOf(source: Source): MigratedPlugin | undefined {
  const field = migratedField(source);
  return field === undefined ? undefined : pluginsBySource[field];
}

/** An in-tree plugin that is gone. */
export interface RemovedPlugin {
  /** The first version of Kubernetes without it. */
  readonly version: string;
  /** The CSI driver that reaches the same storage; absent if none is maintained. */
  readonly replacement?: string;
}

/** By the field of a volume's source. Upstream: CHANGELOG-1.16, 1.22, 1.25, 1.26 and 1.31 of kubernetes/kubernetes. */
const removedBySource: Readonly<Record<string, RemovedPlugin>> = {
  cephfs: { version: "1.31", replacement: "cephfs.csi.ceph.com" },
  rbd: { version: "1.31", replacement: "rbd.csi.ceph.com" },
  glusterfs: { version: "1.26" },
  flocker: { version: "1.25" },
  quobyte: { version: "1.25", replacement: "csi.quobyte.com" },
  storageos: { version: "1.25" },
  scaleIO: { version: "1.22", replacement: "csi-vxflexos.dellemc.com" },
  photonPersistentDisk: { version: "1.16" },
};

/** Returns the removed plugin of the volumes with this source field; undefined for all other fields. */
export function removedSource(field: string): RemovedPlugin | undefined {
  return Object.hasOwn(removedBySource, field) ? removedBySource[field] : undefined;
}

const removedNames: Readonly<Record<string, string>> = {
  "kubernetes.io/cephfs": "cephfs",
  "kubernetes.io/rbd": "rbd",
  "kubernetes.io/glusterfs": "glusterfs",
  "kubernetes.io/flocker": "flocker",
  "kubernetes.io/quobyte": "quobyte",
  "kubernetes.io/storageos": "storageos",
  "kubernetes.io/scaleio": "scaleIO",
  "kubernetes.io/photon-pd": "photonPersistentDisk",
};

/** Returns the removed plugin that had this name; undefined for all other provisioners. */
export function removedPlugin(provisioner: string): RemovedPlugin | undefined {
  return Object.hasOwn(removedNames, provisioner)
    ? removedSource(removedNames[provisioner] ?? "")
    : undefined;
}

/** Names that classes are given as if Kubernetes itself provisioned such volumes, which it never did, with the CSI driver. */
const neverProvisioned: Readonly<Record<string, string>> = {
  "kubernetes.io/aws-efs": "efs.csi.aws.com",
  "kubernetes.io/nfs": "nfs.csi.k8s.io",
};

/** The CSI driver to use instead of an in-tree name that provisions nothing; undefined if there is none. */
export function driverInstead(provisioner: string): string | undefined {
  return Object.hasOwn(neverProvisioned, provisioner)
    ? neverProvisioned[provisioner]
    : removedPlugin(provisioner)?.replacement;
}
