/** The clusters of smaller clouds, with the classes that they ship. Sources are listed with the drivers in csi/catalogue. */
import type { NodeProfile } from "../scenario.ts";
import { type DistributionProfile, storageClass, workers } from "./profile.ts";

/** Machines in one region that has no zones. */
function inRegion(
  names: readonly string[],
  region: string,
  driverKey: string,
): readonly NodeProfile[] {
  const labels = { "topology.kubernetes.io/region": region, [driverKey]: region };
  return names.map((name) => ({ name, labels }));
}

const digitalOcean = "dobs.csi.digitalocean.com";

/** Upstream: digitalocean/csi-digitalocean deploy/kubernetes/releases. */
const doks: DistributionProfile = {
  name: "doks",
  title: "DigitalOcean DOKS: one region, block storage driver, default class do-block-storage",
  nodes: inRegion(["pool-1-a", "pool-1-b", "pool-1-c"], "nyc1", "region"),
  drivers: [digitalOcean],
  manifests: [
    ...(["", "-xfs"] as const).flatMap((fileSystem) =>
      (["", "-retain"] as const).map((end) =>
        storageClass(`do-block-storage${fileSystem}${end}`, digitalOcean, {
          isDefault: fileSystem === "" && end === "",
          ...(fileSystem === "-xfs" && { parameters: { "csi.storage.k8s.io/fstype": "xfs" } }),
          reclaimPolicy: end === "" ? "Delete" : "Retain",
          expandable: true,
        }),
      ),
    ),
    {
      apiVersion: "snapshot.storage.k8s.io/v1",
      kind: "VolumeSnapshotClass",
      metadata: {
        name: "do-block-storage",
        annotations: { "snapshot.storage.kubernetes.io/is-default-class": "true" },
      },
      driver: digitalOcean,
      deletionPolicy: "Delete",
    },
  ],
  tellTale: [digitalOcean],
};

const linode = "linodebs.csi.linode.com";

/** Upstream: linode/linode-blockstorage-csi-driver helm-chart/csi-driver. */
const lke: DistributionProfile = {
  name: "lke",
  title: "Linode LKE: one region, block storage driver, default class linode-block-storage-retain",
  nodes: inRegion(
    ["lke-pool-1", "lke-pool-2", "lke-pool-3"],
    "us-east",
    "topology.linode.com/region",
  ),
  drivers: [linode],
  manifests: [
    storageClass("linode-block-storage-retain", linode, {
      isDefault: true,
      reclaimPolicy: "Retain",
      expandable: true,
    }),
    storageClass("linode-block-storage", linode, { expandable: true }),
  ],
  tellTale: [linode],
};

const hetznerCloud = "csi.hetzner.cloud";

/** It has no Kubernetes of its own: its driver is installed in any distribution. Upstream: hetznercloud/csi-driver chart. */
const hetzner: DistributionProfile = {
  name: "hetzner",
  title: "Hetzner Cloud: three machines in one location, default class hcloud-volumes",
  nodes: inRegion(["hetzner-1", "hetzner-2", "hetzner-3"], "fsn1", "csi.hetzner.cloud/location"),
  drivers: [hetznerCloud],
  manifests: [
    storageClass("hcloud-volumes", hetznerCloud, {
      isDefault: true,
      binding: "WaitForFirstConsumer",
      expandable: true,
    }),
  ],
  tellTale: [hetznerCloud],
  isPortable: true,
};

const oracleBlocks = "blockvolume.csi.oraclecloud.com";
const oracleFiles = "fss.csi.oraclecloud.com";

const oracleFlex = "oracle.com/oci";

/**
 * Upstream: oracle/oci-cloud-controller-manager manifests/container-storage-interface, manifests/volume-provisioner;
 * docs.oracle.com "Provisioning PVCs on the Block Volume Service".
 */
const oke: DistributionProfile = {
  name: "oke",
  title:
    "Oracle OKE: three availability domains, block volume and file drivers, default class oci-bv",
  nodes: workers("oke", ["UK-LONDON-1-AD-1", "UK-LONDON-1-AD-2", "UK-LONDON-1-AD-3"], {
    "topology.kubernetes.io/region": "uk-london-1",
  }),
  drivers: [oracleBlocks, oracleFiles, oracleFlex],
  manifests: [
    storageClass("oci-bv", oracleBlocks, {
      isDefault: true,
      binding: "WaitForFirstConsumer",
      expandable: true,
    }),
    storageClass("oci", oracleFlex),
  ],
  tellTale: [oracleBlocks, oracleFiles, oracleFlex, "lustre.csi.oraclecloud.com"],
};

export const smallerClouds: readonly DistributionProfile[] = [doks, lke, hetzner, oke];
