/** How a kubelet resolves a pod's volumes, waits for them, and checks that they are attached. */
import assert from "node:assert/strict";
import type { Json } from "../../../src/engine/api/json.ts";
import { driverProfile } from "../../../src/engine/csi/driver-profile.ts";
import type { KubernetesVersion, Step } from "../../../src/engine/scenario.ts";
import { attachmentName } from "../../../src/engine/volume/volume-names.ts";
import { type Played, play } from "../../support/play.ts";
import { testWithFaults as test } from "../../support/same-end.ts";
import {
  advance,
  applied,
  boundClaim,
  clusterOf,
  deletePods,
  fault,
  fixture,
  nodeA,
  nodeCalls,
  podWithClaim,
  settle,
} from "./node-fixture.ts";

const cluster = clusterOf();
const attachment = attachmentName("vol", "block.csi.test", "node-a");
const unable =
  "Unable to attach or mount volumes: unmounted volumes=[data], unattached volumes=[], failed to process volumes=[data]: ";

function stageTime({ simulation }: Played): number {
  const { entries } = simulation.trace;
  return entries.find((e) => e.type === "call" && e.call === "NodeStageVolume")?.at ?? 0;
}

suite("kubelet: resolving volumes and waiting for attachment", () => {
  test("a missing claim is reported in the API server's words", () => {
    const played = play(podWithClaim("p", "Pending node-a"), { cluster });
    const why =
      'error processing PVC default/data: failed to fetch PVC from API server: persistentvolumeclaims "data" not found';
    assert.deepEqual(played.events("FailedMount"), [unable + why]);
  });

  test("a claim that is not bound is reported, and checked again at the next sync", () => {
    const claim = `
      kind: PersistentVolumeClaim
      metadata: { name: data }
      spec: { storageClassName: manual }`;
    const volume = {
      apiVersion: "v1",
      kind: "PersistentVolume",
      metadata: { name: "pv" },
      spec: {
        storageClassName: "manual",
        accessModes: ["ReadWriteOnce"],
        capacity: { storage: "1Gi" },
        hostPath: { path: "/srv" },
      },
    };
    const played = play(fixture(claim, podWithClaim("p", "Running node-a")), {
      cluster,
      steps: [{ type: "apply", manifests: [volume] }, advance(30), settle],
    });
    assert.deepEqual(played.events("FailedMount"), [
      `${unable}error processing PVC default/data: PVC is not bound`,
    ]);
  });

  test("a claim that is being deleted without its protection finalizer is refused", () => {
    const keep = "metadata: { name: data, finalizers: [example.com/keep] }";
    const claim = boundClaim().replace("metadata: { name: data }", keep);
    const gone: Step = {
      type: "delete",
      objects: [{ kind: "PersistentVolumeClaim", name: "data" }],
    };
    const played = play(claim, {
      cluster,
      steps: [gone, settle, ...applied(podWithClaim("p")), advance(5)],
    });
    assert.deepEqual(played.events("FailedMount"), [
      `${unable}error processing PVC default/data: PVC is being deleted`,
    ]);
    assert.equal(nodeCalls(played.simulation), "");
  });

  test("a Block claim under volumeMounts is refused", () => {
    const block = boundClaim().replaceAll("accessModes:", "volumeMode: Block, accessModes:");
    const played = play(fixture(block, podWithClaim("p", "Pending node-a")), { cluster });
    const why = "volume data has volumeMode Block, but is specified in volumeMounts";
    assert.deepEqual(played.events("FailedMount"), [unable + why]);
  });

  test("a Filesystem claim under volumeDevices is refused", () => {
    const pod = podWithClaim("p", "Pending node-a").replace(
      "volumeMounts: [{ name: data, mountPath: /data }]",
      "volumeDevices: [{ name: data, devicePath: /dev/xvda }]",
    );
    const played = play(fixture(boundClaim(), pod), { cluster });
    const why = "volume data has volumeMode Filesystem, but is specified in volumeDevices";
    assert.deepEqual(played.events("FailedMount"), [unable + why]);
  });

  test("a volume that no container mounts is ignored", () => {
    const pod = `
      kind: Pod
      metadata: { name: p }        #=> Running node-a
      spec:
        nodeName: node-a
        containers: [{ name: app, image: app }]
        volumes: [{ name: data, persistentVolumeClaim: { claimName: data } }]`;
    const played = play(fixture(boundClaim(), pod), { cluster });
    assert.equal(nodeCalls(played.simulation), "");
    assert.deepEqual(played.get("Node", "node-a")?.status?.volumesInUse, undefined);
  });

  test("volumes that wait for attachment and those that cannot be resolved are listed separately", () => {
    const pod = `
      kind: Pod
      metadata: { name: p }        #=> Pending node-a
      spec:
        nodeName: node-a
        containers:
          - name: app
            image: app
            volumeMounts: [{ name: data, mountPath: /data }, { name: z, mountPath: /z }, { name: b, mountPath: /b }]
        volumes:
          - { name: z, persistentVolumeClaim: { claimName: nope } }
          - { name: data, persistentVolumeClaim: { claimName: data } }
          - { name: b, persistentVolumeClaim: { claimName: none } }`;
    const slow = fault("ControllerPublishVolume", "Unavailable");
    const played = play("", { cluster, steps: [slow, ...applied(boundClaim(), pod), settle] });
    const missing = (name: string): string =>
      `error processing PVC default/${name}: failed to fetch PVC from API server: persistentvolumeclaims "${name}" not found`;
    assert.deepEqual(played.events("FailedMount"), [
      `Unable to attach or mount volumes: unmounted volumes=[b data z], unattached volumes=[data], failed to process volumes=[b z]: ${missing("none")}; ${missing("nope")}`,
    ]);
  });

  test("an event names at most eleven of a pod's errors", () => {
    const names = Array.from("abcdefghijklm");
    const pod = {
      kind: "Pod",
      metadata: { name: "p" },
      spec: {
        nodeName: "node-a",
        containers: [
          {
            name: "app",
            image: "app",
            volumeMounts: names.map((name) => ({ name, mountPath: `/${name}` })),
          },
        ],
        volumes: names.map((name) => ({ name, persistentVolumeClaim: { claimName: name } })),
      },
    };
    const played = play(JSON.stringify(pod), { cluster });
    const [told = ""] = played.events("FailedMount");
    const missing = [...told.matchAll(/error processing PVC default\/(.): /g)].map(([, n]) => n);
    assert.deepEqual(missing, names.slice(0, 11));
  });

  test("a wait for attachment that times out is not reported and begins again", () => {
    const slow = fault("ControllerPublishVolume", "Unavailable");
    const played = play("", {
      cluster,
      steps: [slow, ...applied(boundClaim(), podWithClaim("p")), advance(300)],
    });
    assert.deepEqual(played.events("FailedMount"), []);
    assert.equal(played.get("Pod", "p")?.status?.phase, "Pending");
  });

  test("a pod that is deleted while it waits is removed at once, without an event", () => {
    const slow = fault("ControllerPublishVolume", "Unavailable");
    const played = play("", {
      cluster,
      steps: [
        slow,
        ...applied(boundClaim(), podWithClaim("p")),
        advance(20),
        deletePods("p"),
        advance(3),
      ],
    });
    assert.equal(played.get("Pod", "p"), undefined);
    assert.deepEqual(played.events("FailedMount"), []);
    assert.deepEqual(played.events("Killing"), []);
  });

  test("nothing is mounted before the node's status names the volume as in use and as attached", () => {
    const slowStatus = clusterOf(undefined, [{ ...nodeA, statusUpdateMs: 8000 }]);
    const played = play(fixture(boundClaim(), podWithClaim("p", "Running node-a")), {
      cluster: slowStatus,
    });
    const { entries } = played.simulation.trace;
    const staged = entries.findIndex((e) => e.type === "call" && e.call === "NodeStageVolume");
    const before = entries
      .slice(0, staged)
      .flatMap((e) =>
        e.type === "write" && e.ref === "Node//node-a" && e.after?.kind === "Node"
          ? [e.after.status]
          : [],
      );
    const name = "kubernetes.io/csi/block.csi.test^vol";
    assert.deepEqual(before.at(-1)?.volumesInUse, [name]);
    assert.equal(before.at(-1)?.volumesAttached?.[0]?.name, name);
  });

  test("if only the kubelet's cache knows an attachment, it is checked again without an event", () => {
    const pod = [...applied(boundClaim(), podWithClaim("p"))];
    const stagedAt = stageTime(play("", { cluster, steps: [...pod, settle] }));
    const appliedAt = play("", { cluster, steps: pod }).simulation.now;
    // One pass of the reconciler checks whether the volume is attached, the next one mounts it.
    const askedAt = Math.floor(stagedAt / 100) * 100 - 100;
    const status = (volumesAttached: Json): Step => ({
      type: "patch",
      object: { kind: "Node", name: "node-a" },
      subresource: "status",
      patch: { status: { volumesAttached } },
    });
    const name = "kubernetes.io/csi/block.csi.test^vol";
    const played = play("", {
      cluster,
      steps: [
        ...pod,
        { type: "advance", ms: askedAt - appliedAt },
        status(null),
        status([{ name, devicePath: "" }]),
        settle,
      ],
    });
    assert.deepEqual(played.events("FailedMount"), []);
    // In the first pass after half a second of back-off.
    assert.equal(stageTime(played), stagedAt + 600);
    assert.equal(played.get("Pod", "p")?.status?.phase, "Running");
  });

  test("a volume of a driver without attachment is mounted without the attach-detach controller", () => {
    const volume = "csi: { driver: file.csi.test, volumeHandle: vol }";
    const played = play(fixture(boundClaim({ volume }), podWithClaim("p", "Running node-a")), {
      cluster,
    });
    assert.equal(nodeCalls(played.simulation), "NS NP");
    assert.deepEqual(played.list("VolumeAttachment"), []);
    assert.deepEqual(played.get("Node", "node-a")?.status?.volumesInUse, undefined);
  });

  test("a change of a CSIDriver that still requires attachment does not end the wait", () => {
    const wish: Step = {
      type: "patch",
      object: { kind: "CSIDriver", name: "block.csi.test" },
      patch: { spec: { requiresRepublish: true } },
    };
    const slow = fault("ControllerPublishVolume", "Unavailable");
    const pod = applied(boundClaim(), podWithClaim("p"));
    const { simulation } = play("", { cluster, steps: [slow, ...pod, advance(20), wish, settle] });
    assert.equal(nodeCalls(simulation), "");
  });

  test("a pod goes on waiting if its node is not known to be full", () => {
    const asked = { spec: { nodeAllocatableUpdatePeriodSeconds: 600 } };
    const phase = (code: string, patch: Json, version?: KubernetesVersion): string | undefined => {
      const object = { kind: "CSIDriver", name: "block.csi.test" } as const;
      const refused = fault("ControllerPublishVolume", code);
      const pod = applied(boundClaim(), podWithClaim("p"));
      const steps = [{ type: "patch", object, patch } as const, refused, ...pod, advance(150)];
      const options = { cluster, steps, ...(version !== undefined && { version }) };
      return play("", options).get("Pod", "p")?.status?.phase;
    };
    assert.equal(phase("Internal", asked), "Pending");
    assert.equal(phase("ResourceExhausted", {}), "Pending");
    assert.equal(phase("ResourceExhausted", asked, "1.34"), "Pending");
  });

  test("if an attachment fails because the node is full, its driver is asked for the limit at once", () => {
    const driver = driverProfile({ name: "block.csi.test", maxVolumesPerNode: 12 });
    const patch = { spec: { nodeAllocatableUpdatePeriodSeconds: 6000 } };
    const entry = { name: driver.name, nodeID: "node-a", topologyKeys: null };
    const written = { spec: { drivers: [{ ...entry, allocatable: { count: 40 } }] } };
    const played = play("", {
      cluster: clusterOf([driver]),
      steps: [
        { type: "patch", object: { kind: "CSIDriver", name: driver.name }, patch },
        { type: "patch", object: { kind: "CSINode", name: "node-a" }, patch: written },
        fault("ControllerPublishVolume", "ResourceExhausted"),
        ...applied(boundClaim(), podWithClaim("p")),
        advance(150),
      ],
    });
    played.mayEndOtherwise("a new kubelet does not want the volumes of a pod that has ended", {
      [`VolumeAttachment ${attachment}`]: "gone",
      "in use on node-a": "",
    });
    assert.equal(played.get("CSINode", "node-a")?.spec.drivers[0]?.allocatable?.count, 12);
  });

  test("a full node rejects the pod if the CSIDriver has an update period for the limit", () => {
    const driver = driverProfile({ name: "block.csi.test" });
    const full = fault("ControllerPublishVolume", "ResourceExhausted");
    const patch = { spec: { nodeAllocatableUpdatePeriodSeconds: 600 } };
    const played = play("", {
      cluster: clusterOf([driver]),
      steps: [
        { type: "patch", object: { kind: "CSIDriver", name: "block.csi.test" }, patch },
        full,
        ...applied(boundClaim(), podWithClaim("p")),
        advance(150),
      ],
    });
    played.mayEndOtherwise("a new kubelet does not want the volumes of a pod that has ended", {
      [`VolumeAttachment ${attachment}`]: "gone",
      "in use on node-a": "",
    });
    const { status } = played.get("Pod", "p") ?? {};
    assert.equal(status?.phase, "Failed");
    assert.equal(status?.reason, "VolumeAttachmentLimitExceeded");
    assert.match(
      status?.message ?? "",
      /^Pod was rejected: Node has reached its volume attachment limit, rejecting pod\. /,
    );
  });
});
