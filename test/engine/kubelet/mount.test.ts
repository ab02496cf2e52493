/** Which calls mount and unmount a pod's volumes, also after errors that leave their effect uncertain. */
import assert from "node:assert/strict";
import { driverProfile } from "../../../src/engine/csi/driver-profile.ts";
import type { Step } from "../../../src/engine/scenario.ts";
import { check } from "../../support/check.ts";
import { type Played, play } from "../../support/play.ts";
import { testWithFaults as test } from "../../support/same-end.ts";
import {
  advance,
  applied,
  blockDriver,
  boundClaim,
  clear,
  clusterOf,
  deletePods,
  fault,
  fixture,
  mayForgetStaging,
  nodeCalls,
  podWithClaim,
  requestOf,
  settle,
} from "./node-fixture.ts";

const cluster = clusterOf();
/** Plays a pod with a claim, after steps that cause faults. */
function playWith(before: readonly Step[], after: readonly Step[] = []): Played {
  const pod = applied(boundClaim(), podWithClaim("p"));
  return play("", { cluster, steps: [...before, ...pod, advance(20), ...after] });
}

function callsWith(...given: Parameters<typeof playWith>): string {
  return distinct(nodeCalls(playWith(...given).simulation));
}

/** Drops repetitions of a call, whose number depends on timing. */
function distinct(calls: string): string {
  const words = calls.split(" ");
  return words.filter((word, i) => word !== words[i - 1]).join(" ");
}

const leave: readonly Step[] = [deletePods("p"), settle];

suite("kubelet: mount, unmount, uncertainty", () => {
  test("without pods nothing is mounted", () => {
    const played = play(boundClaim(), { cluster });
    assert.equal(nodeCalls(played.simulation), "");
  });

  test("a pod's volume is staged once and published once", () => {
    check(fixture(boundClaim(), podWithClaim("p", "Running node-a")), { cluster });
    assert.equal(callsWith([]), "NS NP");
  });

  test("a deleted pod's volume is unpublished, unstaged and detached, in this order", () => {
    check(fixture(boundClaim(), podWithClaim("p", "gone")), { cluster, steps: leave });
    const { simulation } = playWith([], leave);
    assert.equal(nodeCalls(simulation), "NS NP NX NU");
    assert.deepEqual(simulation.runtime.machines.get("node-a")?.mounts.entries, []);
    assert.deepEqual(simulation.runtime.api.store.list("VolumeAttachment"), []);
  });

  test("a raw device is staged, published, linked, and reported in two events", () => {
    const block = boundClaim().replaceAll("accessModes:", "volumeMode: Block, accessModes:");
    const pod = podWithClaim("p", "Running node-a").replace(
      "volumeMounts: [{ name: data, mountPath: /data }]",
      "volumeDevices: [{ name: data, devicePath: /dev/xvda }]",
    );
    check(fixture(block, pod), { cluster });
    const played = play(fixture(block, pod.replace("#=> Running node-a", "#=> gone")), {
      cluster,
      steps: leave,
    });
    assert.equal(nodeCalls(played.simulation), "NS NP NX NU");
    assert.equal(played.events("SuccessfulMountVolume").length, 2);
    assert.match(
      played.events("SuccessfulMountVolume")[1] ?? "",
      /volumeMapPath ".*\/volumeDevices\/kubernetes\.io~csi"$/,
    );
  });

  test("a stage call that may have worked is undone", () => {
    assert.equal(callsWith([fault("NodeStageVolume", "Unavailable")], leave), "NS:Unavailable NU");
  });

  test("a stage call with a final error leaves nothing to undo", () => {
    assert.equal(callsWith([fault("NodeStageVolume", "Internal")], leave), "NS:Internal");
  });

  test("a stage call with a final error after an uncertain one leaves nothing to undo", () => {
    const unsure = fault("NodeStageVolume", "Unavailable", 1);
    const sure = fault("NodeStageVolume", "Internal");
    assert.equal(callsWith([unsure, sure], leave), "NS:Unavailable NS:Internal");
  });

  test("a publish call that may have worked is undone, and then the staging", () => {
    const refuse = fault("NodePublishVolume", "Unavailable");
    const played = mayForgetStaging(playWith([refuse], leave));
    assert.equal(distinct(nodeCalls(played.simulation)), "NS NP:Unavailable NX NU");
  });

  test("a publish call with a final error leaves only the staging to undo", () => {
    const refuse = fault("NodePublishVolume", "Internal");
    const played = mayForgetStaging(playWith([refuse], leave));
    assert.equal(distinct(nodeCalls(played.simulation)), "NS NP:Internal NU");
  });

  test("a publish call with a final error after an uncertain one leaves only the staging to undo", () => {
    const unsure = fault("NodePublishVolume", "Unavailable", 1);
    const sure = fault("NodePublishVolume", "Internal");
    const played = mayForgetStaging(playWith([unsure, sure], leave));
    const calls = distinct(nodeCalls(played.simulation));
    assert.equal(calls, "NS NP:Unavailable NP:Internal NU");
  });

  test("requests to stage and publish name the volume, its capability and its paths", () => {
    const { simulation } = playWith([]);
    const uid = simulation.runtime.api.store.get("Pod", "default", "p")?.metadata.uid ?? "";
    const capability = {
      mount: { fs_type: "ext4" },
      access_mode: { mode: "SINGLE_NODE_MULTI_WRITER" },
    };
    const stage = requestOf(simulation, "NodeStageVolume");
    assert.deepEqual(stage["volume_capability"], capability);
    assert.deepEqual(stage["publish_context"], { devicePath: "/dev/csi/vol" });
    assert.deepEqual(Object.keys(stage).includes("readonly"), false);
    const publish = requestOf(simulation, "NodePublishVolume");
    assert.equal(publish["staging_target_path"], stage["staging_target_path"]);
    assert.equal(
      publish["target_path"],
      `/var/lib/kubelet/pods/${uid}/volumes/kubernetes.io~csi/pv/mount`,
    );
    assert.equal(publish["volume_context"], undefined);
    assert.match(
      String(stage["staging_target_path"]),
      /^\/var\/lib\/kubelet\/plugins\/kubernetes\.io\/csi\/block\.csi\.test\/[0-9a-f]{64}\/globalmount$/,
    );
  });

  test("a driver that does not stage only gets publish calls", () => {
    const driver = driverProfile({ name: "block.csi.test", stageUnstage: false });
    const played = play(fixture(boundClaim(), podWithClaim("p", "gone")), {
      cluster: clusterOf([driver]),
      steps: leave,
    });
    assert.equal(nodeCalls(played.simulation), "NP NX");
    assert.equal(
      requestOf(played.simulation, "NodePublishVolume")["staging_target_path"],
      undefined,
    );
  });

  test("the kubelet waits for a driver that is not registered", () => {
    const down: Step = { type: "driver", name: "block.csi.test", node: "down", nodeName: "node-a" };
    const file = "csi: { driver: file.csi.test, volumeHandle: vol }";
    const played = play("", {
      cluster,
      steps: [
        { ...down, name: "file.csi.test" },
        ...applied(boundClaim({ volume: file }), podWithClaim("p")),
        advance(10),
        { ...down, name: "file.csi.test", node: "up" },
        settle,
      ],
    });
    assert.deepEqual(played.events("FailedMount"), [
      'MountVolume.MountDevice failed for volume "pv" : kubernetes.io/csi: attacher.MountDevice failed to create newCsiDriverClient: driver name file.csi.test not found in the list of registered CSI drivers',
    ]);
    assert.equal(played.get("Pod", "p")?.status?.phase, "Running");
  });

  test("an inline volume is published with its own handle and pod information", () => {
    const driver = driverProfile({
      name: "inline.csi.test",
      attachRequired: false,
      podInfoOnMount: true,
      lifecycleModes: ["Ephemeral"],
    });
    const pod = podWithClaim("p", "Running node-a").replace(
      "persistentVolumeClaim: { claimName: data }",
      "csi: { driver: inline.csi.test, volumeAttributes: { size: small } }",
    );
    const played = play(pod, { cluster: clusterOf([driver]) });
    const request = requestOf(played.simulation, "NodePublishVolume");
    assert.equal(nodeCalls(played.simulation), "NP");
    assert.match(String(request["volume_id"]), /^csi-[0-9a-f]{64}$/);
    const context = request["volume_context"] as Record<string, string>;
    assert.equal(context["size"], "small");
    assert.equal(context["csi.storage.k8s.io/ephemeral"], "true");
    assert.equal(context["csi.storage.k8s.io/pod.name"], "p");
  });

  test("an inline volume's secret is read from the pod's namespace", () => {
    const driver = driverProfile({
      name: "inline.csi.test",
      attachRequired: false,
      lifecycleModes: ["Ephemeral"],
    });
    const pod = podWithClaim("p", "Pending node-a").replace(
      "persistentVolumeClaim: { claimName: data }",
      "csi: { driver: inline.csi.test, nodePublishSecretRef: { name: login } }",
    );
    const played = play(pod, { cluster: clusterOf([driver]) });
    assert.deepEqual(played.events("FailedMount"), [
      'MountVolume.SetUp failed for volume "data" : fetching NodePublishSecretRef default/login failed: kubernetes.io/csi: failed to find the secret login in the namespace default with error: secrets "login" not found',
    ]);
    assert.equal(nodeCalls(played.simulation), "");
  });

  test("an inline volume is refused if its driver does not support them", () => {
    const pod = podWithClaim("p", "Pending node-a").replace(
      "persistentVolumeClaim: { claimName: data }",
      "csi: { driver: file.csi.test }",
    );
    const played = play(pod, { cluster });
    assert.deepEqual(played.events("FailedMount"), [
      'MountVolume.SetUp failed for volume "data" : kubernetes.io/csi: mounter.SetupAt failed to check volume lifecycle mode: volume mode "Ephemeral" not supported by driver file.csi.test (only supports ["Persistent"])',
    ]);
  });

  test("no inline volume is published while the plugin's capabilities are unknown", () => {
    const driver = driverProfile({
      name: "inline.csi.test",
      attachRequired: false,
      lifecycleModes: ["Ephemeral"],
    });
    const call = "NodeGetCapabilities";
    const fault = { driver: driver.name, call, code: "Internal", times: 1 };
    const pod = podWithClaim("p").replace(
      "persistentVolumeClaim: { claimName: data }",
      "csi: { driver: inline.csi.test }",
    );
    const steps: Step[] = [{ type: "fault", fault }, ...applied(pod), advance(20)];
    const played = play("", { cluster: clusterOf([driver]), steps });
    assert.deepEqual(played.events("FailedMount"), [
      'MountVolume.SetUp failed for volume "data" : kubernetes.io/csi: mounter.SetUpAt failed to determine if the node service has VOLUME_MOUNT_GROUP capability: rpc error: code = Internal desc = injected Internal',
    ]);
    assert.equal(played.get("Pod", "p")?.status?.phase, "Running");
  });

  test("a missing secret keeps the volume from being published", () => {
    const volume =
      "csi: { driver: block.csi.test, volumeHandle: vol, nodePublishSecretRef: { name: login, namespace: default } }";
    const played = play(fixture(boundClaim({ volume }), podWithClaim("p", "Pending node-a")), {
      cluster,
    });
    assert.deepEqual(played.events("FailedMount"), [
      'MountVolume.SetUp failed for volume "pv" : fetching NodePublishSecretRef default/login failed: kubernetes.io/csi: failed to find the secret login in the namespace default with error: secrets "login" not found',
    ]);
    assert.equal(nodeCalls(played.simulation), "NS");
  });

  test("a publish call that timed out is undone with the pod", () => {
    const refuse = fault("NodePublishVolume", "DeadlineExceeded");
    const played = mayForgetStaging(playWith([refuse], leave));
    assert.equal(distinct(nodeCalls(played.simulation)), "NS NP:DeadlineExceeded NX NU");
  });

  test("a second pod waits for a ReadWriteOncePod volume until the first is gone", () => {
    const mode = "ReadWriteOncePod";
    const pods = fixture(
      boundClaim({ mode }),
      podWithClaim("one", "gone"),
      podWithClaim("two", "Running node-a"),
    );
    const played = play(pods, { cluster, steps: [deletePods("one"), settle] });
    assert.deepEqual(played.events("FailedMount"), [
      'MountVolume.SetUp failed for volume "pv" : volume uses the ReadWriteOncePod access mode and is already in use by another pod',
    ]);
  });

  test("pods that share a volume take turns while it cannot be staged, and each gets the event", () => {
    const pods = applied(boundClaim(), podWithClaim("one"), podWithClaim("two"));
    const steps = [fault("NodeStageVolume", "Internal", 0), ...pods, advance(30)];
    const { trace } = play("", { cluster, steps }).simulation;
    const told = trace.entries.flatMap((e) =>
      e.type === "event" && e.reason === "FailedMount" ? [e.about] : [],
    );
    assert.deepEqual(told.slice(0, 4), [
      "Pod/default/one",
      "Pod/default/two",
      "Pod/default/one",
      "Pod/default/two",
    ]);
  });

  test("with requiresRepublish a volume is published again at each sync, but not staged", () => {
    const driver = driverProfile({ ...blockDriver, requiresRepublish: true });
    const played = play(fixture(boundClaim(), podWithClaim("p", "Running node-a")), {
      cluster: clusterOf([driver]),
      steps: [advance(200)],
    });
    assert.match(nodeCalls(played.simulation), /^NS NP( NP){3,5}$/);
  });

  test("a change to requiresRepublish takes effect from the next sync on", () => {
    const wish: Step = {
      type: "patch",
      object: { kind: "CSIDriver", name: "block.csi.test" },
      patch: { spec: { requiresRepublish: true } },
    };
    const played = playWith([], [settle, wish, advance(200)]);
    assert.match(nodeCalls(played.simulation), /^NS NP( NP){2,4}$/);
  });

  test("a pod that names its claim twice gets one mount under both names, since 1.35", () => {
    const pod = `
      kind: Pod
      metadata: { name: p }
      spec:
        nodeName: node-a
        containers:
          - name: app
            image: app
            volumeMounts: [{ name: one, mountPath: /one }, { name: two, mountPath: /two }]
        volumes:
          - { name: one, persistentVolumeClaim: { claimName: data } }
          - { name: two, persistentVolumeClaim: { claimName: data, readOnly: true } }`;
    const steps = [...applied(boundClaim(), pod), advance(20)];
    const played = play("", { cluster, steps });
    assert.equal(played.get("Pod", "p")?.status?.phase, "Running");
    assert.equal(nodeCalls(played.simulation), "NS NP");
    assert.equal(requestOf(played.simulation, "NodePublishVolume")["readonly"], true);
    const before = play("", { cluster, steps, version: "1.34" });
    assert.equal(before.get("Pod", "p")?.status?.phase, "Pending");
  });

  test("a failing unpublish call keeps the pod, without an event, until one succeeds", () => {
    const refuse = fault("NodeUnpublishVolume", "Internal");
    const played = playWith([refuse], [deletePods("p"), advance(60)]);
    assert.notEqual(played.get("Pod", "p")?.metadata.deletionTimestamp, undefined);
    assert.equal(distinct(nodeCalls(played.simulation)), "NS NP NX:Internal");
    const healing = [deletePods("p"), advance(60), clear("NodeUnpublishVolume"), advance(130)];
    const healed = mayForgetStaging(playWith([refuse], healing));
    assert.equal(healed.get("Pod", "p"), undefined);
    assert.equal(distinct(nodeCalls(healed.simulation)), "NS NP NX:Internal NX NU");
  });

  test("a pod whose unpublish call has failed for minutes is removed as soon as one succeeds", () => {
    const healing = [deletePods("p"), advance(100), clear("NodeUnpublishVolume"), advance(60)];
    const played = playWith([fault("NodeUnpublishVolume", "Internal")], healing);
    const { entries } = mayForgetStaging(played).simulation.trace;
    const calls = entries.flatMap((e) =>
      e.type === "call" && e.call === "NodeUnpublishVolume" ? [e.id] : [],
    );
    const unpublished = entries.find((e) => e.type === "answer" && e.id === calls.at(-1));
    const gone = entries.find(
      (e) => e.type === "write" && e.ref === "Pod/default/p" && e.after === undefined,
    );
    assert.ok(unpublished !== undefined && gone !== undefined);
    assert.ok(gone.at - unpublished.at < 300, `${gone.at - unpublished.at} ms`);
  });

  test("a volume that could not be unstaged without its plugin is staged again for the next pod", () => {
    const file = "csi: { driver: file.csi.test, volumeHandle: vol }";
    const plugin = (node: "down" | "up"): Step => ({
      type: "driver",
      name: "file.csi.test",
      node,
      nodeName: "node-a",
    });
    const first = [...applied(boundClaim({ volume: file }), podWithClaim("p")), advance(20)];
    const leaves = [...first, deletePods("p")];
    const leftAt = play("", { cluster, steps: leaves }).simulation.now;
    const { entries } = play("", { cluster, steps: [...leaves, advance(10)] }).simulation.trace;
    const [unpublish] = entries.flatMap((e) =>
      e.type === "call" && e.call === "NodeUnpublishVolume" ? [e.id] : [],
    );
    const answered = entries.find((e) => e.type === "answer" && e.id === unpublish)?.at ?? 0;
    // The reconciler's next pass will unstage.
    const untilUnpublished: Step = { type: "advance", ms: answered + 1 - leftAt };
    const next = [...applied(podWithClaim("next")), advance(5), plugin("up"), advance(60)];
    const steps = [...leaves, untilUnpublished, plugin("down"), advance(1), ...next];
    const played = play("", { cluster, steps });
    assert.equal(nodeCalls(played.simulation), "NS NP NX NS NP");
    assert.equal(played.get("Pod", "next")?.status?.phase, "Running");
  });

  for (const { version, isUndone } of [
    { version: "1.36", isUndone: true },
    { version: "1.35", isUndone: false },
  ] as const) {
    const what = isUndone ? "is undone" : "counts as not begun";
    test(`uncertain staging ${what} if the plugin's capabilities then could not be read (${version})`, () => {
      const steps: Step[] = [
        fault("NodeStageVolume", "Unavailable"),
        ...applied(boundClaim(), podWithClaim("p")),
        advance(4),
        fault("NodeGetCapabilities", "Unavailable"),
        advance(10),
        deletePods("p"),
        clear("NodeGetCapabilities"),
        settle,
      ];
      const { simulation } = play("", { cluster, steps, version });
      assert.equal(
        distinct(nodeCalls(simulation)),
        isUndone ? "NS:Unavailable NU" : "NS:Unavailable",
      );
    });
  }

  test("a volume is neither staged nor published while the plugin's capabilities cannot be read", () => {
    const silent: Step = {
      type: "fault",
      fault: { driver: "block.csi.test", call: "NodeGetCapabilities", code: "Internal", times: 3 },
    };
    const played = playWith([silent], [advance(20)]);
    const said = "rpc error: code = Internal desc = injected Internal";
    assert.deepEqual(played.events("FailedMount"), [
      `MountVolume.MountDevice failed for volume "pv" : ${said}`,
    ]);
    const calls = played.simulation.trace.entries.flatMap((e) =>
      e.type === "call" ? [e.call] : [],
    );
    const asked = calls.indexOf("NodeGetCapabilities");
    assert.deepEqual(calls.slice(asked), [
      ...Array(3).fill("NodeGetCapabilities"),
      "NodeStageVolume",
      "NodePublishVolume",
    ]);
  });

  test("a pod deleted during a slow call is cleaned up after the call", () => {
    for (const call of ["NodeStageVolume", "NodePublishVolume"]) {
      const slow: Step = {
        type: "fault",
        fault: { driver: "block.csi.test", call, delayMs: 12_000 },
      };
      const { simulation } = playWith([slow], leave);
      assert.equal(nodeCalls(simulation), "NS NP NX NU", call);
      const machine = simulation.runtime.machines.get("node-a");
      assert.deepEqual(machine?.files.below("/var/lib/kubelet/pods"), []);
      assert.deepEqual(machine?.mounts.entries, []);
    }
  });

  test("a restarted kubelet stages and publishes again, and keeps containers running", () => {
    const restart: Step = { type: "node", name: "node-a", kubelet: "restart" };
    const played = playWith([], [restart, settle]);
    assert.equal(nodeCalls(played.simulation), "NS NP NS NP");
    assert.equal(
      played.simulation.trace.entries.filter((e) => e.type === "event" && e.reason === "Started")
        .length,
      1,
    );
  });

  test("a restarted kubelet unpublishes and unstages the volume of a pod that is gone", () => {
    const node = (kubelet: "down" | "restart"): Step => ({ type: "node", name: "node-a", kubelet });
    const remove: Step = { type: "delete", objects: [{ kind: "Pod", name: "p", grace: 0 }] };
    const played = playWith([], [node("down"), remove, node("restart"), settle]);
    assert.equal(nodeCalls(played.simulation), "NS NP NX NU");
    assert.deepEqual(played.get("Node", "node-a")?.status?.volumesInUse, undefined);
    assert.deepEqual(played.list("VolumeAttachment"), []);
  });

  test("a restarted kubelet keeps the volume of a terminating pod mounted until its containers have stopped", () => {
    const node = (kubelet: "down" | "restart"): Step => ({ type: "node", name: "node-a", kubelet });
    const hook = "lifecycle: { preStop: { sleep: { seconds: 20 } } }";
    const slow = podWithClaim("p").replace("image: app,", `image: app, ${hook},`);
    const steps = [...applied(slow), settle, node("down"), deletePods("p"), node("restart")];
    const callsAfter = (seconds: number): string =>
      nodeCalls(play(boundClaim(), { cluster, steps: [...steps, advance(seconds)] }).simulation);
    assert.equal(callsAfter(15), "NS NP NS NP");
    assert.equal(callsAfter(40), "NS NP NS NP NX NU");
  });

  test("a restarted kubelet unpublishes a shared volume for both of the pods that are gone", () => {
    const node = (kubelet: "down" | "restart"): Step => ({ type: "node", name: "node-a", kubelet });
    const objects = ["p", "other"].map((name) => ({ kind: "Pod" as const, name, grace: 0 }));
    const gone: readonly Step[] = [node("down"), { type: "delete", objects }, node("restart")];
    const played = playWith([], [...applied(podWithClaim("other")), advance(20), ...gone, settle]);
    assert.equal(nodeCalls(played.simulation), "NS NP NP NX NX NU");
  });

  test("without its Node a kubelet mounts no PersistentVolume, until it starts again and recreates it", () => {
    const failing = fault("NodePublishVolume", "Internal");
    const remove: Step = { type: "delete", objects: [{ kind: "Node", name: "node-a" }] };
    const restart: Step = { type: "node", name: "node-a", kubelet: "restart" };
    const heal = clear("NodePublishVolume");
    const played = playWith([failing], [remove, heal, advance(30), restart, settle]);
    assert.equal(
      played.events("FailedMount").at(-1),
      'MountVolume.NodeAffinity check failed for volume "pv" : error retrieving node: node "node-a" not found',
    );
    assert.equal(played.get("Pod", "p")?.status?.phase, "Running");
  });

  test("a restarted kubelet refuses a running pod that no longer fits its node, stops it and unmounts its volume", () => {
    const color = (value: string | null): Step => ({
      type: "patch",
      object: { kind: "Node", name: "node-a" },
      patch: { metadata: { labels: { color: value } } },
    });
    const pod = podWithClaim("p", "", "nodeSelector: { color: red }");
    const here = [color("red"), advance(5), ...applied(boundClaim(), pod), advance(20)];
    const run = [...here, color(null), settle];
    const running = play("", { cluster, steps: run });
    assert.equal(running.get("Pod", "p")?.status?.phase, "Running");

    const restart: Step = { type: "node", name: "node-a", kubelet: "restart" };
    const played = play("", { cluster, steps: [...run, restart, settle] });
    const { phase, reason, conditions, containerStatuses } = played.get("Pod", "p")?.status ?? {};
    assert.deepEqual([phase, reason], ["Failed", "NodeAffinity"]);
    assert.deepEqual([conditions ?? [], containerStatuses], [[], undefined]);
    assert.deepEqual(played.events("Killing"), ["Stopping container app"]);
    assert.equal(nodeCalls(played.simulation), "NS NP NS NP NX NU");
    assert.deepEqual(played.list("VolumeAttachment"), []);
  });

  test("a pod's sub-paths are unmounted with it, those of another pod with the volume stay", () => {
    const withSubPath = (name: string): string =>
      podWithClaim(name).replace("mountPath: /data }", "mountPath: /data, subPath: logs }");
    const both = fixture(boundClaim(), withSubPath("p"), withSubPath("other"));
    const played = play(both, { cluster, steps: [deletePods("p"), settle] });
    const uid = played.get("Pod", "other")?.metadata.uid;
    const { mounts } = played.simulation.runtime.machines.get("node-a") ?? {};
    const subPaths = (mounts?.entries ?? []).filter(({ target }) => target.includes("subpaths"));
    assert.deepEqual(
      subPaths.map(({ target }) => target),
      [`/var/lib/kubelet/pods/${uid}/volume-subpaths/pv/app/0`],
    );
  });

  test("a pod deleted while one of its volumes is being mounted leaves no volume behind", () => {
    const slow = { driver: "block.csi.test", call: "NodePublishVolume", delayMs: 30_000 };
    const pod = podWithClaim("p").replace("volumes: [", "volumes: [{ name: v, emptyDir: {} }, ");
    const played = play("", {
      cluster,
      steps: [
        { type: "fault", fault: slow },
        ...applied(
          boundClaim(),
          pod.replace("volumeMounts: [", "volumeMounts: [{ name: v, mountPath: /v }, "),
        ),
        advance(20),
        deletePods("p"),
        advance(60),
        settle,
      ],
    });
    assert.equal(nodeCalls(played.simulation), "NS NP NX NU");
    assert.equal(played.get("Pod", "p"), undefined);
    const { files, mounts } = played.simulation.runtime.machines.get("node-a") ?? {};
    assert.deepEqual([files?.below("/var/lib/kubelet/pods"), mounts?.entries], [[], []]);
  });
});
