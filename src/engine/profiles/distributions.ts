/**
 * The distributions that a workspace can be meant for, with the classes and drivers that each ships today. Sources are the
 * distributions' own manifests, listed with the drivers in csi/catalogue.
 */
import { awsRegionOf, gceRegionOf } from "../matching/cloud-regions.ts";
import { type DistributionProfile, storageClass, workers } from "./profile.ts";
import { smallerClouds } from "./smaller-clouds.ts";

/** Used if nothing tells which distribution is meant. */
export const generic: DistributionProfile = {
  name: "generic",
  title: "three zones with a node in each, no classes, no drivers of its own",
  nodes: workers("node", ["zone-a", "zone-b", "zone-c"]),
  drivers: [],
  manifests: [],
  tellTale: [],
};

const kind: DistributionProfile = {
  name: "kind",
  title: "kind: one node, local-path volumes",
  nodes: [{ name: "kind-control-plane" }],
  hasRealNames: true,
  drivers: ["rancher.io/local-path"],
  localPath: "/var/local-path-provisioner",
  manifests: [
    storageClass("standard", "rancher.io/local-path", {
      isDefault: true,
      binding: "WaitForFirstConsumer",
    }),
  ],
  tellTale: [],
};

const minikube: DistributionProfile = {
  name: "minikube",
  title: "minikube: one node, host path volumes",
  nodes: [{ name: "minikube" }],
  hasRealNames: true,
  drivers: ["k8s.io/minikube-hostpath"],
  manifests: [storageClass("standard", "k8s.io/minikube-hostpath", { isDefault: true })],
  tellTale: ["k8s.io/minikube-hostpath"],
};

const dockerDesktop: DistributionProfile = {
  name: "docker-desktop",
  title: "Docker Desktop: one node, host path volumes",
  nodes: [{ name: "docker-desktop" }],
  hasRealNames: true,
  drivers: ["docker.io/hostpath"],
  manifests: [storageClass("hostpath", "docker.io/hostpath", { isDefault: true })],
  tellTale: ["docker.io/hostpath"],
};

const microk8s: DistributionProfile = {
  name: "microk8s",
  title: "MicroK8s with the hostpath-storage addon: one node, host path volumes",
  nodes: [{ name: "microk8s" }],
  drivers: ["microk8s.io/hostpath"],
  manifests: [
    storageClass("microk8s-hostpath", "microk8s.io/hostpath", {
      isDefault: true,
      binding: "WaitForFirstConsumer",
    }),
  ],
  tellTale: ["microk8s.io/hostpath"],
};

const k3s: DistributionProfile = {
  name: "k3s",
  title: "k3s: a server and two agents, local-path volumes",
  nodes: [{ name: "k3s-server" }, { name: "k3s-agent-1" }, { name: "k3s-agent-2" }],
  drivers: ["rancher.io/local-path"],
  localPath: "/var/lib/rancher/k3s/storage",
  manifests: [
    storageClass("local-path", "rancher.io/local-path", {
      isDefault: true,
      binding: "WaitForFirstConsumer",
    }),
  ],
  tellTale: ["rancher.io/local-path"],
  isPortable: true,
};

const eks: DistributionProfile = {
  name: "eks",
  title: "Amazon EKS: three zones, EBS and EFS drivers, class gp2 (not default since 1.30)",
  nodes: workers("ip-10-0-1", ["us-east-1a", "us-east-1b", "us-east-1c"], {
    "topology.kubernetes.io/region": "us-east-1",
  }),
  drivers: ["ebs.csi.aws.com", "efs.csi.aws.com"],
  manifests: [
    storageClass("gp2", "kubernetes.io/aws-ebs", {
      parameters: { type: "gp2", fsType: "ext4" },
      binding: "WaitForFirstConsumer",
    }),
  ],
  tellTale: ["ebs.csi.aws.com", "efs.csi.aws.com", "fsx.csi.aws.com", "kubernetes.io/aws-ebs"],
  regionOf: awsRegionOf,
};

export const driverOfAutoMode = "ebs.csi.eks.amazonaws.com";
const computeType = "eks.amazonaws.com/compute-type";

/** Auto Mode has its own driver; the class that every EKS cluster has is useless there. */
const eksAuto: DistributionProfile = {
  ...eks,
  name: "eks-auto",
  title: "Amazon EKS Auto Mode: three zones, its own EBS driver, no default class",
  nodes: workers("i-0a1b2c3d4e5f6a7b", ["us-east-1a", "us-east-1b", "us-east-1c"], {
    "topology.kubernetes.io/region": "us-east-1",
    [computeType]: "auto",
  }),
  drivers: [driverOfAutoMode],
  tellTale: [driverOfAutoMode, "efs.csi.aws.com", "fsx.csi.aws.com"],
};

/** A mixed cluster: nodes of Auto Mode, which have its own driver, next to other nodes. It can only be guessed, not named. */
export const eksWithAutoMode: DistributionProfile = {
  ...eks,
  title:
    "Amazon EKS with Auto Mode: in each of three zones a node of it and another one, class gp2",
  otherNodes: eksAuto.nodes,
  drivers: [...eks.drivers, ...eksAuto.drivers],
  runsOn(driver, { labels = {} }) {
    const isOfAutoMode = labels[computeType] === "auto";
    if (driver === driverOfAutoMode) return isOfAutoMode;
    // Upstream: the node affinity of charts/aws-ebs-csi-driver.
    return driver !== "ebs.csi.aws.com" || !isOfAutoMode;
  },
};

const gke: DistributionProfile = {
  name: "gke",
  title:
    "Google GKE: three zones, Persistent Disk and Filestore drivers, default class standard-rwo",
  nodes: workers("gke-pool-1", ["us-central1-a", "us-central1-b", "us-central1-c"], {
    "topology.kubernetes.io/region": "us-central1",
  }),
  drivers: ["pd.csi.storage.gke.io", "filestore.csi.storage.gke.io"],
  manifests: [
    storageClass("standard-rwo", "pd.csi.storage.gke.io", {
      isDefault: true,
      parameters: { type: "pd-balanced" },
      binding: "WaitForFirstConsumer",
      expandable: true,
    }),
    storageClass("premium-rwo", "pd.csi.storage.gke.io", {
      parameters: { type: "pd-ssd" },
      binding: "WaitForFirstConsumer",
      expandable: true,
    }),
    storageClass("standard", "kubernetes.io/gce-pd", {
      parameters: { type: "pd-standard" },
      expandable: true,
    }),
    // The classes of the Filestore driver, with their parameters.
    ...Object.entries({
      "standard-rwx": { tier: "standard" },
      "premium-rwx": { tier: "premium" },
      "zonal-rwx": { tier: "zonal" },
      "enterprise-rwx": { tier: "enterprise" },
      "enterprise-multishare-rwx": {
        tier: "enterprise",
        multishare: "true",
        "instance-storageclass-label": "enterprise-multishare-rwx",
      },
    }).map(([name, parameters]) =>
      storageClass(name, "filestore.csi.storage.gke.io", {
        parameters,
        binding: "WaitForFirstConsumer",
        expandable: true,
      }),
    ),
  ],
  tellTale: [
    "pd.csi.storage.gke.io",
    "filestore.csi.storage.gke.io",
    "gcsfuse.csi.storage.gke.io",
    "kubernetes.io/gce-pd",
  ],
  regionOf: gceRegionOf,
};

/**
 * From 1.29 on, disks in a cluster of several zones are zone-redundant. Upstream: MicrosoftDocs/azure-aks-docs
 * articles/aks/concepts-storage.md, commit 074b3da.
 */
const aks: DistributionProfile = {
  name: "aks",
  title: "Azure AKS: three zones, Azure Disk and Azure Files drivers, default class default",
  nodes: workers("aks-nodepool1", ["eastus-1", "eastus-2", "eastus-3"], {
    "topology.kubernetes.io/region": "eastus",
  }),
  drivers: ["disk.csi.azure.com", "file.csi.azure.com", "blob.csi.azure.com"],
  manifests: [
    storageClass("default", "disk.csi.azure.com", {
      isDefault: true,
      parameters: { skuname: "StandardSSD_ZRS" },
      binding: "WaitForFirstConsumer",
      expandable: true,
    }),
    ...["managed", "managed-csi"].map((name) =>
      storageClass(name, "disk.csi.azure.com", {
        parameters: { skuname: "StandardSSD_ZRS" },
        binding: "WaitForFirstConsumer",
        expandable: true,
      }),
    ),
    ...["managed-premium", "managed-csi-premium"].map((name) =>
      storageClass(name, "disk.csi.azure.com", {
        parameters: { skuname: "Premium_ZRS" },
        binding: "WaitForFirstConsumer",
        expandable: true,
      }),
    ),
    ...["azurefile", "azurefile-csi"].map((name) =>
      storageClass(name, "file.csi.azure.com", {
        parameters: { skuName: "Standard_LRS" },
        expandable: true,
        mountOptions: ["mfsymlinks", "actimeo=30", "nosharesock"],
      }),
    ),
    ...["azurefile-premium", "azurefile-csi-premium"].map((name) =>
      storageClass(name, "file.csi.azure.com", {
        parameters: { skuName: "Premium_LRS" },
        expandable: true,
        mountOptions: ["mfsymlinks", "actimeo=30", "nosharesock"],
      }),
    ),
  ],
  tellTale: [
    "disk.csi.azure.com",
    "file.csi.azure.com",
    "blob.csi.azure.com",
    "kubernetes.io/azure-disk",
    "kubernetes.io/azure-file",
  ],
};

const ack: DistributionProfile = {
  name: "ack",
  title: "Alibaba ACK: three zones, disk and NAS drivers, no default class",
  nodes: workers("cn-hangzhou.10.0.0", ["cn-hangzhou-h", "cn-hangzhou-i", "cn-hangzhou-j"], {
    "topology.kubernetes.io/region": "cn-hangzhou",
  }),
  drivers: [
    "diskplugin.csi.alibabacloud.com",
    "nasplugin.csi.alibabacloud.com",
    "ossplugin.csi.alibabacloud.com",
  ],
  manifests: [
    ...(["efficiency", "ssd", "essd"] as const).map((type) =>
      storageClass(`alicloud-disk-${type}`, "diskplugin.csi.alibabacloud.com", {
        parameters: { type: `cloud_${type}` },
        expandable: true,
      }),
    ),
    storageClass("alicloud-disk-topology-alltype", "diskplugin.csi.alibabacloud.com", {
      parameters: { type: "cloud_essd,cloud_ssd,cloud_efficiency" },
      binding: "WaitForFirstConsumer",
      expandable: true,
    }),
  ],
  tellTale: [
    "diskplugin.csi.alibabacloud.com",
    "nasplugin.csi.alibabacloud.com",
    "ossplugin.csi.alibabacloud.com",
  ],
};

const bareMetal: DistributionProfile = {
  name: "bare-metal",
  title: "bare metal: three machines, local disks and NFS by hand, no classes",
  nodes: [{ name: "metal-1" }, { name: "metal-2" }, { name: "metal-3" }],
  drivers: [],
  manifests: [],
  tellTale: [],
};

/** Upstream: rook deploy/examples/csi/rbd/storageclass.yaml, cephfs/storageclass.yaml. */
function rookSecretParameters(type: "rbd" | "cephfs"): Readonly<Record<string, string>> {
  const uses = {
    provisioner: "provisioner",
    "controller-expand": "provisioner",
    "node-stage": "node",
  };
  return Object.fromEntries(
    Object.entries(uses).flatMap(([use, role]) => [
      [`csi.storage.k8s.io/${use}-secret-name`, `rook-csi-${type}-${role}`],
      [`csi.storage.k8s.io/${use}-secret-namespace`, "rook-ceph"],
    ]),
  );
}

const rookCeph: DistributionProfile = {
  name: "rook-ceph",
  title: "Rook-Ceph on three machines: block and shared file classes",
  nodes: workers("rook", ["rack-1", "rack-2", "rack-3"]),
  drivers: ["rook-ceph.rbd.csi.ceph.com", "rook-ceph.cephfs.csi.ceph.com"],
  manifests: [
    storageClass("rook-ceph-block", "rook-ceph.rbd.csi.ceph.com", {
      parameters: { clusterID: "rook-ceph", pool: "replicapool", ...rookSecretParameters("rbd") },
      expandable: true,
    }),
    storageClass("rook-cephfs", "rook-ceph.cephfs.csi.ceph.com", {
      parameters: {
        clusterID: "rook-ceph",
        fsName: "myfs",
        pool: "myfs-replicated",
        ...rookSecretParameters("cephfs"),
      },
      expandable: true,
    }),
  ],
  tellTale: ["rook-ceph.rbd.csi.ceph.com", "rook-ceph.cephfs.csi.ceph.com"],
  isPortable: true,
};

const longhorn: DistributionProfile = {
  name: "longhorn",
  title: "Longhorn on three machines, default class longhorn",
  nodes: [{ name: "longhorn-1" }, { name: "longhorn-2" }, { name: "longhorn-3" }],
  drivers: ["driver.longhorn.io"],
  manifests: [
    storageClass("longhorn", "driver.longhorn.io", {
      isDefault: true,
      parameters: { numberOfReplicas: "3", staleReplicaTimeout: "30" },
      expandable: true,
    }),
    storageClass("longhorn-static", "driver.longhorn.io", {
      parameters: { numberOfReplicas: "3", staleReplicaTimeout: "30" },
      expandable: true,
    }),
  ],
  tellTale: ["driver.longhorn.io"],
  isPortable: true,
};

/** All profiles; the order decides between equally likely guesses. */
export const distributions: readonly DistributionProfile[] = [
  generic,
  eks,
  eksAuto,
  gke,
  aks,
  ack,
  ...smallerClouds,
  rookCeph,
  longhorn,
  k3s,
  kind,
  minikube,
  dockerDesktop,
  microk8s,
  bareMetal,
];
