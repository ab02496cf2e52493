/**
 * Class names that clouds and installers customarily give a driver's classes. They suffice to say what a claim cannot have, not
 * that the class exists.
 */
const classNames: Readonly<Record<string, readonly string[]>> = {
  "dobs.csi.digitalocean.com": [
    "do-block-storage",
    "do-block-storage-retain",
    "do-block-storage-xfs",
    "do-block-storage-xfs-retain",
  ],
  "csi.hetzner.cloud": ["hcloud-volumes"],
  "linodebs.csi.linode.com": ["linode-block-storage", "linode-block-storage-retain"],
  "storage.csi.upcloud.com": ["upcloud-block-storage-maxiops", "upcloud-block-storage-hdd"],
  "csi.civo.com": ["civo-volume"],
  "csi.scaleway.com": ["scw-bssd", "scw-bssd-retain"],
  "blockvolume.csi.oraclecloud.com": ["oci-bv"],
  "ebs.csi.aws.com": ["gp3", "gp2-csi", "gp3-csi"],
  "openshift-storage.rbd.csi.ceph.com": ["ocs-storagecluster-ceph-rbd"],
};

const driverOfName: ReadonlyMap<string, string> = new Map(
  Object.entries(classNames).flatMap(([driver, names]) =>
    names.map((name): [string, string] => [name, driver]),
  ),
);

export function customaryDriver(className: string | undefined): string | undefined {
  return driverOfName.get(className ?? "");
}
