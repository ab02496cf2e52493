/** Rules that every entry of the catalogue follows, and sizes and attributes of single drivers. */
import assert from "node:assert/strict";
import { parseQuantity } from "../../../src/engine/api/quantity.ts";
import { Backend } from "../../../src/engine/csi/backend.ts";
import { knownDriver, knownDrivers } from "../../../src/engine/csi/catalogue/catalogue.ts";
import { controllerService } from "../../../src/engine/csi/controller-service.ts";
import { driverProfile } from "../../../src/engine/csi/driver-profile.ts";
import type { VolumeCapability } from "../../../src/engine/csi/messages.ts";
import { refuse } from "../../../src/engine/csi/rpc.ts";
import { nodes } from "./create-volume.ts";

const gi = 1024 ** 3;

/** Returns the gibibytes that the driver makes a volume whose claim requests `gibibytes`. */
function made(
  driver: string,
  gibibytes: number,
  parameters: Readonly<Record<string, string>> = {},
  capability: VolumeCapability = { mount: {} },
): number {
  const { traits } = knownDriver(driver) ?? assert.fail(driver);
  const backend = new Backend(driverProfile({ ...traits, name: driver }), []);
  const size = backend.sizes.rounded(BigInt(gibibytes * gi), { capability, parameters });
  return Number(size) / gi;
}

const modes = new Set(["ReadWriteOnce", "ReadOnlyMany", "ReadWriteMany", "ReadWriteOncePod"]);

suite("driver catalogue", () => {
  test("each driver has one entry, with a source", () => {
    const names = knownDrivers.map(({ name }) => name);
    assert.equal(new Set(names).size, names.length);
    for (const { name, source } of knownDrivers) {
      assert.match(source.repository, /^[\w.-]+\/[\w.-]+$/, name);
      assert.match(source.commit, /^[0-9a-f]{7}$/, name);
      assert.ok(source.files.length > 0, name);
    }
  });

  test("sizes are quantities, and access modes are those of Kubernetes", () => {
    for (const { name, traits } of knownDrivers) {
      const profile = driverProfile({ ...traits, name });
      const { roundUpTo, roundLargeUpTo = roundUpTo, minSize, maxSize } = profile;
      for (const size of [roundUpTo, roundLargeUpTo, minSize, maxSize ?? "1Ti"]) {
        assert.notEqual(parseQuantity(size), undefined, `${name} ${size}`);
      }
      for (const mode of [...profile.accessModes, ...(profile.blockAccessModes ?? [])]) {
        assert.ok(modes.has(mode), `${name} ${mode}`);
      }
    }
  });

  test("Lustre file systems are sized in steps that depend on their deployment type", () => {
    const lustre = (gibibytes: number, parameters = {}): number =>
      made("fsx.csi.aws.com", gibibytes, parameters);
    assert.deepEqual(
      [1, 1201, 2401, 3601].map((size) => lustre(size)),
      [1200, 2400, 3600, 7200],
    );
    const persistent = { deploymentType: "PERSISTENT_2" };
    assert.deepEqual(
      [1, 1201, 2401].map((size) => lustre(size, persistent)),
      [1200, 2400, 4800],
    );
    const disks = { deploymentType: "PERSISTENT_1", storageType: "HDD" };
    assert.equal(lustre(1, { ...disks, perUnitStorageThroughput: "12" }), 6000);
    assert.equal(lustre(1801, { ...disks, perUnitStorageThroughput: "40" }), 3600);
    assert.equal(lustre(1, disks), 1800);
    assert.equal(lustre(1, { ...persistent, perUnitStorageThroughput: "12" }), 1200);
  });

  test("volumes that are too small are made larger only by drivers that do that", () => {
    const filestore = (tier: string): number => made("filestore.csi.storage.gke.io", 1, { tier });
    assert.deepEqual(["", "Premium", "zonal"].map(filestore), [100, 2560, 1024]);
    const share = { tier: "enterprise", multishare: "true" };
    assert.equal(made("filestore.csi.storage.gke.io", 20, share), 20);
    assert.equal(made("disk.csi.azure.com", 8), 8);
    assert.equal(made("blockvolume.csi.oraclecloud.com", 8), 50);
    assert.equal(made("vpc.block.csi.ibm.io", 8, { profile: "custom" }), 10);
    assert.equal(made("vpc.block.csi.ibm.io", 8, { profile: "sdp" }), 8);
    assert.equal(made("disk.csi.azure.com", 8, { enablePerformancePlus: "true" }), 513);
    assert.equal(made("file.csi.azure.com", 8), 8);
    assert.equal(made("file.csi.azure.com", 8, { storageAccountType: "Premium_LRS" }), 100);
    assert.equal(made("file.csi.azure.com", 8, { skuName: "PremiumV2_ZRS", protocol: "nfs" }), 32);
    assert.equal(made("file.csi.azure.com", 8, { protocol: "nfs" }), 100);
    const auto = { volumeSizeAutoAvailable: "true" };
    assert.equal(made("diskplugin.csi.alibabacloud.com", 8, auto), 20);
    const topolvm = (capability: VolumeCapability): number =>
      made("topolvm.io", 1 / 1024, {}, capability) * 1024;
    assert.equal(topolvm({ mount: { fs_type: "xfs" } }), 300);
    assert.equal(topolvm({ mount: { fs_type: "ext4" } }), 32);
    assert.equal(topolvm({ mount: {} }), 1);
    assert.equal(topolvm({ block: {} }), 8);
  });

  test("required parameters are among the known ones", () => {
    for (const { name, parameters, requiredParameters = [] } of knownDrivers) {
      if (parameters === undefined) continue;
      for (const key of requiredParameters) assert.ok(parameters.includes(key), `${name} ${key}`);
    }
  });

  test("Rook's driver names are Ceph's with the operator's namespace as a prefix", () => {
    assert.equal(knownDriver("rook-ceph.rbd.csi.ceph.com")?.title, "Ceph RBD");
  });

  test("TopoLVM's keys begin with the driver's name", () => {
    for (const name of ["topolvm.io", "topolvm.cybozu.com"]) {
      const { traits, parameters } = knownDriver(name) ?? assert.fail(name);
      assert.equal(traits.topologyKey, `topology.${name}/node`);
      assert.deepEqual(parameters, [`${name}/device-class`, `${name}/lvcreate-option-class`]);
    }
  });

  test("Linode's disks have whole gibibytes, and their file systems grow without the node's help", () => {
    const { traits } = knownDriver("linodebs.csi.linode.com") ?? assert.fail();
    const backend = new Backend(driverProfile({ ...traits, name: "linodebs" }), nodes);
    const sized = (gibibytes: number): object => ({ required_bytes: String(gibibytes * gi) });
    const volume_capabilities = [{ mount: {}, access_mode: { mode: "SINGLE_NODE_WRITER" } }];
    const disk = { name: "pvc-1", volume_capabilities, capacity_range: sized(12.5) };
    const call = (name: string, request: object): unknown =>
      controllerService[name]?.(backend, request, 0);
    call("CreateVolume", disk);
    const [volume_id = ""] = backend.volumes.keys();
    assert.match(volume_id, /^\d+-pvc-1$/);
    assert.deepEqual(call("ControllerExpandVolume", { volume_id, capacity_range: sized(20.5) }), {
      capacity_bytes: String(20.5 * gi),
      node_expansion_required: false,
    });
    assert.equal(backend.volumes.get(volume_id)?.size, BigInt(20 * gi));
  });

  test("volumes of FSx for OpenZFS do not grow, file systems do", () => {
    const { traits } = knownDriver("fsx.openzfs.csi.aws.com") ?? assert.fail();
    const grown = (parameters: object, gibibytes: number): unknown => {
      const backend = new Backend(driverProfile({ ...traits, name: "fsx" }), nodes);
      const volume_capabilities = [{ mount: {}, access_mode: { mode: "MULTI_NODE_MULTI_WRITER" } }];
      const sized = (size: number): object => ({
        capacity_range: { required_bytes: String(size * gi) },
      });
      const call = (name: string, request: object): unknown =>
        controllerService[name]?.(backend, request, 0);
      call("CreateVolume", { name: "a", volume_capabilities, parameters, ...sized(gibibytes) });
      const [volume_id] = backend.volumes.keys();
      return call("ControllerExpandVolume", { volume_id, ...sized(2 * gibibytes) });
    };
    const text = "Storage of ResourceType Volume can not be scaled";
    assert.deepEqual(grown({ ResourceType: "volume" }, 1), refuse("Unimplemented", text));
    const fileSystem = { ResourceType: "filesystem", SkipFinalBackupOnDeletion: "true" };
    assert.deepEqual(grown(fileSystem, 64), {
      capacity_bytes: String(128 * gi),
      node_expansion_required: false,
    });
  });

  test("some drivers give volumes other attributes than their class's parameters", () => {
    const attributes = (driver: string, parameters: object): unknown => {
      const { traits } = knownDriver(driver) ?? assert.fail(driver);
      const backend = new Backend(driverProfile({ ...traits, name: driver }), nodes);
      const volume_capabilities = [{ mount: {}, access_mode: { mode: "SINGLE_NODE_WRITER" } }];
      const request = { name: "pvc-1", volume_capabilities, parameters: { ...parameters } };
      const reply = controllerService["CreateVolume"]?.(backend, request, 0) ?? {};
      const volume = reply as { readonly volume: { readonly volume_context: unknown } };
      return volume.volume.volume_context;
    };
    assert.deepEqual(attributes("csi.hetzner.cloud", { labels: "a=b" }), { fsFormatOptions: "" });
    const luks = { "linodebs.csi.linode.com/luks-encrypted": "true" };
    assert.deepEqual(attributes("linodebs.csi.linode.com", luks), {
      "topology.linode.com/region": "a",
      ...luks,
    });
    assert.deepEqual(attributes("linodebs.csi.linode.com", {}), {
      "topology.linode.com/region": "a",
    });
    assert.deepEqual(attributes("csi.trident.netapp.io", { backendType: "ontap-nas" }), {
      backendUUID: "…",
      internalName: "…",
      name: "pvc-1",
      protocol: "…",
    });
    assert.deepEqual(attributes("zfs.csi.openebs.io", { poolName: "tank", fstype: "zfs" }), {
      "openebs.io/cas-type": "localpv-zfs",
      "openebs.io/poolname": "tank",
    });
    assert.deepEqual(attributes("local.csi.openebs.io", { volgroup: "vg", storage: "lvm" }), {
      "openebs.io/cas-type": "localpv-lvm",
      "openebs.io/volgroup": "vg",
    });
    const cinder = { type: "fast", "mkfs-options": "-m0" };
    assert.deepEqual(attributes("cinder.csi.openstack.org", cinder), { "mkfs-options": "-m0" });
    assert.deepEqual(attributes("topolvm.io", { "topolvm.io/device-class": "ssd" }), {});
  });

  test("Mayastor's volumes are reachable from every node", () => {
    const { traits } = knownDriver("io.openebs.csi-mayastor") ?? assert.fail();
    const backend = new Backend(driverProfile({ ...traits, name: "mayastor" }), nodes);
    assert.deepEqual(backend.place(undefined, 1n, {}), []);
  });

  test("a driver without an entry is unknown", () => {
    assert.equal(knownDriver("unheard.example.com"), undefined);
  });
});
