/** Expansion of volumes, and the table of sizes in external-resizer expand_and_recover. */
import assert from "node:assert/strict";
import {
  type ExpansionState,
  expansionTarget,
} from "../../../../src/engine/controllers/external-resizer/expansion-target.ts";
import { driverProfile } from "../../../../src/engine/csi/driver-profile.ts";
import { check } from "../../../support/check.ts";
import { testWithFaults as test } from "../../../support/same-end.ts";
import { claim, oneNode, pod, StorageRun, twoNodes } from "../../../support/storage-run.ts";

const about = "PersistentVolumeClaim/default/data";
const onlyController = { expansion: { controller: true, node: false, online: true } };
const bound = (driver = {}): StorageRun => new StorageRun({ driver }).apply(claim).settle().mark();
const grow = (run: StorageRun, size: string): StorageRun =>
  run.patch("PersistentVolumeClaim", "data", {
    spec: { resources: { requests: { storage: size } } },
  });
const status = (run: StorageRun) => run.get("PersistentVolumeClaim", "data")?.status;
const failures = (run: StorageRun): readonly string[] =>
  run.events(about).filter((line) => line.startsWith("Warning VolumeResizeFailed"));

suite("volume expansion", () => {
  test("a volume that is bound later than its claim is expanded at the next resync", () => {
    const run = new StorageRun({
      driver: onlyController,
      disturb: (runtime) => runtime.stop("persistentvolume-binder"),
    }).apply(`
      kind: PersistentVolume
      metadata: { name: pv }
      spec: { storageClassName: fast, csi: { driver: d.csi, volumeHandle: vol } }
      ---
      kind: PersistentVolumeClaim
      metadata: { name: data }
      spec: { storageClassName: fast, volumeName: pv, resources: { requests: { storage: 2Gi } } }
    `);
    run.step({
      type: "patch",
      object: { kind: "PersistentVolumeClaim", name: "data" },
      patch: { status: { phase: "Bound", capacity: { storage: "1Gi" } } },
      subresource: "status",
    });
    const uid = run.get("PersistentVolumeClaim", "data")?.metadata.uid ?? "";
    const claimRef = { kind: "PersistentVolumeClaim", namespace: "default", name: "data", uid };
    run.patch("PersistentVolume", "pv", { spec: { claimRef } });
    run.advance(590);
    assert.deepEqual(run.calls, []);
    run.advance(10);
    assert.deepEqual(run.calls, ["ControllerExpandVolume OK"]);
    assert.equal(status(run)?.capacity?.["storage"], "2Gi");
  });

  test("a lowered status.capacity is noticed at the next resync", () => {
    const run = bound(onlyController);
    run.step({
      type: "patch",
      object: { kind: "PersistentVolumeClaim", name: "data" },
      patch: { status: { capacity: { storage: "512Mi" } } },
      subresource: "status",
    });
    run.advance(540);
    assert.deepEqual(run.calls, []);
    run.advance(60);
    assert.deepEqual(run.calls, ["ControllerExpandVolume OK"]);
    assert.equal(status(run)?.capacity?.["storage"], "1Gi");
  });

  test("a driver that needs a Secret for expansions gets the volume's", () => {
    const secretRefusals = {
      ControllerExpandVolume: [{ lacksSecrets: true, text: "which secret?" }],
    } as const;
    const grown = (secret: string): StorageRun => {
      const run = new StorageRun({ driver: { ...onlyController, secretRefusals } }).apply(`
        kind: Secret
        metadata: { name: login }
        ---
        kind: PersistentVolume
        metadata: { name: pv }
        spec: { storageClassName: fast, csi: { driver: d.csi, volumeHandle: vol${secret} } }
        ---
        kind: PersistentVolumeClaim
        metadata: { name: data }
        spec: { storageClassName: fast, volumeName: pv, resources: { requests: { storage: 1Gi } } }
      `);
      return grow(run.settle().mark(), "2Gi").settle();
    };
    const ref = ", controllerExpandSecretRef: { name: login, namespace: default }";
    assert.deepEqual(grown(ref).calls, ["ControllerExpandVolume OK"]);
    assert.match(
      failures(grown(""))[0] ?? "",
      /failed: rpc error: code = InvalidArgument desc = which secret\?$/,
    );
  });

  test("the size to expand to depends on the progress of the last expansion", () => {
    const state = (given: Partial<ExpansionState>): ExpansionState => ({
      requested: 3n,
      volumeSize: 1n,
      allocated: 2n,
      status: undefined,
      isLastAnswerFinal: false,
      isFileSystemResizePending: false,
      canExpandOnController: true,
      ...given,
    });
    const rows: readonly (readonly [Partial<ExpansionState>, bigint | undefined])[] = [
      [{ status: "NodeResizeInfeasible" }, 2n],
      [{ status: "NodeResizePending" }, 2n],
      [{ status: "NodeResizePending", volumeSize: 2n }, undefined],
      [{ status: "ControllerResizeInProgress" }, 2n],
      [{ status: "ControllerResizeInProgress", isLastAnswerFinal: true }, 3n],
      [{ status: "ControllerResizeInfeasible" }, 3n],
      [{}, 3n],
      [{ volumeSize: 3n, status: "NodeResizeInProgress" }, undefined],
      [{ volumeSize: 3n, status: "NodeResizeInfeasible" }, 2n],
      [{ volumeSize: 3n, status: "NodeResizeInfeasible", canExpandOnController: false }, 3n],
      [{ volumeSize: 3n, status: "ControllerResizeInProgress" }, 2n],
      [{ volumeSize: 3n }, 2n],
      [{ volumeSize: 3n, allocated: undefined }, 3n],
      [{ volumeSize: 3n, allocated: undefined, isFileSystemResizePending: true }, undefined],
    ];
    for (const [given, target] of rows) {
      assert.equal(expansionTarget(state(given)), target, JSON.stringify(given, text));
    }
  });

  test("an expansion under a running pod ends on the node, and its annotations are removed", () => {
    const run = bound().apply(pod).settle().mark();
    grow(run, "2Gi").advance(120).settle();
    assert.deepEqual(
      run.calls.filter((call) => call.includes("Expand")),
      ["ControllerExpandVolume OK", "n1 NodeExpandVolume OK"],
    );
    const { capacity, allocatedResources, conditions, allocatedResourceStatuses } =
      status(run) ?? {};
    assert.deepEqual([capacity, allocatedResources], [{ storage: "2Gi" }, { storage: "2Gi" }]);
    assert.deepEqual([conditions, allocatedResourceStatuses], [undefined, undefined]);
    const annotations = run.list("PersistentVolume")[0]?.metadata.annotations ?? {};
    assert.equal(annotations["volume.alpha.kubernetes.io/pre-resize-capacity"], undefined);
  });

  test("without a pod the expansion waits for a mount", () => {
    const run = grow(bound(), "2Gi").settle();
    assert.deepEqual(run.events(about), [
      "Normal ExternalExpanding waiting for an external controller to expand this PVC",
      `Normal Resizing External resizer is resizing volume pvc-<uid ${about}>`,
      "Normal FileSystemResizeRequired Require file system resize of volume on node",
    ]);
    assert.deepEqual(
      status(run)?.conditions?.map(({ type }) => type),
      ["Resizing", "FileSystemResizePending"],
    );
    assert.deepEqual(status(run)?.allocatedResourceStatuses, { storage: "NodeResizePending" });
    assert.equal(status(run)?.capacity?.["storage"], "1Gi");
    const annotations = run.list("PersistentVolume")[0]?.metadata.annotations ?? {};
    assert.equal(annotations["volume.alpha.kubernetes.io/pre-resize-capacity"], "1Gi");
  });

  test("a volume of another driver is not expanded, but loses its pre-resize annotation", () => {
    const note = "volume.alpha.kubernetes.io/pre-resize-capacity";
    const run = new StorageRun().apply(`
      kind: PersistentVolume
      metadata: { name: theirs }
      spec: { storageClassName: fast, csi: { driver: e.csi, volumeHandle: h } }
      ---
      kind: PersistentVolumeClaim
      metadata: { name: data }
      spec: { storageClassName: fast, volumeName: theirs }
    `);
    run
      .settle()
      .patch("PersistentVolume", "theirs", { metadata: { annotations: { [note]: "1Mi" } } });
    grow(run, "2Gi").settle();
    assert.deepEqual(run.calls, []);
    assert.deepEqual(run.writes("external-resizer d.csi"), ["update PersistentVolume//theirs"]);
    assert.equal(run.get("PersistentVolume", "theirs")?.metadata.annotations?.[note], undefined);
  });

  test("with a driver without node expansion the claim is done at once", () => {
    const run = grow(bound(onlyController), "2Gi").settle();
    assert.equal(status(run)?.capacity?.["storage"], "2Gi");
    assert.equal(run.events(about).at(-1), "Normal VolumeResizeSuccessful Resize volume succeeded");
    assert.deepEqual(run.writes("external-resizer d.csi"), [
      `update ${about} status`,
      `update PersistentVolume//pvc-<uid ${about}>`,
      `update ${about} status`,
    ]);
    const { conditions, allocatedResourceStatuses } = status(run) ?? {};
    assert.deepEqual([conditions, allocatedResourceStatuses], [undefined, undefined]);
  });

  test("the annotation that no node expansion is needed is removed by the next expansion", () => {
    const notRequired = (run: StorageRun): string | undefined =>
      run.get("PersistentVolumeClaim", "data")?.metadata.annotations?.[
        "volume.kubernetes.io/node-expansion-not-required"
      ];
    const run = grow(bound(onlyController), "2Gi").settle();
    assert.equal(notRequired(run), "true");
    run.fault("ControllerExpandVolume", { code: "Internal", times: 2 });
    grow(run, "3Gi").advance(0.5);
    assert.equal(notRequired(run), undefined);
    run.settle();
    assert.equal(notRequired(run), "true");
  });

  test("a volume that the driver rounded up keeps the pre-resize annotation of the first expansion", () => {
    const run = new StorageRun({ driver: { roundUpTo: "1Gi" } }).apply(claim).apply(pod).settle();
    grow(run, "1536Mi").advance(90);
    grow(run, "2560Mi").advance(1);
    const [volume] = run.list("PersistentVolume");
    const note = volume?.metadata.annotations?.["volume.alpha.kubernetes.io/pre-resize-capacity"];
    assert.deepEqual([volume?.spec.capacity?.["storage"], note], ["3Gi", "1Gi"]);
  });

  test("a size that is no binary number is stored as a decimal one", () => {
    const run = grow(bound({ ...onlyController, roundUpTo: "1", minSize: "1" }), "1500000k")
      .advance(1)
      .settle();
    const [volume] = run.list("PersistentVolume");
    assert.equal(volume?.spec.capacity?.["storage"], "1500M");
    assert.equal(status(run)?.capacity?.["storage"], "1500M");
    const lines = run.events(about).filter((line) => line.includes("ExternalExpanding"));
    assert.equal(lines.length, 1);
  });

  test("a failure is recorded on a claim that was edited during the call", () => {
    const run = bound().fault("ControllerExpandVolume", {
      code: "OutOfRange",
      message: "too large",
      delayMs: 5_000,
      times: 2,
    });
    grow(run, "2Gi").advance(2);
    run.patch("PersistentVolumeClaim", "data", { metadata: { labels: { touched: "yes" } } });
    run.advance(4);
    assert.deepEqual(status(run)?.allocatedResourceStatuses, {
      storage: "ControllerResizeInfeasible",
    });
  });

  test("after an edit during the call the expansion is reported as failed and repeated", () => {
    const run = bound(onlyController).fault("ControllerExpandVolume", { delayMs: 5_000 });
    grow(run, "2Gi").advance(2);
    run.patch("PersistentVolumeClaim", "data", { metadata: { labels: { touched: "yes" } } });
    run.advance(10);
    assert.deepEqual(run.calls, ["ControllerExpandVolume OK", "ControllerExpandVolume OK"]);
    assert.equal(status(run)?.capacity?.["storage"], "2Gi");
    assert.match(
      failures(run).join(),
      /^Warning VolumeResizeFailed mark PVC "default\/data" as resize finished failed: can't patch status of {2}PVC default\/data with Operation cannot be fulfilled on persistentvolumeclaims "data": the object has been modified; please apply your changes to the latest version and try again$/,
    );
  });

  test("if the claim is gone when the driver answers, the event says that it could not be updated", () => {
    const run = bound().fault("ControllerExpandVolume", { delayMs: 5_000 });
    grow(run, "2Gi").advance(2).delete("PersistentVolumeClaim", "data").advance(10);
    assert.match(
      failures(run).join(),
      /^Warning VolumeResizeFailed resizing failed in controller with rpc error: code = NotFound desc = .* but failed to update PVC default\/data with: mark PVC "default\/data" as controller expansion failed, errored with: can't patch status of {2}PVC default\/data with persistentvolumeclaims "data" not found$/,
    );
  });

  test("a conflict on, or a crash after, any write leads to the same end", () => {
    const driver = driverProfile({ name: "d.csi", ...onlyController });
    const { simulation } = check(
      `
      kind: StorageClass
      metadata: { name: fast }
      provisioner: d.csi
      allowVolumeExpansion: true
      ---
      kind: PersistentVolumeClaim
      metadata: { name: data }   #=> Bound pvc-<uid PersistentVolumeClaim/default/data>
      spec: { storageClassName: fast }
    `,
      {
        cluster: { drivers: [driver], nodes: oneNode },
        steps: [
          {
            type: "patch",
            object: { kind: "PersistentVolumeClaim", name: "data" },
            patch: { spec: { resources: { requests: { storage: "2Gi" } } } },
          },
          { type: "settle" },
        ],
      },
    );
    const { store } = simulation.runtime.api;
    const end = store.get("PersistentVolumeClaim", "default", "data");
    assert.equal(end?.status?.capacity?.["storage"], "2Gi");
  });

  test("an infeasible size is tried twice, then left alone for five minutes", () => {
    const run = bound({ maxSize: "16Ti" });
    grow(run, "20Ti").advance(200);
    assert.equal(run.calls.length, 2);
    assert.deepEqual(failures(run), [
      `Warning VolumeResizeFailed resize volume "pvc-<uid ${about}>" by resizer "d.csi" failed: rpc error: code = OutOfRange desc = size 20Ti is above the maximum 16Ti`,
    ]);
    assert.deepEqual(status(run)?.allocatedResourceStatuses, {
      storage: "ControllerResizeInfeasible",
    });
    assert.equal(run.advance(150).calls.length, 3);
  });

  for (const code of ["InvalidArgument", "OutOfRange", "NotFound"] as const) {
    test(`${code} means that a size is infeasible`, () => {
      const run = bound(onlyController).fault("ControllerExpandVolume", { code, times: 2 });
      grow(run, "2Gi").advance(200);
      assert.deepEqual(status(run)?.allocatedResourceStatuses, {
        storage: "ControllerResizeInfeasible",
      });
      assert.equal(run.calls.length, 2);
    });
  }

  test("a percent sign in a driver's answer is printed like a Go format without operands, except in the condition", () => {
    // external-resizer v2.1 pkg/controller/expand_and_recover.go expandAndRecover: Eventf(…, err.Error())
    const run = bound(onlyController);
    run.fault("ControllerExpandVolume", {
      code: "Internal",
      message: "pool is 95% full",
      times: 0,
    });
    grow(run, "2Gi").advance(1);
    const told = failures(run).map((line) => line.replace(/.* failed: /, ""));
    assert.deepEqual(
      [...new Set(told)],
      ["rpc error: code = Internal desc = pool is 95%!f(MISSING)ull"],
    );
    assert.deepEqual(
      status(run)?.conditions?.map(({ message }) => message),
      [undefined, "failed to expand pvc with rpc error: code = Internal desc = pool is 95% full"],
    );
  });

  test("a size that fails for another reason than the one before does not wait five minutes", () => {
    const run = bound(onlyController);
    run.fault("ControllerExpandVolume", { code: "OutOfRange", times: 2 });
    run.fault("ControllerExpandVolume", { code: "Internal", times: 2 });
    grow(run, "9Gi").advance(2);
    grow(run, "3Gi").advance(30);
    assert.equal(status(run)?.capacity?.["storage"], "3Gi");
  });

  test("a smaller request is tried at once", () => {
    const run = grow(bound({ maxSize: "16Ti" }), "20Ti")
      .advance(2)
      .mark();
    grow(run, "1536Mi").advance(1);
    assert.deepEqual(run.calls, ["ControllerExpandVolume OK"]);
    assert.equal(status(run)?.allocatedResources?.["storage"], "1536Mi");
  });

  test("a successful expansion ends the pause after a failed one", () => {
    const run = grow(bound({ maxSize: "16Ti", ...onlyController }), "20Ti").advance(2);
    grow(run, "2Gi").advance(2).mark();
    grow(run, "20Ti").advance(2);
    assert.equal(run.calls.length, 2);
  });

  test("a request cannot be lowered below status.capacity", () => {
    const run = bound().fault("ControllerExpandVolume", { code: "OutOfRange" });
    grow(run, "2Gi").advance(2);
    grow(run, "1Gi");
    assert.match(run.refusal, /field can not be less than status\.capacity/);
  });

  test("after an unclear answer the larger expansion is finished first", () => {
    const run = bound(onlyController);
    run.fault("ControllerExpandVolume", { code: "DeadlineExceeded", times: 0 });
    grow(run, "5Gi").advance(2).fault("ControllerExpandVolume", { clear: true }).mark();
    grow(run, "2Gi").settle();
    assert.equal(status(run)?.capacity?.["storage"], "5Gi");
  });

  test("an expansion that has succeeded but is not recorded yet is finished before a newer request", () => {
    const run = bound();
    run.fault("ControllerExpandVolume", { code: "Internal" });
    run.fault("ControllerExpandVolume", { delayMs: 6_000 });
    grow(run, "5Gi").advance(2);
    grow(run, "7Gi").settle();
    assert.equal(status(run)?.allocatedResources?.["storage"], "5Gi");
    assert.equal(run.list("PersistentVolume")[0]?.spec.capacity?.["storage"], "5Gi");
  });

  test("an offline-only driver is not called again while a pod uses the volume", () => {
    const driver = { expansion: { controller: true, node: true, online: false } };
    const run = bound(driver).apply(pod).settle().mark();
    grow(run, "2Gi").advance(30);
    const asked = run.calls.length;
    assert.ok(
      failures(run)
        .at(-1)
        ?.includes("only supports offline expansion and volume is currently in-use"),
    );
    assert.equal(run.advance(30).calls.length, asked);
    run.delete("Pod", "web").advance(200);
    assert.equal(run.calls.at(-1), "ControllerExpandVolume OK");
  });

  test("an offline-only driver is called again if the volume is used only as a generic ephemeral volume", () => {
    const driver = { expansion: { controller: true, node: true, online: false } };
    const run = new StorageRun({ driver }).apply(`
      kind: Pod
      metadata: { name: web }
      spec:
        containers: [{ name: c, image: i }]
        volumes:
          - name: v
            ephemeral:
              volumeClaimTemplate:
                spec:
                  accessModes: [ReadWriteOnce]
                  storageClassName: fast
                  resources: { requests: { storage: 1Gi } }
    `);
    run.settle().mark();
    run.patch("PersistentVolumeClaim", "web-v", {
      spec: { resources: { requests: { storage: "2Gi" } } },
    });
    run.advance(30);
    assert.ok(run.calls.length > 3, String(run.calls));
    const told = run.events("PersistentVolumeClaim/default/web-v");
    assert.ok(told.some((line) => line.startsWith("Warning VolumeResizeFailed")));
    assert.deepEqual(
      told.filter((line) => line.includes("volume is currently in-use")),
      [],
    );
  });

  test("another error makes the resizer call an offline-only driver again", () => {
    const run = bound(onlyController).apply(pod).settle().mark();
    run.fault("ControllerExpandVolume", { code: "FailedPrecondition" });
    run.fault("ControllerExpandVolume", { code: "Internal", times: 2 });
    grow(run, "2Gi").advance(2).delete("Pod", "web", { grace: 0 }).advance(8).apply(pod);
    run.advance(100);
    assert.equal(run.calls.includes("ControllerExpandVolume OK"), true);
  });

  test("a static volume is expanded if its class allows it", () => {
    const run = new StorageRun({ driver: onlyController }).apply(`
      kind: PersistentVolume
      metadata: { name: disk }
      spec: { storageClassName: fast, csi: { driver: d.csi, volumeHandle: h } }
      ---
      kind: PersistentVolumeClaim
      metadata: { name: data }
      spec: { storageClassName: fast, volumeName: disk }
    `);
    grow(run.settle(), "2Gi").settle();
    assert.equal(status(run)?.capacity?.["storage"], "2Gi");
  });

  test("a volume that the driver rounds up is larger than its claim", () => {
    const run = new StorageRun({ driver: { roundUpTo: "1Gi" } }).apply(claim).apply(pod).settle();
    grow(run.mark(), "1536Mi").advance(90);
    assert.equal(run.list("PersistentVolume")[0]?.spec.capacity?.["storage"], "2Gi");
    assert.equal(status(run)?.capacity?.["storage"], "1536Mi");
    assert.equal(status(run)?.allocatedResources?.["storage"], "1536Mi");
  });

  test("a request up to the rounded size needs no expansion", () => {
    const rounded = claim.replace(
      "storageClassName: fast",
      "storageClassName: fast, resources: { requests: { storage: 1536Mi } }",
    );
    const run = new StorageRun({ driver: { roundUpTo: "1Gi" } }).apply(rounded).settle().mark();
    assert.deepEqual(grow(run, "2Gi").settle().calls, []);
    assert.equal(status(run)?.capacity?.["storage"], "2Gi");
  });

  test("a volume with access modes that CSI cannot combine is not expanded", () => {
    const modes = claim.replace(
      "storageClassName: fast",
      "storageClassName: fast, accessModes: [ReadWriteOnce, ReadOnlyMany]",
    );
    const run = new StorageRun().apply(modes).settle().mark();
    grow(run, "2Gi").advance(1);
    assert.deepEqual(run.calls, []);
    assert.ok(
      failures(run)[0]?.endsWith(
        "with CSI does not support ReadOnlyMany and ReadWriteOnce on the same PersistentVolume",
      ),
    );
  });

  test("a missing Secret is reported, and the driver called once it exists", () => {
    const run = new StorageRun({ driver: onlyController }).apply(`
      kind: PersistentVolume
      metadata: { name: pv }
      spec:
        storageClassName: fast
        csi:
          driver: d.csi
          volumeHandle: h
          controllerExpandSecretRef: { name: key, namespace: default }
    `);
    run.apply(claim.replace("fast", "fast, volumeName: pv")).settle().mark();
    grow(run, "2Gi").advance(2);
    assert.deepEqual(failures(run), [
      'Warning VolumeResizeFailed resize volume "pv" by resizer "d.csi" failed: error getting secret key in namespace default: secrets "key" not found',
    ]);
    run.apply("{ kind: Secret, metadata: { name: key } }").settle();
    assert.equal(status(run)?.capacity?.["storage"], "2Gi");
  });

  test("a migrated volume is expanded by its driver once the resizer annotation is set", () => {
    const name = "ebs.csi.aws.com";
    const expansion = { controller: true, node: false, online: true };
    const { simulation } = check(
      `
      kind: StorageClass
      metadata: { name: gp2 }
      provisioner: kubernetes.io/aws-ebs
      allowVolumeExpansion: true
      ---
      kind: PersistentVolume
      metadata: { name: pv }
      spec: { storageClassName: gp2, awsElasticBlockStore: { volumeID: vol-1 } }
      ---
      kind: PersistentVolumeClaim
      metadata: { name: data }   #=> Bound pv
      spec: { storageClassName: gp2, volumeName: pv }
    `,
      {
        cluster: { drivers: [driverProfile({ name, expansion })], nodes: oneNode },
        steps: [
          {
            type: "patch",
            object: { kind: "PersistentVolumeClaim", name: "data" },
            patch: { spec: { resources: { requests: { storage: "2Gi" } } } },
          },
          { type: "settle" },
        ],
      },
    );
    const { store } = simulation.runtime.api;
    const grown = store.get("PersistentVolumeClaim", "default", "data");
    assert.equal(grown?.status?.capacity?.["storage"], "2Gi");
  });

  test("the first of two nodes completes the claim, and the second still expands its file system", () => {
    const shared = claim.replace("fast", "fast, accessModes: [ReadWriteMany]");
    const run = new StorageRun({ nodes: twoNodes }).apply(shared);
    for (const node of ["n1", "n2"]) {
      run.apply(
        pod.replace("name: web", `name: ${node}`).replace("spec:", `spec:\n    nodeName: ${node}`),
      );
    }
    grow(run.settle().mark(), "2Gi").advance(120).settle();
    const nodeCalls = run.calls.filter((call) => call.includes("NodeExpandVolume")).sort();
    assert.deepEqual(nodeCalls, ["n1 NodeExpandVolume OK", "n2 NodeExpandVolume OK"]);
    assert.equal(status(run)?.capacity?.["storage"], "2Gi");
  });

  test("the class decides at the time of the request whether a claim may grow", () => {
    const run = bound().patch("StorageClass", "fast", { allowVolumeExpansion: false });
    assert.match(grow(run, "2Gi").refusal, /only dynamically provisioned pvc can be resized/);
    run.patch("StorageClass", "fast", { allowVolumeExpansion: true });
    grow(run, "2Gi").settle();
    assert.deepEqual(run.calls, ["ControllerExpandVolume OK"]);
  });
});

function text(_: string, value: unknown): unknown {
  return typeof value === "bigint" ? String(value) : value;
}
