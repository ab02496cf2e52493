/**
 * Classes of in-tree plugins that CSI drivers serve: translates their parameters to CSI, and new volumes back to in-tree.
 * Upstream: csi-translation-lib v0.36 translate.go, plugins/*.go TranslateInTreeStorageClassToCSI, TranslateCSIPVToInTree.
 * Not modeled: zones outside any region of the cloud, for which upstream creates no volume; parameters of vsphere's own
 * migration beyond their renaming.
 */

import { compareText } from "../../api/go/text-order.ts";
import type { Draft } from "../../api/meta.ts";
import type {
  CSIPersistentVolumeSource,
  NodeSelectorRequirement,
  NodeSelectorTerm,
  ObjectMeta,
  PersistentVolumeSpec,
  StorageClass,
  TopologySelectorTerm,
} from "../../api/types.ts";
import { betaZoneLabel, regionLabel, zoneLabel } from "../../api/well-known-labels.ts";
import type { Checked, Parameters } from "../../csi/catalogue/sidecar-parameters.ts";
import { awsRegionOf, gceRegionOf } from "../../matching/cloud-regions.ts";

interface Plugin {
  /** The driver's topology key for zones; absent if topologies are not translated. */
  readonly zoneKey?: string;
  /** Volumes keep the driver's own key, although classes may name the well-known one. */
  readonly keepsZoneKey?: true;
  /** The driver's topology key for regions, if it has one. */
  readonly regionKey?: string;
  /** Returns the region of a zone; undefined if the zone's name does not imply one. */
  regionOf?(zone: string): string | undefined;
  /** Volumes are labeled with the first zone and the first region only. */
  readonly isInOnePlace?: true;
  /** The parameters `zone` and `zones` restrict the topology; if false, they are passed to the driver. */
  readonly hasZoneParameters: boolean;
  readonly translatesFsType: boolean;
  parameters?(parameters: Parameters): Parameters;
  source(csi: CSIPersistentVolumeSource): Partial<PersistentVolumeSpec>;
  annotations?(csi: CSIPersistentVolumeSource): ObjectMeta["annotations"];
}

const fsTypeKey = "csi.storage.k8s.io/fstype";
const zoneLabels: readonly string[] = [zoneLabel, betaZoneLabel];

const withFsType = ({ fsType }: CSIPersistentVolumeSource): { readonly fsType?: string } =>
  fsType === undefined ? {} : { fsType };

const plugins: Readonly<Record<string, Plugin>> = {
  "kubernetes.io/aws-ebs": {
    zoneKey: "topology.ebs.csi.aws.com/zone",
    regionOf: awsRegionOf,
    hasZoneParameters: true,
    translatesFsType: true,
    parameters: (given) =>
      Object.keys(given).some((key) => key.toLowerCase() === "iopspergb")
        ? { ...given, allowautoiopspergbincrease: "true" }
        : given,
    source: (csi) => ({
      awsElasticBlockStore: { volumeID: csi.volumeHandle, ...withFsType(csi) },
    }),
  },
  "kubernetes.io/gce-pd": {
    zoneKey: "topology.gke.io/zone",
    regionOf: gceRegionOf,
    hasZoneParameters: true,
    translatesFsType: true,
    source: (csi) => ({
      gcePersistentDisk: {
        pdName: csi.volumeHandle.split("/").at(-1) ?? csi.volumeHandle,
        ...withFsType(csi),
        ...(csi.readOnly === true && { readOnly: true }),
      },
    }),
  },
  "kubernetes.io/azure-disk": {
    zoneKey: "topology.disk.csi.azure.com/zone",
    keepsZoneKey: true,
    hasZoneParameters: true,
    translatesFsType: false,
    source: (csi) => ({ azureDisk: azureDiskSource(csi) }),
  },
  "kubernetes.io/azure-file": {
    hasZoneParameters: false,
    translatesFsType: false,
    source: (csi) => ({ azureFile: azureFileSource(csi) }),
    annotations: azureFileAnnotations,
  },
  "kubernetes.io/cinder": {
    zoneKey: "topology.cinder.csi.openstack.org/zone",
    hasZoneParameters: false,
    translatesFsType: true,
    source: (csi) => ({ cinder: { volumeID: csi.volumeHandle, ...withFsType(csi) } }),
  },
  "kubernetes.io/vsphere-volume": {
    zoneKey: "topology.csi.vmware.com/zone",
    regionKey: "topology.csi.vmware.com/region",
    isInOnePlace: true,
    hasZoneParameters: false,
    translatesFsType: false,
    parameters: vsphereParameters,
    // Upstream takes the driver's initialvolumefilepath; here the volume's id stands for it.
    source: (csi) => ({ vsphereVolume: { volumePath: csi.volumeHandle, ...withFsType(csi) } }),
  },
  "kubernetes.io/portworx-volume": {
    hasZoneParameters: false,
    translatesFsType: false,
    source: (csi) => ({ portworxVolume: { volumeID: csi.volumeHandle, ...withFsType(csi) } }),
  },
};

/** The driver's attributes of a volume, with keys in lower case. */
function attributesOf({
  volumeAttributes = {},
}: CSIPersistentVolumeSource): ReadonlyMap<string, string> {
  return new Map(
    Object.entries(volumeAttributes).map(([key, value]) => [key.toLowerCase(), value]),
  );
}

/** Upstream: azure_disk.go TranslateCSIPVToInTree. */
function azureDiskSource(
  csi: CSIPersistentVolumeSource,
): NonNullable<PersistentVolumeSpec["azureDisk"]> {
  const attributes = attributesOf(csi);
  const cachingMode = attributes.get("cachingmode");
  return {
    diskName: csi.volumeHandle.split("/").at(-1) ?? csi.volumeHandle,
    diskURI: csi.volumeHandle,
    kind: "Managed",
    readOnly: csi.readOnly ?? false,
    fsType: attributes.get("fstype") || (csi.fsType ?? ""),
    ...(cachingMode && { cachingMode }),
  };
}

const claimNamespaceKey = "csi.storage.k8s.io/pvc/namespace";

/** What the attributes lack is in the share's id: group#account#share. Upstream: azure_file.go getFileShareInfo. */
function azureFileSource(
  csi: CSIPersistentVolumeSource,
): NonNullable<PersistentVolumeSpec["azureFile"]> {
  const [, account = "", share = ""] = csi.volumeHandle.split("#");
  const attributes = attributesOf(csi);
  const { secretName, shareName } = shareNamesOf(csi);
  return {
    secretName: secretName || `azure-storage-account-${account}-secret`,
    // If class and driver name none, it is the claim's, which the driver adds to its answer.
    secretNamespace:
      csi.nodeStageSecretRef?.namespace ??
      attributes.get("secretnamespace") ??
      attributes.get(claimNamespaceKey) ??
      "default",
    shareName: shareName || share,
    readOnly: csi.readOnly ?? false,
  };
}

/** Names of the share and its Secret from the attributes; "" if they have none. */
function shareNamesOf(csi: CSIPersistentVolumeSource): {
  readonly secretName: string;
  readonly shareName: string;
} {
  const attributes = attributesOf(csi);
  const secretName = csi.nodeStageSecretRef?.name || attributes.get("secretname") || "";
  return { secretName, shareName: attributes.get("sharename") ?? "" };
}

/** Adds the resource group if the share's id had to be parsed. */
function azureFileAnnotations(csi: CSIPersistentVolumeSource): ObjectMeta["annotations"] {
  const { secretName, shareName } = shareNamesOf(csi);
  const [group = ""] = csi.volumeHandle.split("#");
  if (group === "" || (secretName !== "" && shareName !== "")) return undefined;
  return { "kubernetes.io/azure-file-resource-group": group };
}

const renamedByVsphere: ReadonlySet<string> = new Set([
  "datastore",
  "diskformat",
  "hostfailurestotolerate",
  "forceprovisioning",
  "cachereservation",
  "diskstripes",
  "objectspacereservation",
  "iopslimit",
]);

/** Drops what the in-tree plugin did not know, even the newer key for the file system. Upstream: vsphere_volume.go. */
function vsphereParameters(given: Parameters): Parameters {
  const kept: Record<string, string> = { csimigration: "true" };
  for (const [key, value] of Object.entries(given)) {
    const lower = key.toLowerCase();
    if (renamedByVsphere.has(lower)) kept[`${lower}-migrationparam`] = value;
    else if (lower === "storagepolicyname") kept[lower] = value;
    else if (lower === "fstype") kept[fsTypeKey] = value;
  }
  return kept;
}

/** Returns the class as its driver gets it; unchanged if its provisioner is no in-tree plugin. */
export function translatedClass(storageClass: StorageClass): Checked<StorageClass> {
  const plugin = plugins[storageClass.provisioner];
  if (plugin === undefined) return { ok: true, value: storageClass };
  const kept: Record<string, string> = {};
  let zones: readonly string[] = [];
  for (const [key, value] of Object.entries(storageClass.parameters ?? {})) {
    const lower = key.toLowerCase();
    if (lower === "fstype" && plugin.translatesFsType) kept[fsTypeKey] = value;
    else if (lower === "zone" && plugin.hasZoneParameters) zones = [value];
    else if (lower === "zones" && plugin.hasZoneParameters) zones = value.split(",");
    else kept[key] = value;
  }
  const given = storageClass.allowedTopologies ?? [];
  if (zones.length > 0 && given.length > 0) {
    const error =
      "failed to translate storage class: cannot simultaneously set allowed topologies and zone/zones parameters";
    return { ok: false, error };
  }
  const { zoneKey = zoneLabel } = plugin;
  const fromZones: readonly TopologySelectorTerm[] =
    zones.length > 0 ? [{ matchLabelExpressions: [{ key: zoneKey, values: zones }] }] : [];
  const named =
    plugin.zoneKey === undefined ? given : given.map((term) => withZoneKey(term, zoneKey));
  const allowedTopologies = [...named, ...fromZones];
  const parameters = plugin.parameters?.(kept) ?? kept;
  return { ok: true, value: { ...storageClass, parameters, allowedTopologies } };
}

function withZoneKey(term: TopologySelectorTerm, zoneKey: string): TopologySelectorTerm {
  const matchLabelExpressions = (term.matchLabelExpressions ?? []).map((expression) =>
    zoneLabels.includes(expression.key) ? { ...expression, key: zoneKey } : expression,
  );
  return { ...term, matchLabelExpressions };
}

/** Gives a new volume of an in-tree class the in-tree source, and its zone and region the well-known labels. */
export function asInTreeVolume(
  volume: Draft<"PersistentVolume">,
  provisioner: string,
): Draft<"PersistentVolume"> {
  const plugin = plugins[provisioner];
  const { csi, nodeAffinity, ...spec } = volume.spec;
  if (plugin === undefined || csi === undefined) return volume;
  const isPlaced = plugin.zoneKey !== undefined && plugin.keepsZoneKey !== true;
  const given = nodeAffinity?.required?.nodeSelectorTerms;
  const terms = isPlaced ? given?.map((term) => placedTerm(term, plugin)) : given;
  const placesIn = (label: string): readonly string[] =>
    (isPlaced ? valuesOf(terms ?? [], label) : []).slice(0, plugin.isInOnePlace && 1);
  const [zones, regions] = [placesIn(zoneLabel), placesIn(regionLabel)];
  const labels = {
    ...(zones.length > 0 && { [zoneLabel]: zones.join("__") }),
    ...(regions.length === 1 && { [regionLabel]: regions.join() }),
  };
  return {
    ...volume,
    metadata: withMore(volume.metadata, labels, plugin.annotations?.(csi)),
    spec: {
      ...spec,
      ...plugin.source(csi),
      ...(terms !== undefined && { nodeAffinity: { required: { nodeSelectorTerms: terms } } }),
    },
  };
}

/** Upstream: translateTopologyFromCSIToInTree, translateTopologyFromCSIToInTreevSphere, regionTopologyHandler. */
function placedTerm(term: NodeSelectorTerm, plugin: Plugin): NodeSelectorTerm {
  const { zoneKey, regionKey, regionOf } = plugin;
  const matchExpressions = (term.matchExpressions ?? []).map((e): NodeSelectorRequirement => {
    if (e.key === zoneKey) return { ...e, key: zoneLabel };
    return e.key === regionKey ? { ...e, key: regionLabel } : e;
  });
  const placed = { ...term, matchExpressions };
  if (regionOf === undefined || valuesOf([placed], regionLabel).length > 0) return placed;
  const [region, ...others] = new Set(valuesOf([placed], zoneLabel).map((zone) => regionOf(zone)));
  if (region === undefined || others.length > 0) return placed;
  const inRegion = { key: regionLabel, operator: "In", values: [region] };
  return { ...placed, matchExpressions: [...matchExpressions, inRegion] };
}

function withMore(
  metadata: ObjectMeta,
  labels: Readonly<Record<string, string>>,
  annotations: ObjectMeta["annotations"],
): ObjectMeta {
  return {
    ...metadata,
    ...(Object.keys(labels).length > 0 && { labels: { ...labels, ...metadata.labels } }),
    ...(annotations !== undefined && {
      annotations: { ...metadata.annotations, ...annotations },
    }),
  };
}

/** Unique and sorted. Upstream: getTopologyValues. */
function valuesOf(terms: readonly NodeSelectorTerm[], key: string): readonly string[] {
  const named = terms.flatMap(({ matchExpressions = [] }) =>
    matchExpressions.flatMap((e) => (e.key === key ? (e.values ?? []) : [])),
  );
  return [...new Set(named)].sort(compareText);
}
