/** How a kubelet grows volumes on its node, and what it reports about that. */
import assert from "node:assert/strict";
import type { PersistentVolumeClaim } from "../../../src/engine/api/types.ts";
import { type DriverProfile, driverProfile } from "../../../src/engine/csi/driver-profile.ts";
import type { Step } from "../../../src/engine/scenario.ts";
import type { Simulation } from "../../../src/engine/simulation.ts";
import { type Played, play } from "../../support/play.ts";
import { exhaust } from "../../support/replay.ts";
import { testWithFaults as test } from "../../support/same-end.ts";
import { StorageRun } from "../../support/storage-run.ts";
import {
  advance,
  applied,
  boundClaim,
  clear,
  clusterOf,
  deletePods,
  fault,
  fixture,
  mayForgetStaging,
  nodeA,
  nodeCalls,
  podWithClaim,
  podWithDevice,
  podWithVolume,
  settle,
} from "./node-fixture.ts";

const grow = {
  apiVersion: "storage.k8s.io/v1",
  kind: "StorageClass",
  metadata: { name: "grow" },
  provisioner: "block.csi.test",
  allowVolumeExpansion: true,
};
const driver = driverProfile({ name: "block.csi.test" });
const claim = `
  kind: PersistentVolumeClaim
  metadata: { name: data }
  spec: { storageClassName: grow }`;

function request(storage: string, name = "data"): Step {
  const patch = { spec: { resources: { requests: { storage } } } };
  return { type: "patch", object: { kind: "PersistentVolumeClaim", name }, patch };
}

function playGrowth(steps: readonly Step[]): Played {
  const cluster = { ...clusterOf([driver], [nodeA]), manifests: [grow] };
  return play(claim, { cluster, steps });
}

function sizeOf(played: Played): string | undefined {
  return played.get("PersistentVolumeClaim", "data")?.status?.capacity?.["storage"];
}

/** Returns the successive values of the claim's allocatedResourceStatuses for storage. */
function growthOf({ simulation }: Played): readonly (string | undefined)[] {
  const said: (string | undefined)[] = [];
  for (const entry of simulation.trace.entries) {
    if (entry.type !== "write" || !entry.ref.startsWith("PersistentVolumeClaim/")) continue;
    const { status } = (entry.after ?? {}) as PersistentVolumeClaim;
    const now = status?.allocatedResourceStatuses?.["storage"];
    if (said.at(-1) !== now || said.length === 0) said.push(now);
  }
  return said;
}

/** Returns how many actions all components take in a minute, traced or not. */
function actionsInMinute(simulation: Simulation): number {
  const { loop } = simulation.runtime;
  const from = loop.eventCount;
  exhaust(simulation.step(advance(60)));
  return loop.eventCount - from;
}

function timesTold({ simulation }: Played, about: string): number {
  return simulation.trace.entries.filter(
    (e) => e.type === "event" && e.reason === "FileSystemResizeFailed" && e.about === about,
  ).length;
}

const pod = applied(podWithClaim("p"));
const reader = applied(
  podWithClaim("p").replace("claimName: data }", "claimName: data, readOnly: true }"),
);
const succeeded = /^MountVolume\.NodeExpandVolume succeeded for volume "pvc-.*" node-a$/;

suite("kubelet: growth on the node", () => {
  test("an inline in-tree disk has no claim to grow for, and is mounted", () => {
    const ebs = driverProfile({ name: "ebs.csi.aws.com" });
    assert.ok(ebs.expansion.node);
    const disk = "awsElasticBlockStore: { volumeID: vol-1 }";
    const cluster = clusterOf([ebs], [nodeA]);
    const steps = [...applied(podWithVolume("p", disk)), settle];
    const played = play(claim.replace("grow", '""'), { cluster, steps });
    assert.equal(played.get("Pod", "p")?.status?.phase, "Running");
  });

  test("a mounted volume grows at a later sync of its pod", () => {
    const played = playGrowth([...pod, settle, request("2Gi"), advance(100), settle]);
    assert.equal(nodeCalls(played.simulation), "NS NP EX");
    assert.equal(sizeOf(played), "2Gi");
    assert.match(played.events("FileSystemResizeSuccessful")[0] ?? "", succeeded);
    assert.deepEqual(played.events("VolumeResizeFailed"), []);
    const { status } = played.get("PersistentVolumeClaim", "data") ?? {};
    assert.equal(status?.conditions, undefined);
    assert.equal(status?.allocatedResourceStatuses, undefined);
  });

  test("with a driver that grows only offline the growth ends when the next pod has mounted the volume", () => {
    const offline = driverProfile({
      ...driver,
      expansion: { controller: true, node: true, online: false },
    });
    const cluster = { ...clusterOf([offline], [nodeA]), manifests: [grow] };
    const steps = [...pod, settle, deletePods("p"), settle, request("2Gi"), settle];
    const played = play(claim, { cluster, steps: [...steps, ...pod, settle] });
    assert.equal(sizeOf(played), "2Gi");
    assert.equal(played.get("PersistentVolumeClaim", "data")?.status?.conditions, undefined);
  });

  test("a volume that grows soon after its pod's start waits for the pod's next periodic sync", () => {
    for (const seconds of [1, 12, 25]) {
      const grown = [...pod, settle, advance(seconds), request("2Gi"), advance(38 - seconds)];
      assert.equal(nodeCalls(playGrowth(grown).simulation), "NS NP");
      assert.equal(nodeCalls(playGrowth([...grown, advance(40)]).simulation), "NS NP EX");
    }
  });

  test("a volume that grew while the kubelet was down grows on the node as soon as the kubelet is back", () => {
    const kubelet = (state: "down" | "up"): Step => ({
      type: "node",
      name: "node-a",
      kubelet: state,
    });
    const grown = [...pod, settle, kubelet("down"), request("2Gi"), advance(100)];
    assert.equal(nodeCalls(playGrowth(grown).simulation), "NS NP");
    const played = playGrowth([...grown, kubelet("up"), advance(1)]);
    assert.equal(nodeCalls(played.simulation), "NS NP EX");
  });

  test("a volume grows long before its pod's deadline", () => {
    const limited = applied(podWithClaim("p", "", "activeDeadlineSeconds: 3600"));
    const played = playGrowth([...limited, settle, request("2Gi"), advance(100)]);
    assert.equal(sizeOf(played), "2Gi");
  });

  test("if a driver's resizer is down, another driver's resizer removes the annotation after the growth", () => {
    const down: Step = { type: "driver", name: driver.name, controller: "down" };
    const second = claim.replace("name: data", "name: second");
    // The resizer notices at its next call that its driver is gone, and waits for it from then on.
    const grown = [
      request("2Gi"),
      advance(5),
      down,
      request("2Gi", "second"),
      advance(100),
      settle,
    ];
    const noteAfter = (drivers: readonly DriverProfile[]): string | undefined => {
      const cluster = { ...clusterOf(drivers, [nodeA]), manifests: [grow] };
      const played = play(fixture(claim, second), { cluster, steps: [...pod, settle, ...grown] });
      assert.equal(sizeOf(played), "2Gi");
      const name = played.get("PersistentVolumeClaim", "data")?.spec.volumeName ?? "";
      const { annotations } = played.get("PersistentVolume", name)?.metadata ?? {};
      return annotations?.["volume.alpha.kubernetes.io/pre-resize-capacity"];
    };
    assert.equal(noteAfter([driver]), "1Gi");
    assert.equal(noteAfter([driver, driverProfile({ name: "file.csi.test" })]), undefined);
  });

  test("after a volume has grown its kubelet does nothing more", () => {
    const { simulation } = playGrowth([...pod, settle, request("2Gi"), advance(100), settle]);
    assert.equal(nodeCalls(simulation), "NS NP EX");
    assert.equal(actionsInMinute(simulation), 0);
  });

  test("a volume whose capacity grows before its claim's status waits for the claim", () => {
    const { simulation } = playGrowth([...pod, settle]);
    const volume = simulation.runtime.api.store.list("PersistentVolume")[0]?.metadata.name ?? "";
    const larger: Step = {
      type: "patch",
      object: { kind: "PersistentVolume", name: volume },
      patch: { spec: { capacity: { storage: "2Gi" } } },
    };
    const refused = fault("ControllerExpandVolume", "Internal");
    for (const step of [refused, request("2Gi"), advance(100), larger, advance(100)])
      exhaust(simulation.step(step));
    assert.equal(actionsInMinute(simulation), 0);
    assert.equal(nodeCalls(simulation), "NS NP");
    for (const step of [clear("ControllerExpandVolume"), advance(600)])
      exhaust(simulation.step(step));
    assert.equal(nodeCalls(simulation), "NS NP EX");
  });

  test("a volume that a restarted kubelet found mounted grows while it is mounted", () => {
    const restart: Step = { type: "node", name: "node-a", kubelet: "restart" };
    const grown = [request("2Gi"), advance(100), settle];
    const played = playGrowth([...pod, settle, restart, settle, ...grown]);
    assert.equal(nodeCalls(played.simulation), "NS NP NS NP EX");
    assert.equal(sizeOf(played), "2Gi");
  });

  for (const [order, first, second] of [
    ["that was created later", "pod", "reader"],
    ["that was created earlier, which gets an event", "reader", "pod"],
  ] as const) {
    test(`a volume that one pod may write to grows with a read-only pod ${order}`, () => {
      const pods = {
        pod,
        reader: applied(
          podWithClaim("reader").replace("claimName: data }", "claimName: data, readOnly: true }"),
        ),
      };
      const grown = [request("2Gi"), advance(100), settle];
      const played = playGrowth([...pods[first], settle, ...pods[second], settle, ...grown]);
      assert.match(nodeCalls(played.simulation), /^NS NP NP EX$/);
      assert.equal(sizeOf(played), "2Gi");
      const told = first === "reader" ? 1 : 0;
      assert.equal(played.events("FileSystemResizeFailed").length, told);
    });
  }

  test("a volume that is only mounted read-only does not grow while mounted, without an event", () => {
    const reader = podWithClaim("p").replace(
      "claimName: data }",
      "claimName: data, readOnly: true }",
    );
    const grown = [settle, request("2Gi"), advance(100), settle];
    const played = playGrowth([...applied(reader), ...grown]);
    assert.equal(nodeCalls(played.simulation), "NS NP");
    assert.deepEqual(played.events("FileSystemResizeFailed"), []);
  });

  test("a read-only pod gets no more events once another node has grown the volume", () => {
    const many = "accessModes: [ReadWriteMany]";
    const writer = applied(podWithClaim("writer").replace("node-a", "node-b"));
    const steps = [request("2Gi"), settle, ...reader, advance(1), ...writer, advance(60)];
    const cluster = {
      ...clusterOf([driver], [nodeA, { ...nodeA, name: "node-b" }]),
      manifests: [grow],
    };
    const played = play(claim.replace("grow", `grow, ${many}`), { cluster, steps });
    assert.equal(sizeOf(played), "2Gi");
    const told = timesTold(played, "Pod/default/p");
    assert.ok(told > 1 && told < 25, `${told}`);
  });

  test("a volume that grew without a pod grows when it is mounted", () => {
    const played = playGrowth([request("2Gi"), settle, ...pod, settle]);
    assert.equal(nodeCalls(played.simulation), "NS NP EX");
    assert.equal(sizeOf(played), "2Gi");
  });

  test("a driver that does not stage still gets a staging path for a file system, but none for a device", () => {
    const plain = driverProfile({ ...driver, stageUnstage: false });
    const cluster = { ...clusterOf([plain], [nodeA]), manifests: [grow] };
    const stagingOf = (wanted: string, manifest: string): string | undefined => {
      const steps = [...applied(manifest), settle, request("2Gi"), advance(100), settle];
      const { simulation } = play(wanted, { cluster, steps });
      const call = simulation.trace.entries.find(
        (entry) => entry.type === "call" && entry.call === "NodeExpandVolume",
      );
      assert.ok(call?.type === "call");
      const path = call.request["staging_target_path"];
      return typeof path === "string" ? path : undefined;
    };
    assert.match(stagingOf(claim, podWithClaim("p")) ?? "", /\/globalmount$/);
    const block = claim.replace("spec: {", "spec: { volumeMode: Block,");
    assert.equal(stagingOf(block, podWithDevice("p")), undefined);
  });

  test("a device that cannot grow while it is being mapped is not given to its pod, and is retried", () => {
    const block = claim.replace("spec: {", "spec: { volumeMode: Block,");
    const cluster = { ...clusterOf([driver], [nodeA]), manifests: [grow] };
    const device = podWithDevice();
    const first = [...applied(device), settle, deletePods("p"), settle, request("2Gi"), settle];
    const steps = [...first, fault("NodeExpandVolume", "Internal", 2), ...applied(device), settle];
    const played = play(block, { cluster, steps });
    assert.match(nodeCalls(played.simulation), /NS NP EX:Internal NP EX:Internal NP EX$/);
    assert.match(
      played.events("FailedMapVolume")[0] ?? "",
      /^MapVolume\.MarkVolumeAsMounted failed while expanding volume for volume "pvc-.*" : Expander\.NodeExpand failed to expand the volume : rpc error: code = Internal desc = NodeExpandVolume refused$/,
    );
    assert.equal(sizeOf(played), "2Gi");
  });

  test("a size that is infeasible on the node goes back to the controller, which offers it again", () => {
    const refuse = fault("NodeExpandVolume", "OutOfRange", 1);
    const played = playGrowth([...pod, settle, refuse, request("2Gi"), advance(130), settle]);
    assert.equal(nodeCalls(played.simulation), "NS NP EX:OutOfRange EX");
    assert.match(
      played.events("VolumeResizeFailed")[0] ?? "",
      /^NodeExpandVolume\.NodeExpandVolume failed for volume ".*" : Expander\.NodeExpand failed to expand the volume rpc error: /,
    );
    assert.equal(sizeOf(played), "2Gi");
    assert.ok(growthOf(played).includes("NodeResizeInfeasible"));
  });

  test("a node without the plugin reports that on the pod, and nothing in the claim's status", () => {
    const gone: Step = { type: "driver", name: driver.name, node: "down", nodeName: "node-a" };
    const played = playGrowth([...pod, settle, gone, request("2Gi"), advance(100)]);
    assert.match(
      played.events("VolumeResizeFailed")[0] ?? "",
      /^NodeExpandVolume\.NodeExpandVolume failed for volume ".*" : driver name block\.csi\.test not found in the list of registered CSI drivers$/,
    );
    const { status } = played.get("PersistentVolumeClaim", "data") ?? {};
    const types = (status?.conditions ?? []).map(({ type }) => type);
    assert.equal(types.includes("NodeResizeError"), false);
    assert.equal(status?.allocatedResourceStatuses?.["storage"], "NodeResizeInProgress");
  });

  test("a shared volume grows on its second node without a change of the claim's status", () => {
    const shared = claim.replace("grow }", "grow, accessModes: [ReadWriteMany] }");
    const onB = podWithClaim("q").replace("node-a", "node-b");
    const nodes = [nodeA, { ...nodeA, name: "node-b" }];
    const cluster = { ...clusterOf([driver], nodes), manifests: [grow] };
    const steps = [...pod, ...applied(onB), settle, request("2Gi"), advance(200), settle];
    const played = play(shared, { cluster, steps });
    assert.equal(nodeCalls(played.simulation).match(/EX/g)?.length, 2);
    assert.equal(sizeOf(played), "2Gi");
    const told = growthOf(played).filter((status) => status === "NodeResizeInProgress");
    assert.equal(told.length, 1);
  });

  test("a shared volume whose driver has no node expansion has grown with its claim, without an event", () => {
    const expansion = { controller: true, node: false, online: true };
    const elsewhere = driverProfile({ ...driver, expansion });
    const shared = claim.replace("grow }", "grow, accessModes: [ReadWriteMany] }");
    const cluster = { ...clusterOf([elsewhere], [nodeA]), manifests: [grow] };
    // Older resizers do not set this annotation.
    const annotations = { "volume.kubernetes.io/node-expansion-not-required": null };
    const unnoted: Step = {
      type: "patch",
      object: { kind: "PersistentVolumeClaim", name: "data" },
      patch: { metadata: { annotations } },
    };
    const grown = [request("2Gi"), advance(5), unnoted, advance(200), settle];
    const played = play(shared, { cluster, steps: [...pod, settle, ...grown] });
    assert.equal(sizeOf(played), "2Gi");
    assert.deepEqual(played.events("VolumeResizeFailed"), []);
    assert.equal(played.get("PersistentVolumeClaim", "data")?.status?.conditions, undefined);
  });

  test("a shared device that needs no node expansion is not grown by nodes; before 1.34 it is", () => {
    const growsOnNodes = (version: "1.33" | "1.34"): boolean => {
      const expansion = { controller: true, node: true, online: true, nodeForBlock: false };
      const disk = driverProfile({ ...driver, expansion });
      const shared = claim.replace(
        "grow }",
        "grow, volumeMode: Block, accessModes: [ReadWriteMany] }",
      );
      const cluster = { ...clusterOf([disk], [nodeA]), manifests: [grow] };
      const steps = [...applied(podWithDevice()), settle, request("2Gi"), advance(200), settle];
      const played = play(shared, { version, cluster, steps });
      assert.equal(sizeOf(played), "2Gi");
      const isTold = played.events("FileSystemResizeSuccessful").length > 0;
      assert.equal(isTold, nodeCalls(played.simulation).includes("EX"));
      return isTold;
    };
    assert.equal(growsOnNodes("1.33"), true);
    assert.equal(growsOnNodes("1.34"), false);
  });

  test("after any other failure the node retries, and sets a condition on the claim", () => {
    const refuse = fault("NodeExpandVolume", "DeadlineExceeded");
    const played = playGrowth([...pod, settle, refuse, request("2Gi"), advance(100)]);
    const { status } = played.get("PersistentVolumeClaim", "data") ?? {};
    assert.equal(status?.allocatedResourceStatuses?.["storage"], "NodeResizeInProgress");
    const error = status?.conditions?.find((c) => c.type === "NodeResizeError");
    assert.match(
      error?.message ?? "",
      /^failed to expand pvc with Expander\.NodeExpand failed to expand the volume : rpc error: code = DeadlineExceeded/,
    );
  });

  test("unknown capabilities of the plugin count as any other failure", () => {
    const silent = fault("NodeGetCapabilities", "Internal");
    const played = playGrowth([...pod, settle, silent, request("2Gi"), advance(100)]);
    const why =
      /Expander\.NodeExpand failed to check if node supports expansion : rpc error: code = Internal/;
    assert.match(played.events("VolumeResizeFailed")[0] ?? "", why);
    const { conditions } = played.get("PersistentVolumeClaim", "data")?.status ?? {};
    const error = conditions?.find((c) => c.type === "NodeResizeError");
    assert.match(error?.message ?? "", why);
    assert.equal(nodeCalls(played.simulation), "NS NP");
  });

  test("the claim keeps the first failure's text and time until the growth is done", () => {
    const refusals = [
      fault("NodeExpandVolume", "Internal"),
      request("2Gi"),
      advance(100),
      clear("NodeExpandVolume"),
      fault("NodeExpandVolume", "OutOfRange", 1),
      advance(130),
    ];
    const played = playGrowth([...pod, settle, ...refusals]);
    assert.match(nodeCalls(played.simulation), /EX:Internal EX:OutOfRange/);
    const told = played.simulation.trace.entries.flatMap((entry) => {
      if (entry.type !== "write" || !entry.ref.startsWith("PersistentVolumeClaim/")) return [];
      const { status } = (entry.after ?? {}) as PersistentVolumeClaim;
      return (status?.conditions ?? []).filter((c) => c.type === "NodeResizeError");
    });
    assert.ok(growthOf(played).includes("NodeResizeInfeasible"));
    assert.match(told[0]?.message ?? "", /code = Internal/);
    assert.equal(new Set(told.map((c) => `${c.message} ${c.lastTransitionTime}`)).size, 1);
  });

  test("a failure at the mount fails the mount, which is undone with the pod", () => {
    const refuse = fault("NodeExpandVolume", "Internal");
    const played = playGrowth([
      request("2Gi"),
      settle,
      refuse,
      ...pod,
      advance(8),
      deletePods("p"),
      settle,
    ]);
    assert.match(
      played.events("FailedMount")[0] ?? "",
      /^MountVolume\.Setup failed while expanding volume for volume ".*" : Expander\.NodeExpand failed/,
    );
    assert.match(nodeCalls(played.simulation), /^NS NP EX:Internal( NP EX:Internal)* NX NU$/);
    mayForgetStaging(played);
  });

  test("if the claim is gone by the time of the mount, the mount fails", () => {
    const run = new StorageRun({ nodes: [nodeA] })
      .apply(
        "{ kind: PersistentVolumeClaim, metadata: { name: data }, spec: { storageClassName: fast } }",
      )
      .settle()
      .fault("NodeStageVolume", { delayMs: 20_000 })
      .apply(podWithClaim("p"))
      .advance(5)
      .delete("Pod", "p", { grace: 0 })
      .delete("PersistentVolumeClaim", "data")
      .advance(30);
    assert.match(
      run.events("Pod/default/p").at(-1) ?? "",
      /^Warning FailedMount MountVolume\.Setup failed while expanding volume .* : mountVolume\.NodeExpandVolume get PVC failed : persistentvolumeclaims "data" not found$/,
    );
  });

  test("if the claim is edited during the growth, its status update fails and the node grows the volume again", () => {
    const call = "NodeExpandVolume";
    const slow: Step = { type: "fault", fault: { driver: driver.name, call, delayMs: 60_000 } };
    const edit: Step = {
      type: "patch",
      object: { kind: "PersistentVolumeClaim", name: "data" },
      patch: { metadata: { labels: { touched: "yes" } } },
    };
    const steps = [...pod, settle, slow, request("2Gi"), advance(80), edit, advance(70)];
    const played = playGrowth(steps);
    assert.match(
      played.events("VolumeResizeFailed")[0] ?? "",
      /update pvc status failed: patchPVCStatus failed to patch PVC "data": Operation cannot be fulfilled on persistentvolumeclaims "data": the object has been modified;/,
    );
    assert.equal(nodeCalls(played.simulation), "NS NP EX EX");
    assert.equal(sizeOf(played), "2Gi");
  });

  test("if the claim is gone after the growth, its status update fails", () => {
    const call = "NodeExpandVolume";
    const slow: Step = { type: "fault", fault: { driver: driver.name, call, delayMs: 60_000 } };
    const gone: Step = {
      type: "delete",
      objects: [
        { kind: "Pod", name: "p", grace: 0 },
        { kind: "PersistentVolumeClaim", name: "data" },
      ],
    };
    const steps = [...pod, settle, slow, request("2Gi"), advance(80), gone, advance(70)];
    assert.match(
      playGrowth(steps).events("VolumeResizeFailed")[0] ?? "",
      /^NodeExpandVolume\.NodeExpandVolume failed for volume ".*" : mountVolume\.NodeExpandVolume update pvc status failed: patchPVCStatus failed to patch PVC "data": persistentvolumeclaims "data" not found$/,
    );
  });

  test("if the driver answers that the volume is in use, it is mounted without growing", () => {
    const refuse = fault("NodeExpandVolume", "FailedPrecondition", 1);
    const played = playGrowth([request("2Gi"), settle, refuse, ...pod, advance(200)]);
    assert.equal(nodeCalls(played.simulation), "NS NP EX:FailedPrecondition");
    assert.equal(played.get("Pod", "p")?.status?.phase, "Running");
    assert.equal(sizeOf(played), "1Gi");
  });

  test("a read-only mount does not grow the volume, and events on pod and claim say so again and again", () => {
    const played = playGrowth([request("2Gi"), settle, ...reader, advance(30)]);
    assert.equal(nodeCalls(played.simulation), "NS NP");
    // The event recorder lets this many pass.
    for (const about of ["Pod/default/p", "PersistentVolumeClaim/default/data"])
      assert.equal(timesTold(played, about), 25);
    assert.match(
      played.events("FileSystemResizeFailed")[0] ?? "",
      /^MountVolume\.NodeExpandVolume failed for volume ".*" requested read-only file system$/,
    );
    assert.equal(played.get("Pod", "p")?.status?.phase, "Running");
  });

  const grownByHand: Step = {
    type: "patch",
    object: { kind: "PersistentVolume", name: "pv" },
    patch: { spec: { capacity: { storage: "2Gi" } } },
  };
  const mountGrown = (...steps: readonly Step[]): Played =>
    play(boundClaim(), {
      cluster: clusterOf([driver], [nodeA]),
      steps: [grownByHand, ...steps, ...pod, advance(8)],
    });

  test("a volume whose capacity a user raised grows when it is mounted, and its claim with it", () => {
    const played = mountGrown();
    assert.match(nodeCalls(played.simulation), /^NS NP EX/);
    assert.equal(sizeOf(played), "2Gi");
    assert.deepEqual(played.events("FailedMount"), []);
    assert.deepEqual(played.events("FileSystemResizeSuccessful"), [
      'MountVolume.NodeExpandVolume succeeded for volume "pv" node-a',
    ]);
    assert.equal(
      played.get("PersistentVolumeClaim", "data")?.status?.allocatedResourceStatuses,
      undefined,
    );
  });

  const growsNothing = driverProfile({
    ...driver,
    expansion: { controller: true, node: false, online: true },
  });

  test("a read-only mount of a larger volume is reported, with or without node expansion in the driver", () => {
    const reads = (drivers: readonly DriverProfile[]): readonly string[] =>
      play(boundClaim(), {
        cluster: clusterOf(drivers, [nodeA]),
        steps: [grownByHand, ...reader, advance(8)],
      }).events("FileSystemResizeFailed");
    const told =
      'MountVolume.NodeExpandVolume failed for volume "pv" requested read-only file system';
    assert.deepEqual(reads([driver]), [told]);
    assert.deepEqual(reads([growsNothing]), [told]);
  });

  test("a pending node expansion fails the mount if the driver has no node expansion", () => {
    const resizerDown: Step = { type: "driver", name: driver.name, controller: "down" };
    const status = { allocatedResourceStatuses: { storage: "NodeResizePending" } };
    const left: Step = {
      type: "patch",
      object: { kind: "PersistentVolumeClaim", name: "data" },
      patch: { status },
      subresource: "status",
    };
    const drivers = [{ ...growsNothing, attachRequired: false }];
    const steps = [resizerDown, grownByHand, left, ...pod, advance(1)];
    const played = play(boundClaim(), { cluster: clusterOf(drivers, [nodeA]), steps });
    assert.deepEqual(played.events("FailedMount"), [
      'MountVolume.Setup failed while expanding volume for volume "pv" : NodeExpand is not supported by the CSI driver block.csi.test',
    ]);
  });

  for (const attachRequired of [true, false]) {
    const which = attachRequired ? "" : " that is not attached";
    test(`a volume${which} that grew before its pod was created grows at the mount, a ReadWriteMany one twice`, () => {
      const drivers = [driverProfile({ ...driver, attachRequired })];
      const cluster = { ...clusterOf(drivers, [nodeA]), manifests: [grow] };
      const callsWith = (mode: string): string => {
        const wanted = claim.replace("grow }", `grow, accessModes: [${mode}] }`);
        const steps = [settle, request("3Gi"), advance(30), ...pod, advance(200)];
        const played = play(wanted, { cluster, steps });
        assert.equal(sizeOf(played), "3Gi");
        return nodeCalls(played.simulation);
      };
      assert.equal(callsWith("ReadWriteOnce"), "NS NP EX");
      assert.equal(callsWith("ReadWriteMany"), "NS NP EX EX");
    });
  }

  test("a republished volume whose growth fails is not usable until it has grown", () => {
    const restarts = (requiresRepublish: boolean, asBlock: boolean): readonly unknown[] => {
      const env = "env: [{ name: FAKE_EXIT, value: 1@120 }],";
      const pods = [asBlock ? podWithDevice() : podWithClaim("p")].map((text) =>
        text.replace("image: app,", `image: app, ${env}`),
      );
      const cluster = {
        ...clusterOf([driverProfile({ ...driver, requiresRepublish })], [nodeA]),
        manifests: [grow],
      };
      const wanted = asBlock ? claim.replace("grow }", "grow, volumeMode: Block }") : claim;
      const failing = [fault("NodeExpandVolume", "Internal"), request("3Gi"), advance(330)];
      const { simulation } = play(wanted, {
        cluster,
        steps: [...applied(...pods), advance(30), ...failing],
      });
      const count = (): number | undefined =>
        simulation.runtime.api.store.list("Pod")[0]?.status?.containerStatuses?.[0]?.restartCount;
      const before = count();
      for (const step of [clear("NodeExpandVolume"), advance(200)]) exhaust(simulation.step(step));
      return [before, (count() ?? 0) > (before ?? 0)];
    };
    for (const asBlock of [false, true]) {
      assert.deepEqual(restarts(true, asBlock), [0, true]);
      assert.deepEqual(restarts(false, asBlock), [2, true]);
    }
  });

  test("if its driver answers that it is in use, it is mounted without growing; another failure fails the mount", () => {
    const inUse = mountGrown(fault("NodeExpandVolume", "FailedPrecondition", 1));
    assert.equal(nodeCalls(inUse.simulation), "NS NP EX:FailedPrecondition");
    assert.deepEqual([inUse.get("Pod", "p")?.status?.phase, sizeOf(inUse)], ["Running", "1Gi"]);
    const failing = mountGrown(fault("NodeExpandVolume", "Internal"));
    assert.match(
      failing.events("FailedMount")[0] ?? "",
      /^MountVolume\.Setup failed while expanding volume for volume "pv" : Expander\.NodeExpand failed to expand the volume : rpc error: code = Internal/,
    );
    assert.equal(failing.get("Pod", "p")?.status?.phase, "Pending");
  });

  const onNode =
    "nodeAffinity: { required: { nodeSelectorTerms: [{ matchExpressions: [{ key: kubernetes.io/hostname, operator: In, values: [node-a] }] }] } }";
  const madeLarger: Step = {
    type: "patch",
    object: { kind: "PersistentVolume", name: "pv" },
    patch: { spec: { capacity: { storage: "2Gi" } } },
  };

  test("a local volume whose capacity a user raises grows on its node, mounted or at the next mount, and its claim with it", () => {
    const local = boundClaim({ volume: `local: { path: /mnt }, ${onNode}` });
    for (const steps of [
      [...pod, settle, madeLarger, advance(100)],
      [madeLarger, ...pod, settle],
    ]) {
      const played = play(local, { cluster: clusterOf([], [nodeA]), steps });
      assert.equal(sizeOf(played), "2Gi");
      const told = played.simulation.trace.entries.flatMap((e) =>
        e.type === "event" && e.reason === "FileSystemResizeSuccessful"
          ? [`${e.about} ${e.message}`]
          : [],
      );
      const text = 'MountVolume.NodeExpandVolume succeeded for volume "pv" node-a';
      // A volume that grows at the mount grows once more right afterwards.
      assert.deepEqual(
        [...new Set(told)],
        [`Pod/default/p ${text}`, `PersistentVolumeClaim/default/data ${text}`],
      );
    }
  });

  test("claims of hostPath and NFS volumes keep their size", () => {
    for (const volume of ["hostPath: { path: /mnt }", "nfs: { server: s, path: / }"]) {
      const steps = [...pod, settle, madeLarger, advance(100)];
      const played = play(boundClaim({ volume }), { cluster: clusterOf([], [nodeA]), steps });
      assert.equal(sizeOf(played), "1Gi");
    }
  });
});
