/**
 * Recognizes driver names that are misspelled, or that the driver has given up, so that nobody will have such a driver
 * installed. No upstream: Kubernetes accepts any name. Drivers of one vendor differ in the first part of their names, so a
 * difference there may as well mean another driver.
 */
import { noProvisioner } from "../../matching/csi-migration.ts";
import { knownDrivers } from "./catalogue.ts";
import { pathProvisionerNames } from "./path-provisioners.ts";

/** Drivers and provisioners in use that the catalogue does not describe. */
const othersInUse: readonly string[] = [
  "rook-ceph.rbd.csi.ceph.com",
  "rook-ceph.cephfs.csi.ceph.com",
  "rook-ceph.nfs.csi.ceph.com",
  "ossplugin.csi.alibabacloud.com",
  "com.tencent.cloud.csi.cfs",
  "com.tencent.cloud.csi.cfsturbo",
  "com.tencent.cloud.csi.cosfs",
  "com.tencent.cloud.csi.tcfs",
];

/**
 * Names from before CSI 1.0, which reversed the order of their parts and required domain names; Kubernetes 1.17 dropped support
 * for those drivers. Longhorn, LINSTOR, Ceph and NFS changed their names some releases later.
 */
const formerNames: ReadonlyMap<string, string> = new Map([
  ["com.amazon.aws.csi.ebs", "ebs.csi.aws.com"],
  ["com.digitalocean.csi.dobs", "dobs.csi.digitalocean.com"],
  ["com.google.csi.gcepd", "pd.csi.storage.gke.io"],
  ["com.linode.csi.linodebs", "linodebs.csi.linode.com"],
  ["csi-cephfsplugin", "cephfs.csi.ceph.com"],
  ["csi-cinderplugin", "cinder.csi.openstack.org"],
  ["csi-nfsplugin", "nfs.csi.k8s.io"],
  ["csi-rbdplugin", "rbd.csi.ceph.com"],
  ["io.drbd.linstor-csi", "linstor.csi.linbit.com"],
  ["io.k8s.cloud-provider-vsphere.vsphere", "csi.vsphere.vmware.com"],
  ["io.rancher.longhorn", "driver.longhorn.io"],
]);

/** Tencent's TKE runs a provisioner for each class whose claims share a file system, named after the class. */
const ofSharedFileSystems = /^com\.tencent\.cloud\.csi\.tcfs\./;

/** Names that a class may rightly have as its provisioner. */
const provisionerNames: readonly string[] = [
  ...knownDrivers.map(({ name }) => name),
  ...pathProvisionerNames,
  ...othersInUse,
];

/** Names meant to say that a class has no provisioner; only `kubernetes.io/no-provisioner` really does. */
const meansNoProvisioner = /(?:^|\/)no-?provisioner$/i;

/** Names that tell a reader that volumes are created by hand; no provisioner has such a name. */
const handMade: ReadonlySet<string> = new Set(["manual", "none", "static"]);

/** True if no cluster is expected to have a provisioner of that name. */
export function isNobody(name: string): boolean {
  return handMade.has(name) || meansNoProvisioner.test(name);
}

/** The driver that was probably meant; undefined for a name that may be right but not described here. */
export function meantDriver(name: string): string | undefined {
  if (meansNoProvisioner.test(name)) return name === noProvisioner ? undefined : noProvisioner;
  return provisionerNames.includes(name) || ofSharedFileSystems.test(name)
    ? undefined
    : (formerNames.get(name) ?? provisionerNames.find((known) => isSlip(name, known)));
}

function isSlip(name: string, known: string): boolean {
  const plain = (given: string): string => given.toLowerCase().replace(/[^a-z0-9]/g, "");
  if (plain(name) === plain(known)) return true;
  const [parts, others] = [name.split(/[./]/), known.split(/[./]/)];
  const [first = ""] = parts;
  if (first !== others[0]) return false;
  if (parts.length !== others.length && tellsNothing.has(first)) return false;
  if (parts.length > others.length) return hasOneMore(parts, others);
  if (parts.length < others.length) return hasOneMore(others, parts);
  const differing = parts.flatMap((part, i) => (part === others[i] ? [] : [i]));
  const [only = 0] = differing;
  return differing.length === 1 && isOneEdit(parts[only] ?? "", others[only] ?? "");
}

/** First parts of names that do not tell which driver is meant. */
const tellsNothing: ReadonlySet<string> = new Set(["csi", "com", "org", "local"]);

/** True if `parts` has one part more than `others`, and is long enough to be recognized without it. */
function hasOneMore(parts: readonly string[], others: readonly string[]): boolean {
  if (parts.length < 4 || parts.length !== others.length + 1) return false;
  const at = parts.findIndex((part, i) => part !== others[i]);
  return at < others.length && parts.slice(at + 1).join() === others.slice(at).join();
}

/** True if the texts differ by one letter added, removed or replaced, or by two swapped neighbors. */
function isOneEdit(a: string, b: string): boolean {
  let start = 0;
  while (start < Math.min(a.length, b.length) && a[start] === b[start]) start++;
  let end = 0;
  const endMax = Math.min(a.length, b.length) - start;
  while (end < endMax && a.at(-1 - end) === b.at(-1 - end)) end++;
  const [mine, theirs] = [a.slice(start, a.length - end), b.slice(start, b.length - end)];
  if (mine.length <= 1 && theirs.length <= 1) return true;
  return mine.length === 2 && theirs === `${mine[1]}${mine[0]}`;
}
