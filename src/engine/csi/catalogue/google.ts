/** Google: Persistent Disk, Filestore. */
import { type CatalogueEntry, fileShare, readWriteOnce } from "./entry.ts";

export const googleDrivers: readonly CatalogueEntry[] = [
  {
    name: "pd.csi.storage.gke.io",
    title: "Google Compute Engine Persistent Disk",
    keepsRootOwner: true,
    traits: {
      topologyKey: "topology.gke.io/zone",
      accessModes: [...readWriteOnce, "ReadOnlyMany"],
      blockAccessModes: [...readWriteOnce, "ReadOnlyMany", "ReadWriteMany"],
      capabilityRefusal:
        "VolumeCapabilities is invalid: specified multi writer with mount access type",
      snapshots: true,
      clone: true,
      modify: true,
      modifyParameters: ["iops", "throughput"],
      maxVolumesPerNode: 127,
      roundUpTo: "1Gi",
      singleNodeMultiWriter: false,
      sidecars: {
        provisionTimeoutMs: 250_000,
        defaultFsType: "ext4",
        handlesInUseError: false,
      },
    },
    parameterValues: {
      type: [
        "pd-standard",
        "pd-balanced",
        "pd-ssd",
        "pd-extreme",
        "hyperdisk-balanced",
        "hyperdisk-extreme",
        "hyperdisk-throughput",
        "hyperdisk-ml",
      ],
      "replication-type": ["none", "regional-pd"],
    },
    source: {
      repository: "kubernetes-sigs/gcp-compute-persistent-disk-csi-driver",
      commit: "b560165",
      files: ["pkg/gce-pd-csi-driver/", "pkg/parameters", "deploy/kubernetes/base"],
    },
  },
  {
    name: "filestore.csi.storage.gke.io",
    title: "Google Filestore",
    traits: {
      ...fileShare,
      podInfoOnMount: true,
      topologyKey: "topology.gke.io/zone",
      capabilityRefusal: "driver only supports mount access type volume capability",
      snapshots: true,
      modify: true,
      roundUpTo: "1Gi",
      minSize: "100Gi",
      maxSize: "65433Gi",
      defaultSize: "1024Gi",
      sidecars: { provisionTimeoutMs: 250_000, retryMaxMs: 60_000, extraCreateMetadata: false },
    },
    parameters: [
      "tier",
      "network",
      "connect-mode",
      "reserved-ipv4-cidr",
      "reserved-ip-range",
      "instance-encryption-kms-key",
      "labels",
      "multishare",
    ],
    parameterValues: {
      tier: ["standard", "premium", "enterprise", "zonal", "regional"],
      network: ["default"],
    },
    source: {
      repository: "kubernetes-sigs/gcp-filestore-csi-driver",
      commit: "2edb466",
      files: ["pkg/csi_driver/", "deploy/kubernetes/base"],
    },
  },
];
