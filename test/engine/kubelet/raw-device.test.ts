/** Volumes as raw devices: what can fail when they are mapped and unmapped, and what is left then. */
import assert from "node:assert/strict";
import type { Step } from "../../../src/engine/scenario.ts";
import { attachmentName } from "../../../src/engine/volume/volume-names.ts";
import { type Played, play } from "../../support/play.ts";
import { testWithFaults as test } from "../../support/same-end.ts";
import {
  advance,
  applied,
  asDevice,
  clear,
  clusterOf,
  deletePods,
  fault,
  fixture,
  nodeA,
  nodeCalls,
  podWithDevice,
  settle,
} from "./node-fixture.ts";

const cluster = clusterOf();
const device = asDevice("csi: { driver: block.csi.test, volumeHandle: vol }");
const started = applied(device, podWithDevice());
const playSteps = (...steps: readonly Step[]): Played => play("", { cluster, steps });
const plugin = (name: string, node: "up" | "down"): Step => ({
  type: "driver",
  name,
  node,
  nodeName: "node-a",
});
const kubelet = (state: "up" | "down" | "restart"): Step => ({
  type: "node",
  name: "node-a",
  kubelet: state,
});

const forced: Step = { type: "delete", objects: [{ kind: "Pod", name: "p", grace: 0 }] };
const mapped = 'MapVolume.MapPodDevice succeeded for volume "pv"';

/** Asserts that nothing of the volume is on the node, and that it is not attached. */
function isGone({ simulation }: Played): void {
  const { files, mounts } = simulation.runtime.machines.get("node-a") ?? {};
  const devices = "/var/lib/kubelet/plugins/kubernetes.io/csi/volumeDevices";
  const ofVolume = files?.below(devices).filter((path) => path.split("/").includes("pv"));
  assert.deepEqual([ofVolume, mounts?.entries], [[], []]);
  assert.deepEqual(simulation.runtime.api.store.list("VolumeAttachment"), []);
}

/** Upstream: getVolumesFromPodDir of reconstruct_common.go. */
function mayBeForgotten(played: Played, lines: Readonly<Record<string, string>>): void {
  played.mayEndOtherwise("a new kubelet looks for the links of pods, which went first", lines);
}

const detached = {
  "Pod p": "gone",
  [`VolumeAttachment ${attachmentName("vol", "block.csi.test", "node-a")}`]: "gone",
  "attached to node-a": "",
  "in use on node-a": "",
};

suite("kubelet: raw devices", () => {
  test("the kubelet waits for a driver that is not registered, to map and to unmap", () => {
    const name = "file.csi.test";
    const shared = asDevice(`csi: { driver: ${name}, volumeHandle: vol }`);
    const played = playSteps(
      plugin(name, "down"),
      ...applied(shared, podWithDevice()),
      advance(10),
      plugin(name, "up"),
      settle,
      plugin(name, "down"),
      deletePods("p"),
      advance(10),
    );
    const missing = `driver name ${name} not found in the list of registered CSI drivers`;
    assert.deepEqual(played.events("FailedMapVolume"), [
      `MapVolume.SetUpDevice failed for volume "pv" : kubernetes.io/csi: blockMapper.SetUpDevice failed to get CSI client: ${missing}`,
    ]);
    assert.equal(nodeCalls(played.simulation), "NS NP");
  });

  test("staging with a final error needs no unstaging, with an uncertain one it does", () => {
    const call = "NodeStageVolume";
    const after = [...started, advance(10), deletePods("p"), advance(60), settle];
    const sure = playSteps(fault(call, "Internal"), ...after);
    assert.match(nodeCalls(sure.simulation), /^(NS:Internal ?)+$/);
    isGone(sure);
    const unclear = playSteps(fault(call, "DeadlineExceeded"), ...after);
    assert.match(nodeCalls(unclear.simulation), /^(NS:DeadlineExceeded )+NU$/);
    isGone(unclear);
  });

  test("a staged device is unstaged even if it was never published", () => {
    const played = playSteps(
      fault("NodePublishVolume", "Internal"),
      ...started,
      advance(10),
      deletePods("p"),
      advance(60),
      settle,
    );
    const refused = "rpc error: code = Internal desc = NodePublishVolume refused";
    assert.deepEqual(played.events("FailedMapVolume"), [
      `MapVolume.MapPodDevice failed for volume "pv" : ${refused}`,
    ]);
    assert.match(nodeCalls(played.simulation), /^NS (NP:Internal )+.*NU$/);
    isGone(played);
  });

  test("a device that cannot be unpublished keeps the pod, one that cannot be unstaged only its attachment", () => {
    const [unpublish, unstage] = ["NodeUnpublishVolume", "NodeUnstageVolume"] as const;
    const up = [...started, settle];
    const held = playSteps(...up, fault(unpublish, "Internal"), deletePods("p"), advance(60));
    assert.notEqual(held.get("Pod", "p"), undefined);
    mayBeForgotten(held, detached);
    const staged = playSteps(...up, fault(unstage, "Internal"), deletePods("p"), advance(60));
    mayBeForgotten(staged, detached);
    assert.equal(staged.get("Pod", "p"), undefined);
    assert.equal(staged.list("VolumeAttachment").length, 1);
    assert.deepEqual(staged.events("FailedMapVolume"), []);
    const freed = playSteps(
      ...up,
      fault(unpublish, "Internal"),
      fault(unstage, "Internal"),
      deletePods("p"),
      advance(10),
      clear(unpublish),
      clear(unstage),
      advance(60),
      settle,
    );
    isGone(freed);
    mayBeForgotten(freed, {
      "/var/lib/kubelet/plugins/kubernetes.io/csi/volumeDevices/publish/pv/<uid Pod/default/p> on node-a":
        "mounted",
    });
  });

  test("a restarted kubelet finds and unmaps the device of a pod that is gone", () => {
    const kept = playSteps(...started, settle, kubelet("restart"), settle);
    assert.equal(kept.get("Pod", "p")?.status?.phase, "Running");
    const left = playSteps(
      ...started,
      settle,
      kubelet("down"),
      forced,
      advance(5),
      kubelet("restart"),
      advance(60),
      settle,
    );
    assert.match(nodeCalls(left.simulation), /^NS NP NX NU$/);
    isGone(left);
  });

  test("an iSCSI or Fibre Channel disk has its links in a folder of its target, which a restarted kubelet finds", () => {
    const iscsi = 'targetPortal: 10.0.0.1, iqn: "iqn.2001-04.com.example:disk", lun: 1';
    const disk = "10.0.0.1:3260-iqn.2001-04.com.example:disk-lun-1";
    const hostPaths = { "/dev/disk/by-path/fc-0x5006-lun-2": "blockDevice" } as const;
    for (const [source, links] of [
      [`iscsi: { ${iscsi} }`, `iscsi/volumeDevices/iface-default/${disk}`],
      [
        `iscsi: { ${iscsi}, initiatorName: "iqn.2001-04.com.example:node" }`,
        `iscsi/volumeDevices/iface-10.0.0.1:3260:pv/${disk}`,
      ],
      ["fc: { targetWWNs: ['5006'], lun: 2 }", "fc/volumeDevices/5006-lun-2"],
    ] as const) {
      const played = play("", {
        cluster: clusterOf([], [{ ...nodeA, hostPaths }]),
        steps: [
          ...applied(asDevice(source), podWithDevice()),
          settle,
          kubelet("restart"),
          settle,
          kubelet("down"),
          forced,
          kubelet("restart"),
          advance(60),
          settle,
        ],
      });
      const path = `/var/lib/kubelet/plugins/kubernetes.io/${links}`;
      assert.deepEqual(
        played.events("SuccessfulMountVolume")[0],
        `${mapped} globalMapPath "${path}"`,
      );
      const { files } = played.simulation.runtime.machines.get("node-a") ?? {};
      assert.equal(files?.exists(path), false);
      assert.deepEqual(played.get("Node", "node-a")?.status?.volumesInUse ?? [], []);
    }
  });

  test("the kubelet, not the API server, requires an absolute devicePath", () => {
    const relative = podWithDevice("Pending node-a").replace(
      "/dev/x }]",
      "xvda }], env: [{ name: X, valueFrom: { configMapKeyRef: { name: c, key: k } } }]",
    );
    const played = play(fixture(device, relative), { cluster, steps: [advance(60)] });
    const why = "error DevicePath `xvda` must be an absolute path";
    assert.deepEqual(played.events("Failed"), [`Error: ${why}`]);
    const [app] = played.get("Pod", "p")?.status?.containerStatuses ?? [];
    const reason = "CreateContainerConfigError";
    assert.deepEqual(app?.state?.waiting, { reason, message: why });
    assert.equal(nodeCalls(played.simulation), "NS NP");
  });

  test("a device outside the node's reach is not mapped, which is reported as FailedMount", () => {
    const affinity =
      "nodeAffinity: { required: { nodeSelectorTerms: [{ matchExpressions: [{ key: kubernetes.io/hostname, operator: In, values: [node-b] }] }] } }";
    const elsewhere = asDevice(`csi: { driver: block.csi.test, volumeHandle: vol }, ${affinity}`);
    const played = playSteps(...applied(elsewhere, podWithDevice()), settle);
    assert.deepEqual(played.events("FailedMount"), [
      'MapVolume.NodeAffinity check failed for volume "pv" : no matching NodeSelectorTerms',
    ]);
    assert.deepEqual(played.events("FailedMapVolume"), []);
    assert.equal(nodeCalls(played.simulation), "");
  });

  test("a second pod waits for a ReadWriteOncePod device", () => {
    const alone = device.replaceAll("ReadWriteOnce", "ReadWriteOncePod");
    const other = podWithDevice().replace("name: p", "name: q");
    const played = playSteps(
      ...applied(alone, podWithDevice()),
      settle,
      ...applied(other),
      advance(20),
    );
    const taken =
      "volume uses the ReadWriteOncePod access mode and is already in use by another pod";
    assert.deepEqual(played.events("FailedMapVolume"), [
      `MapVolume.SetUpDevice failed for volume "pv" : ${taken}`,
    ]);
    assert.equal(nodeCalls(played.simulation), "NS NP");
  });

  test("a local volume that is a directory cannot be mapped as a device", () => {
    const affinity =
      "nodeAffinity: { required: { nodeSelectorTerms: [{ matchExpressions: [{ key: kubernetes.io/hostname, operator: In, values: [node-a] }] }] } }";
    const played = play(
      fixture(asDevice(`local: { path: /srv/data }, ${affinity}`), podWithDevice("Pending node-a")),
      { cluster: clusterOf([], [{ ...nodeA, hostPaths: { "/srv/data": "directory" } }]) },
    );
    const [failure = ""] = played.events("FailedMapVolume");
    assert.match(failure, /^MapVolume.MapBlockVolume failed for volume "pv" : blkUtil.MapDevice /);
    assert.match(failure, /Output: mount: \S+: mount point is not a directory\.\n$/);
    assert.deepEqual(played.events("SuccessfulMountVolume"), []);
  });
});
