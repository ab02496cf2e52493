/**
 * The CSI drivers that replace in-tree plugins. Upstream: csi-translation-lib v0.36 translate.go; since 1.32 all of these are
 * always migrated. The volume sources themselves are translated by volume/csi-translation.ts.
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
