/** The device calls of the kubelet's CSI plugin, one at a time. */
import assert from "node:assert/strict";
import type { KubeObject } from "../../../src/engine/api/meta.ts";
import type { PersistentVolume, Pod } from "../../../src/engine/api/types.ts";
import { type DriverProfile, driverProfile } from "../../../src/engine/csi/driver-profile.ts";
import { ObjectCache } from "../../../src/engine/kubelet/object-cache.ts";
import { csiPlugin } from "../../../src/engine/kubelet/volumes/csi.ts";
import { csiDeviceDirectory, csiStagingPath } from "../../../src/engine/kubelet/volumes/paths.ts";
import type {
  MountRequest,
  VolumeHost,
  VolumeResult,
  VolumeSpec,
} from "../../../src/engine/kubelet/volumes/plugin.ts";
import type { Task } from "../../../src/engine/runtime/effects.ts";
import { Runtime } from "../../../src/engine/runtime/runtime.ts";
import { attachmentName, csiPluginName } from "../../../src/engine/volume/volume-names.ts";
import { blockDriver, nodeA } from "./node-fixture.ts";

const driver = blockDriver.name;
const pod = { metadata: { name: "p", namespace: "default", uid: "u" }, spec: {} } as Pod;
const persistentVolume = {
  metadata: { name: "pv" },
  spec: { accessModes: ["ReadWriteOnce"], csi: { driver, volumeHandle: "vol", fsType: "ext4" } },
} as unknown as PersistentVolume;
const persistent: VolumeSpec = { name: "pv", persistentVolume, readOnly: false };
const attachment = {
  apiVersion: "storage.k8s.io/v1",
  kind: "VolumeAttachment",
  metadata: { name: attachmentName("vol", driver, nodeA.name), uid: "a" },
  spec: { attacher: driver, nodeName: nodeA.name, source: { persistentVolumeName: "pv" } },
  status: { attached: true },
} as unknown as KubeObject;
const device = { uniqueName: `${csiPluginName}/${driver}^vol`, specName: "pv" };

/** A node with the driver, on which only the test acts. */
class Node {
  readonly runtime: Runtime;

  constructor(objects: readonly KubeObject[], profile: DriverProfile = blockDriver) {
    this.runtime = new Runtime({
      version: "1.36",
      seed: 1,
      cluster: { name: "test", nodes: [nodeA], drivers: [profile], manifests: [] },
      steps: [],
    });
    for (const object of objects) this.runtime.api.restore(object);
  }

  run(
    action: (host: VolumeHost) => Task<VolumeResult> | undefined,
    isRegistered: () => boolean = () => true,
  ): VolumeResult {
    let result: VolumeResult;
    this.runtime.start({
      name: "kubelet",
      source: "kubelet",
      start: (context) => {
        const machine = context.machine(nodeA.name);
        assert.ok(machine !== undefined);
        const { name: nodeName } = nodeA;
        const objects = new ObjectCache(context);
        const asked = { isRegistered, askLimit: () => undefined };
        const task = action({ context, machine, nodeName, hostIp: "", objects, ...asked });
        assert.ok(task !== undefined);
        context.go(task, (answer) => {
          result = answer;
        });
      },
    });
    const { loop } = this.runtime;
    while (loop.next !== undefined) loop.step();
    return result;
  }

  waitForAttach(): VolumeResult {
    return this.run((host) => csiPlugin.waitForAttach?.(host, persistent));
  }

  mountDevice(spec: VolumeSpec = persistent): VolumeResult {
    const request: MountRequest = { spec, pod };
    return this.run((host) => csiPlugin.mountDevice?.(host, request));
  }

  setUp(): VolumeResult {
    const request = { spec: persistent, pod };
    return this.run((host) => csiPlugin.setUp(host, request));
  }

  unmountDevice(): VolumeResult {
    return this.run((host) => csiPlugin.unmountDevice?.(host, device));
  }

  fail(call: string, code: string): this {
    this.runtime.drivers.setFault({ driver, call, code });
    return this;
  }

  get calls(): readonly string[] {
    return this.runtime.trace.entries.flatMap((e) => (e.type === "call" ? [e.call] : []));
  }

  exists(path: string): boolean {
    return this.runtime.machines.get(nodeA.name)?.files.exists(path) === true;
  }
}

suite("kubelet: CSI devices", () => {
  test("the wait for an attachment checks it once, and its error says what was found", () => {
    const name = attachmentName("vol", driver, nodeA.name);
    const started = { ...attachment, status: { attached: false } } as KubeObject;
    const error = (...objects: readonly KubeObject[]): string | undefined =>
      new Node(objects).waitForAttach()?.error;
    assert.equal(error(attachment), undefined);
    assert.equal(error(started), `volume vol is not attached for volume attachment ${name}`);
    assert.equal(
      error(),
      `volume vol has GET error for volume attachment ${name}: volumeattachments.storage.k8s.io "${name}" not found`,
    );
  });

  test("without its VolumeAttachment a volume is not staged, and its directory is removed", () => {
    const node = new Node([]);
    const name = attachmentName("vol", driver, nodeA.name);
    assert.deepEqual(node.mountDevice(), {
      kind: "transient",
      error: `volumeattachments.storage.k8s.io "${name}" not found`,
    });
    assert.deepEqual(node.calls, []);
    assert.equal(node.exists(csiDeviceDirectory(driver, "vol")), false);
  });

  test("without its VolumeAttachment a raw device is neither staged nor published, even if the driver is gone too", () => {
    const name = attachmentName("vol", driver, nodeA.name);
    const request: MountRequest = { spec: persistent, pod };
    const error = (step: string): VolumeResult => ({
      kind: "transient",
      error: `kubernetes.io/csi: blockMapper.${step} failed to get volume attachment [id=${name}]: volumeattachments.storage.k8s.io "${name}" not found`,
    });
    for (const isRegistered of [() => true, () => false]) {
      const node = new Node([]);
      const setUp = node.run((host) => csiPlugin.block?.setUpDevice(host, request), isRegistered);
      assert.deepEqual(setUp, error("SetupDevice"));
      const map = node.run((host) => csiPlugin.block?.mapPodDevice(host, request), isRegistered);
      assert.deepEqual(map, error("MapPodDevice"));
      assert.deepEqual(node.calls, []);
    }
  });

  test("a VolumeAttachment need not name a device", () => {
    const node = new Node([attachment]);
    assert.equal(node.mountDevice(), undefined);
    assert.deepEqual(node.calls, ["NodeStageVolume"]);
  });

  test("an inline volume has no device to mount", () => {
    const node = new Node([attachment]);
    const volume = { name: "data", csi: { driver } };
    assert.deepEqual(node.mountDevice({ name: "data", volume, readOnly: false }), {
      kind: "final",
      error:
        "kubernetes.io/csi: attacher.MountDevice failed to get CSIPersistentVolumeSource: unexpected api.CSIVolumeSource found in volume.Spec",
    });
    assert.deepEqual(node.calls, []);
  });

  test("a stage call that timed out may have worked, so its directory stays", () => {
    const node = new Node([attachment]).fail("NodeStageVolume", "DeadlineExceeded");
    assert.equal(node.mountDevice()?.kind, "uncertain");
    assert.equal(node.exists(csiStagingPath(driver, "vol")), true);
    assert.deepEqual(node.runtime.machines.get(nodeA.name)?.mounts.entries, []);
    const sure = new Node([attachment]).fail("NodeStageVolume", "Internal");
    assert.equal(sure.mountDevice()?.kind, "final");
    assert.equal(sure.exists(csiDeviceDirectory(driver, "vol")), false);
  });

  test("a volume that was never staged is not unstaged", () => {
    const node = new Node([attachment]);
    assert.equal(node.unmountDevice(), undefined);
    assert.deepEqual(node.calls, []);
  });

  test("for a driver that does not stage only the directory is removed", () => {
    const node = new Node([attachment], driverProfile({ name: driver, stageUnstage: false }));
    assert.equal(node.mountDevice(), undefined);
    assert.equal(node.exists(csiStagingPath(driver, "vol")), true);
    assert.equal(node.unmountDevice(), undefined);
    assert.equal(node.exists(csiDeviceDirectory(driver, "vol")), false);
    assert.deepEqual(node.calls, []);
  });

  test("a publish call that timed out may have worked, so its directory stays", () => {
    const node = new Node([attachment]).fail("NodePublishVolume", "DeadlineExceeded");
    assert.equal(node.mountDevice(), undefined);
    assert.equal(node.setUp()?.kind, "uncertain");
    assert.equal(node.exists("/var/lib/kubelet/pods/u/volumes/kubernetes.io~csi/pv"), true);
  });
});
