/**
 * Translates in-tree volumes of cloud providers to the CSI volumes by which they are served. Upstream: csi-translation-lib
 * v0.36 plugins/*.go. Not modeled: storage class parameters, sources whose translation fails (zones without a region,
 * malformed AWS volume ids, unmanaged Azure disks).
 */

import type {
  CSIPersistentVolumeSource,
  PersistentVolume,
  PersistentVolumeSpec,
  Pod,
  Volume,
} from "../api/types.ts";
import { betaZoneLabel, zoneLabel } from "../api/well-known-labels.ts";
import { withDriverTopology } from "../matching/in-tree-topology.ts";

type Translated = Omit<CSIPersistentVolumeSource, "driver"> & { readonly driver: string };

const unspecified = "UNSPECIFIED";

/** Returns the CSI source for an in-tree source; undefined if the source is not migrated. */
function translatedSource(
  source: PersistentVolumeSpec | Volume,
  zones: readonly string[],
): Translated | undefined {
  const {
    awsElasticBlockStore,
    gcePersistentDisk,
    azureDisk,
    cinder,
    vsphereVolume,
    portworxVolume,
  } = source;
  if (awsElasticBlockStore !== undefined) {
    const { volumeID, partition = 0, fsType, readOnly } = awsElasticBlockStore;
    const handle = volumeID.startsWith("aws://")
      ? (volumeID.split("/").at(-1) ?? volumeID)
      : volumeID;
    return csi("ebs.csi.aws.com", handle, fsType, readOnly, { partition: String(partition) });
  }
  if (gcePersistentDisk !== undefined) {
    const { pdName, partition = 0, fsType, readOnly } = gcePersistentDisk;
    const attributes = { partition: partition === 0 ? "" : String(partition) };
    const handle = `projects/${unspecified}/${placeOf(zones)}/disks/${pdName}`;
    return csi("pd.csi.storage.gke.io", handle, fsType, readOnly, attributes);
  }
  if (azureDisk !== undefined) {
    const { diskURI, fsType, readOnly, cachingMode } = azureDisk;
    const attributes = {
      ...(cachingMode !== undefined && { cachingmode: cachingMode }),
      ...(fsType !== undefined && { fstype: fsType }),
      kind: "Managed",
    };
    return csi("disk.csi.azure.com", diskURI, fsType, readOnly, attributes);
  }
  if (cinder !== undefined) {
    return csi("cinder.csi.openstack.org", cinder.volumeID, cinder.fsType, cinder.readOnly);
  }
  if (vsphereVolume !== undefined) {
    const { volumePath, fsType, storagePolicyName = "" } = vsphereVolume;
    const attributes =
      storagePolicyName === "" ? undefined : { storagepolicyname: storagePolicyName };
    return csi("csi.vsphere.vmware.com", volumePath, fsType, undefined, attributes);
  }
  if (portworxVolume !== undefined) {
    const { volumeID, fsType } = portworxVolume;
    return csi("pxd.portworx.com", volumeID, fsType, undefined);
  }
  return undefined;
}

/** Returns the zone of a zonal disk, or the region of a regional one. Upstream: gce_pd.go gceGetRegionFromZones. */
function placeOf([zone = "", ...others]: readonly string[]): string {
  if (others.length > 0) return `regions/${zone.split("-").slice(0, 2).join("-")}`;
  return `zones/${zone === "" ? unspecified : zone}`;
}

function csi(
  driver: string,
  volumeHandle: string,
  fsType: string | undefined,
  readOnly: boolean | undefined,
  volumeAttributes?: Readonly<Record<string, string>>,
): Translated {
  return {
    driver,
    volumeHandle,
    ...(fsType !== undefined && { fsType }),
    ...(readOnly === true && { readOnly }),
    ...(volumeAttributes !== undefined && { volumeAttributes }),
  };
}

/**
 * The handle of a share consists of resource group, account and share name, and for uniqueness the volume's name and the
 * secret's namespace.
 */
function azureFile(
  source: { readonly shareName: string; readonly secretName: string; readonly readOnly?: boolean },
  resourceGroup: string,
  volume: string,
  namespace: string,
): Translated {
  const { shareName, secretName, readOnly } = source;
  const account = accountOf(secretName) ?? secretName;
  const handle = `${resourceGroup}#${account}#${shareName}#${volume}#${namespace}`;
  return {
    ...csi("file.csi.azure.com", handle, undefined, readOnly, { sharename: shareName }),
    nodeStageSecretRef: { name: secretName, namespace },
  };
}

/** Upstream: getStorageAccount of azure_file.go, `azure-storage-account-(.+)-secret`, without backtracking in a long name. */
function accountOf(secretName: string): string | undefined {
  const [before, after] = ["azure-storage-account-", "-secret"];
  const at = secretName.indexOf(before);
  const start = at + before.length;
  const end = secretName.lastIndexOf(after);
  return at >= 0 && end > start ? secretName.slice(start, end) : undefined;
}

/** Returns a PersistentVolume with its migrated source translated to CSI; any other unchanged. */
export function translatedVolume(volume: PersistentVolume): PersistentVolume {
  const { azureFile: share, gcePersistentDisk, claimRef, accessModes } = volume.spec;
  const { name, labels = {}, annotations = {} } = volume.metadata;
  const zones = (labels[betaZoneLabel] || labels[zoneLabel] || "").split("__");
  const namespace = share?.secretNamespace ?? claimRef?.namespace ?? "default";
  const group = annotations["kubernetes.io/azure-file-resource-group"] ?? "";
  const source =
    share === undefined
      ? translatedSource(volume.spec, zones)
      : azureFile(share, group, name, namespace);
  if (source === undefined) return volume;
  const modes = gcePersistentDisk === undefined ? accessModes : singleAccess(accessModes);
  const spec = { ...withDriverTopology(volume).spec, csi: source };
  return { ...volume, spec: modes === undefined ? spec : { ...spec, accessModes: modes } };
}

/** Google's in-tree disks accepted any access modes but attached to one node. Upstream: backwardCompatiblestrings. */
function singleAccess(modes: readonly string[] | undefined): readonly string[] | undefined {
  if (modes === undefined) return undefined;
  const isReadOnly =
    modes.includes("ReadOnlyMany") &&
    !modes.includes("ReadWriteOnce") &&
    !modes.includes("ReadWriteMany");
  return [isReadOnly ? "ReadOnlyMany" : "ReadWriteOnce"];
}

/** Returns an in-memory PersistentVolume for a migrated in-tree source of a pod; undefined for others. */
export function translatedInlineVolume(pod: Pod, volume: Volume): PersistentVolume | undefined {
  const { azureFile: share } = volume;
  const source =
    share === undefined
      ? translatedSource(volume, [])
      : azureFile(share, "", volume.name, pod.metadata.namespace ?? "");
  if (source === undefined) return undefined;
  return {
    apiVersion: "v1",
    kind: "PersistentVolume",
    metadata: { ...pod.metadata, name: inlineName(volume, source) },
    spec: {
      accessModes: [inlineMode(volume)],
      // Upstream sets it for Google's disks only.
      ...(volume.gcePersistentDisk !== undefined && { volumeMode: "Filesystem" }),
      csi: source,
    },
  };
}

function inlineName(
  { gcePersistentDisk, azureDisk, azureFile: share }: Volume,
  { driver, volumeHandle }: Translated,
): string {
  if (share !== undefined || azureDisk !== undefined) return volumeHandle;
  return `${driver}-${gcePersistentDisk?.pdName ?? volumeHandle}`;
}

function inlineMode({ azureFile: share, gcePersistentDisk, portworxVolume }: Volume): string {
  if (share !== undefined) return "ReadWriteMany";
  const isReadOnly = gcePersistentDisk?.readOnly ?? portworxVolume?.readOnly ?? false;
  return isReadOnly ? "ReadOnlyMany" : "ReadWriteOnce";
}
