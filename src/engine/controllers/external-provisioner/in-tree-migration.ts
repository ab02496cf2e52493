/**
 * Classes of in-tree plugins, which their CSI drivers serve: parameters on the way in, volume sources on the way out.
 * Upstream: csi-translation-lib v0.36 translate.go, plugins/*.go TranslateInTreeStorageClassToCSI, TranslateCSIPVToInTree.
 * Not modelled: zones that lie in no region of the cloud, for which upstream makes no volume; parameters of vsphere's own
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

interface Plugin {
  /** Under which volumes of the driver name their zone; absent where topologies are left as they are. */
  readonly zoneKey?: string;
  /** The volume is stored with the driver's own key, though classes may name the well-known one. */
  readonly keepsZoneKey?: true;
  /** Under which volumes of the driver name their region, where they do. */
  readonly regionKey?: string;
  /** The region that a zone lies in; undefined where the name tells of none. */
  regionOf?(zone: string): string | undefined;
  /** Its volumes are labelled with one zone and one region, of several with the first. */
  readonly isInOnePlace?: true;
  /** The parameters `zone` and `zones` say where volumes may be made; others' drivers get to see them. */
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
    // The path is what the driver calls initialvolumefilepath; here its id stands for it.
    source: (csi) => ({ vsphereVolume: { volumePath: csi.volumeHandle, ...withFsType(csi) } }),
  },
  "kubernetes.io/portworx-volume": {
    hasZoneParameters: false,
    translatesFsType: false,
    source: (csi) => ({ portworxVolume: { volumeID: csi.volumeHandle, ...withFsType(csi) } }),
  },
};

/** us-east-1 of us-east-1a, of the local zone us-east-1-bos-1a, and of wavelength zones. Upstream: aws_ebs.go getAwsRegionFromZones. */
function awsRegionOf(zone: string): string | undefined {
  const parts = zone.split("-");
  if (parts.length === 5 || parts.length === 7) return parts.slice(0, 3).join("-");
  const isUsual = (parts.length === 3 || parts.length === 4) && parts.at(-1)?.length === 2;
  return isUsual ? zone.slice(0, -1) : undefined;
}

/** Upstream: gce_pd.go gceGetRegionFromZones. */
function gceRegionOf(zone: string): string | undefined {
  const parts = zone.split("-");
  return parts.length === 3 ? parts.slice(0, 2).join("-") : undefined;
}

/** What the driver says of a volume, whatever the case of its keys. */
function saidOf({ volumeAttributes = {} }: CSIPersistentVolumeSource): ReadonlyMap<string, string> {
  return new Map(
    Object.entries(volumeAttributes).map(([key, value]) => [key.toLowerCase(), value]),
  );
}

/** Upstream: azure_disk.go TranslateCSIPVToInTree. */
function azureDiskSource(
  csi: CSIPersistentVolumeSource,
): NonNullable<PersistentVolumeSpec["azureDisk"]> {
  const said = saidOf(csi);
  const cachingMode = said.get("cachingmode");
  return {
    diskName: csi.volumeHandle.split("/").at(-1) ?? csi.volumeHandle,
    diskURI: csi.volumeHandle,
    kind: "Managed",
    readOnly: csi.readOnly ?? false,
    fsType: said.get("fstype") || (csi.fsType ?? ""),
    ...(cachingMode && { cachingMode }),
  };
}

const claimNamespaceKey = "csi.storage.k8s.io/pvc/namespace";

/** What the driver does not say is in the share's id: group, account and name. Upstream: azure_file.go getFileShareInfo. */
function azureFileSource(
  csi: CSIPersistentVolumeSource,
): NonNullable<PersistentVolumeSpec["azureFile"]> {
  const [, account = "", share = ""] = csi.volumeHandle.split("#");
  const said = saidOf(csi);
  const { secretName, shareName } = saidOfShare(csi);
  return {
    secretName: secretName || `azure-storage-account-${account}-secret`,
    // Where class and driver name none it is the claim's, as the driver adds it to what it answers.
    secretNamespace:
      csi.nodeStageSecretRef?.namespace ??
      said.get("secretnamespace") ??
      said.get(claimNamespaceKey) ??
      "default",
    shareName: shareName || share,
    readOnly: csi.readOnly ?? false,
  };
}

/** Which share it is and whose secret, as far as the driver says; empty where it does not. */
function saidOfShare(csi: CSIPersistentVolumeSource): {
  readonly secretName: string;
  readonly shareName: string;
} {
  const said = saidOf(csi);
  const secretName = csi.nodeStageSecretRef?.name || said.get("secretname") || "";
  return { secretName, shareName: said.get("sharename") ?? "" };
}

/** The group is told where the share's id had to be read. */
function azureFileAnnotations(csi: CSIPersistentVolumeSource): ObjectMeta["annotations"] {
  const { secretName, shareName } = saidOfShare(csi);
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

/** What the in-tree plugin did not know is left out, be it the file system by its newer key. Upstream: vsphere_volume.go. */
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

/** The class as its driver gets to see it; the class itself where no in-tree plugin is behind it. */
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

/** A new volume of an in-tree class is stored with the in-tree source, and its zone and region under the well-known labels. */
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

/** Each once, in order. Upstream: getTopologyValues. */
function valuesOf(terms: readonly NodeSelectorTerm[], key: string): readonly string[] {
  const named = terms.flatMap(({ matchExpressions = [] }) =>
    matchExpressions.flatMap((e) => (e.key === key ? (e.values ?? []) : [])),
  );
  return [...new Set(named)].sort(compareText);
}
