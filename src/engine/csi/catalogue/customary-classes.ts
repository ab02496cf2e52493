/**
 * Class names that clouds and installers customarily give a driver's classes. They suffice to say what a claim cannot have, and
 * whose class it probably is, not that the class exists. Upstream: the clouds' documentation, and what `kubectl get storageclass`
 * prints there.
 */

/** The classes of one driver. */
interface Customary {
  readonly driver: string;
  readonly names: readonly string[];
  /** Who ships them; absent if it is only a custom. */
  readonly shipper?: string;
}

const customary: readonly Customary[] = [
  {
    shipper: "DigitalOcean DOKS",
    driver: "dobs.csi.digitalocean.com",
    names: [
      "do-block-storage",
      "do-block-storage-retain",
      "do-block-storage-xfs",
      "do-block-storage-xfs-retain",
    ],
  },
  { shipper: "Hetzner Cloud", driver: "csi.hetzner.cloud", names: ["hcloud-volumes"] },
  {
    shipper: "Linode LKE",
    driver: "linodebs.csi.linode.com",
    names: ["linode-block-storage", "linode-block-storage-retain"],
  },
  {
    shipper: "UpCloud's Kubernetes",
    driver: "storage.csi.upcloud.com",
    names: ["upcloud-block-storage-maxiops", "upcloud-block-storage-hdd"],
  },
  { shipper: "Civo's Kubernetes", driver: "csi.civo.com", names: ["civo-volume"] },
  {
    shipper: "Scaleway Kapsule",
    driver: "csi.scaleway.com",
    names: ["sbs-default", "scw-bssd", "scw-bssd-retain"],
  },
  { shipper: "Exoscale SKS", driver: "csi.exoscale.com", names: ["exoscale-sbs"] },
  {
    shipper: "Vultr VKE",
    driver: "block.csi.vultr.com",
    names: ["vultr-block-storage", "vultr-block-storage-hdd", "vultr-block-storage-retain"],
  },
  {
    shipper: "OVHcloud's Kubernetes",
    driver: "cinder.csi.openstack.org",
    names: ["csi-cinder-classic", "csi-cinder-high-speed", "csi-cinder-high-speed-gen2"],
  },
  {
    shipper: "IBM Cloud on VPC",
    driver: "vpc.block.csi.ibm.io",
    names: ["10iops-tier", "5iops-tier", "general-purpose"].flatMap((profile) =>
      ["", "retain-", "metro-", "metro-retain-"].map((kind) => `ibmc-vpc-block-${kind}${profile}`),
    ),
  },
  {
    shipper: "Huawei CCE",
    driver: "everest-csi-provisioner",
    names: ["csi-disk", "csi-disk-topology", "csi-nas", "csi-obs", "csi-sfs", "csi-sfsturbo"],
  },
  { shipper: "Oracle OKE", driver: "blockvolume.csi.oraclecloud.com", names: ["oci-bv"] },
  {
    shipper: "Azure AKS with its Blob driver",
    driver: "blob.csi.azure.com",
    names: ["azureblob-fuse-premium", "azureblob-nfs-premium"],
  },
  { driver: "ebs.csi.aws.com", names: ["gp3"] },
  { shipper: "OpenShift on AWS", driver: "ebs.csi.aws.com", names: ["gp2-csi", "gp3-csi"] },
  { shipper: "OpenShift on vSphere", driver: "csi.vsphere.vmware.com", names: ["thin-csi"] },
  {
    shipper: "OpenShift Data Foundation",
    driver: "openshift-storage.rbd.csi.ceph.com",
    names: ["ocs-storagecluster-ceph-rbd", "ocs-storagecluster-ceph-rbd-virtualization"],
  },
  {
    shipper: "OpenShift Data Foundation",
    driver: "openshift-storage.cephfs.csi.ceph.com",
    names: ["ocs-storagecluster-cephfs"],
  },
];

const byName: ReadonlyMap<string, Customary> = new Map(
  customary.flatMap((one) => one.names.map((name): [string, Customary] => [name, one])),
);

/** The driver that classes of this name usually have, with who ships such a class; undefined if that is not known. */
export function customaryClass(
  className: string,
): { readonly driver: string; readonly shipper?: string } | undefined {
  return byName.get(className);
}

export function customaryDriver(className: string | undefined): string | undefined {
  return byName.get(className ?? "")?.driver;
}
