/**
 * In-tree volumes of cloud providers as the CSI volumes they are served as. Upstream: csi-translation-lib v0.36 plugins/*.go.
 * Not modelled: topology labels of old volumes, storage class parameters.
 */
import type {
  CSIPersistentVolumeSource,
  PersistentVolume,
  PersistentVolumeSpec,
  Pod,
  Volume,
} from "../api/types.ts";

type Translated = Omit<CSIPersistentVolumeSource, "driver"> & { readonly driver: string };

/** The CSI source that stands for an in-tree source; undefined where the source is not migrated. */
function translatedSource(source: PersistentVolumeSpec | Volume): Translated | undefined {
  const {
    awsElasticBlockStore,
    gcePersistentDisk,
    azureDisk,
    cinder,
    vsphereVolume,
    portworxVolume,
  } = source;
  if (awsElasticBlockStore !== undefined) {
    const { volumeID, partition, fsType, readOnly } = awsElasticBlockStore;
    const handle = volumeID.startsWith("aws://")
      ? (volumeID.split("/").at(-1) ?? volumeID)
      : volumeID;
    const attributes =
      partition === undefined || partition === 0 ? {} : { partition: String(partition) };
    return csi("ebs.csi.aws.com", handle, fsType, readOnly, attributes);
  }
  if (gcePersistentDisk !== undefined) {
    const { pdName, partition, fsType, readOnly } = gcePersistentDisk;
    const attributes =
      partition === undefined || partition === 0 ? {} : { partition: String(partition) };
    const handle = `projects/UNSPECIFIED/zones/UNSPECIFIED/disks/${pdName}`;
    return csi("pd.csi.storage.gke.io", handle, fsType, readOnly, attributes);
  }
  if (azureDisk !== undefined) {
    const { diskURI, fsType, readOnly, cachingMode, kind } = azureDisk;
    const attributes = {
      ...(cachingMode !== undefined && { cachingMode }),
      ...(fsType !== undefined && { fsType }),
      kind: kind ?? "Managed",
    };
    return csi("disk.csi.azure.com", diskURI, fsType, readOnly, attributes);
  }
  if (cinder !== undefined) {
    return csi("cinder.csi.openstack.org", cinder.volumeID, cinder.fsType, cinder.readOnly);
  }
  if (vsphereVolume !== undefined) {
    return csi("csi.vsphere.vmware.com", vsphereVolume.volumePath, vsphereVolume.fsType, undefined);
  }
  if (portworxVolume !== undefined) {
    const { volumeID, fsType, readOnly } = portworxVolume;
    return csi("pxd.portworx.com", volumeID, fsType, readOnly);
  }
  return undefined;
}

function csi(
  driver: string,
  volumeHandle: string,
  fsType: string | undefined,
  readOnly: boolean | undefined,
  volumeAttributes: Readonly<Record<string, string>> = {},
): Translated {
  return {
    driver,
    volumeHandle,
    ...(fsType !== undefined && { fsType }),
    ...(readOnly !== undefined && { readOnly }),
    ...(Object.keys(volumeAttributes).length > 0 && { volumeAttributes }),
  };
}

/** A share is known by its account, its name, and for uniqueness the volume's name and its secret's namespace. */
function azureFile(
  source: { readonly shareName: string; readonly secretName: string; readonly readOnly?: boolean },
  volume: string,
  namespace: string,
): Translated {
  const { shareName, secretName, readOnly } = source;
  const account = /^azure-storage-account-(.+)-secret$/.exec(secretName)?.[1] ?? secretName;
  const handle = `#${account}#${shareName}#${volume}#${namespace}`;
  return {
    ...csi("file.csi.azure.com", handle, undefined, readOnly, { shareName }),
    nodeStageSecretRef: { name: secretName, namespace },
  };
}

/** A PersistentVolume with a migrated source as the CSI volume it is; any other as it stands. */
export function translatedVolume(volume: PersistentVolume): PersistentVolume {
  const { azureFile: share, claimRef } = volume.spec;
  const namespace = share?.secretNamespace ?? claimRef?.namespace ?? "default";
  const source =
    share === undefined
      ? translatedSource(volume.spec)
      : azureFile(share, volume.metadata.name, namespace);
  return source === undefined ? volume : { ...volume, spec: { ...volume.spec, csi: source } };
}

/** A migrated in-tree source of a pod as a PersistentVolume that exists in memory only; undefined for others. */
export function translatedInlineVolume(pod: Pod, volume: Volume): PersistentVolume | undefined {
  const { azureFile: share } = volume;
  const source =
    share === undefined
      ? translatedSource(volume)
      : azureFile(share, volume.name, pod.metadata.namespace ?? "");
  if (source === undefined) return undefined;
  return {
    apiVersion: "v1",
    kind: "PersistentVolume",
    metadata: {
      ...pod.metadata,
      name: `${source.driver}-${inlineName(volume) ?? source.volumeHandle}`,
    },
    spec: { accessModes: ["ReadWriteOnce"], csi: source },
  };
}

function inlineName({
  gcePersistentDisk,
  azureDisk,
  azureFile: share,
}: Volume): string | undefined {
  return gcePersistentDisk?.pdName ?? azureDisk?.diskName ?? share?.shareName;
}
