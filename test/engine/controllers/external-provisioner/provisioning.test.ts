/** From a claim to its new volume: requests to the driver, the stored volume, and failures. */
import assert from "node:assert/strict";
import { type DriverProfile, driverProfile } from "../../../../src/engine/csi/driver-profile.ts";
import type { Runtime } from "../../../../src/engine/runtime/runtime.ts";
import { check } from "../../../support/check.ts";
import { testWithFaults as test } from "../../../support/same-end.ts";
import { oneNode, StorageRun, threeZones } from "../../../support/storage-run.ts";

const about = "PersistentVolumeClaim/default/data";
const claim = (more = ""): string => `
  kind: PersistentVolumeClaim
  metadata: { name: data }
  spec: { storageClassName: fast${more} }
`;
const classNamed = (name: string, more: string): string => `
  kind: StorageClass
  metadata: { name: ${name} }
  provisioner: d.csi
  ${more}
`;
const wffc = classNamed("late", "volumeBindingMode: WaitForFirstConsumer");
const pod = (more = ""): string => `
  kind: Pod
  metadata: { name: web }
  spec:
    containers: [{ name: main, image: app, volumeMounts: [{ name: data, mountPath: /data }] }]
    volumes: [{ name: data, persistentVolumeClaim: { claimName: data } }]
    ${more}
`;
const late = claim().replace("fast", "late");
const zonal = { topologyKey: "example.com/zone" };
const failed = (run: StorageRun): readonly string[] =>
  run.events(about).filter((line) => line.startsWith("Warning ProvisioningFailed"));
const modes = (run: StorageRun): unknown =>
  run
    .requests("CreateVolume")
    .map((r) => (r["volume_capabilities"] as { access_mode: unknown }[]).map((c) => c.access_mode));

/** Makes the driver answer a capacity of one byte. */
function answersLess({ drivers }: Runtime): void {
  const begin = drivers.begin.bind(drivers);
  drivers.begin = (...call) => {
    const pending = begin(...call);
    const finish = pending.finish.bind(pending);
    pending.finish = (now) => {
      const { result, served } = finish(now);
      const volume = result.response["volume"] as object | undefined;
      const response = { volume: { ...volume, capacity_bytes: "1" } };
      return { result: volume === undefined ? result : { ...result, response }, served };
    };
    return pending;
  };
}

/** Refuses volumes, as an admission webhook would that is down. */
function refusesVolumes(forMs: number): (runtime: Runtime) => void {
  return ({ api, loop }) => {
    const create = api.create.bind(api);
    const end = loop.now + forMs;
    api.create = (input) => {
      if (input.kind !== "PersistentVolume" || loop.now >= end) return create(input);
      const message = 'Internal error occurred: failed calling webhook "volumes.example.com"';
      return { ok: false, error: { code: 500, reason: "InternalError", message } };
    };
  };
}

suite("provisioning", () => {
  test("a claim of an Immediate class gets a volume, with an event after it is stored", () => {
    const run = new StorageRun().apply(claim()).settle();
    assert.deepEqual(run.calls, ["CreateVolume OK"]);
    assert.deepEqual(modes(run), [[{ mode: "SINGLE_NODE_WRITER" }]]);
    assert.equal(
      run.events(about).at(-1),
      `Normal ProvisioningSucceeded Successfully provisioned volume pvc-<uid ${about}>`,
    );
    const [volume] = run.list("PersistentVolume");
    assert.deepEqual(volume?.metadata.annotations, {
      "pv.kubernetes.io/provisioned-by": "d.csi",
      "volume.kubernetes.io/provisioner-deletion-secret-name": "",
      "volume.kubernetes.io/provisioner-deletion-secret-namespace": "",
    });
    assert.equal(run.get("PersistentVolumeClaim", "data")?.status?.phase, "Bound");
  });

  test("a conflict on, or a crash after, any write leads to the same end", () => {
    const driver = driverProfile({ name: "d.csi" });
    check(
      `
      kind: StorageClass
      metadata: { name: fast }
      provisioner: d.csi
      ---
      kind: PersistentVolumeClaim
      metadata: { name: data }   #=> Bound pvc-<uid PersistentVolumeClaim/default/data>
      spec: { storageClassName: fast }
    `,
      { cluster: { drivers: [driver], nodes: oneNode } },
    );
  });

  test("ReadWriteOnce is SINGLE_NODE_MULTI_WRITER for a driver that has this capability", () => {
    const run = new StorageRun({ driver: { singleNodeMultiWriter: true } }).apply(claim()).settle();
    assert.deepEqual(modes(run), [[{ mode: "SINGLE_NODE_MULTI_WRITER" }]]);
  });

  test("ReadWriteOncePod is SINGLE_NODE_WRITER for a driver without SINGLE_NODE_MULTI_WRITER", () => {
    const run = new StorageRun().apply(claim(", accessModes: [ReadWriteOncePod]")).settle();
    assert.deepEqual(modes(run), [[{ mode: "SINGLE_NODE_WRITER" }]]);
  });

  test("each access mode of the claim is a capability of its own", () => {
    const run = new StorageRun()
      .apply(claim(", accessModes: [ReadWriteOnce, ReadOnlyMany]"))
      .settle();
    const expected = [[{ mode: "SINGLE_NODE_WRITER" }, { mode: "MULTI_NODE_READER_ONLY" }]];
    assert.deepEqual(modes(run), expected);
    assert.deepEqual(failed(run), []);
  });

  test("sizes are sent in bytes, and the volume is as large as the driver says", () => {
    const run = new StorageRun({ driver: { roundUpTo: "1Gi" } })
      .apply(claim(", resources: { requests: { storage: 1500M } }"))
      .settle();
    const [request] = run.requests("CreateVolume");
    assert.deepEqual(request?.["capacity_range"], { required_bytes: "1500000000" });
    assert.equal(run.list("PersistentVolume")[0]?.spec.capacity?.["storage"], "2Gi");
  });

  test("if the driver answers no size, the volume has the requested one", () => {
    const run = new StorageRun({ driver: { answersSize: false } }).apply(claim()).settle();
    assert.equal(run.list("PersistentVolume")[0]?.spec.capacity?.["storage"], "1Gi");
  });

  test("a volume that is smaller than requested is deleted again, and the call retried", () => {
    const run = new StorageRun({ disturb: answersLess });
    run.fault("DeleteVolume", { code: "Internal", times: 2 }).apply(claim()).advance(0.9);
    assert.deepEqual(run.calls, [
      "CreateVolume OK",
      "DeleteVolume Internal",
      "DeleteVolume Internal",
      "DeleteVolume OK",
    ]);
    assert.deepEqual(failed(run), [
      "Warning ProvisioningFailed created volume capacity 1 less than requested capacity 1073741824",
    ]);
    assert.deepEqual(run.advance(8).callTimes("CreateVolume"), [0, 1, 3, 7]);
    assert.deepEqual(run.requests("DeleteVolume")[0]?.["secrets"], undefined);
    const orphaned = new StorageRun({ disturb: answersLess });
    orphaned.fault("DeleteVolume", { code: "Internal", times: 0 }).apply(claim()).advance(0.9);
    assert.equal(orphaned.callTimes("DeleteVolume").length, 5);
    assert.match(
      failed(orphaned)[0] ?? "",
      /failed, volume is orphaned: rpc error: code = Internal/,
    );
  });

  test("a volume that is smaller than requested is deleted with the Secret that it was created with", () => {
    const key = "csi.storage.k8s.io/provisioner-secret";
    const run = new StorageRun({ disturb: answersLess })
      .apply("{ kind: Secret, metadata: { name: key }, data: { user: YQ== } }")
      .apply(classNamed("secret", `parameters: { ${key}-name: key, ${key}-namespace: default }`))
      .apply(claim().replace("fast", "secret"))
      .advance(0.9);
    assert.equal(run.requests("DeleteVolume")[0]?.["secrets"], "***stripped***");
  });

  test("a ReadOnlyMany volume is read-only if the provisioner marks such volumes", () => {
    const readOnly = (accessModes: string, marksReadonly: boolean): readonly unknown[] => {
      const driver = { publishReadonly: true, sidecars: { marksReadonly } };
      const run = new StorageRun({ driver }).apply(claim(`, accessModes: ${accessModes}`));
      run.apply(pod()).settle();
      return [
        run.list("PersistentVolume")[0]?.spec.csi?.readOnly,
        run.requests("ControllerPublishVolume")[0]?.["readonly"],
      ];
    };
    assert.deepEqual(readOnly("[ReadOnlyMany]", true), [true, true]);
    assert.deepEqual(readOnly("[ReadOnlyMany]", false), [undefined, undefined]);
    assert.deepEqual(readOnly("[ReadWriteOnce]", true), [undefined, undefined]);
    assert.deepEqual(readOnly("[ReadOnlyMany, ReadWriteMany]", true), [undefined, undefined]);
  });

  test("without a pod a WaitForFirstConsumer claim is left alone", () => {
    const run = new StorageRun().apply(wffc).apply(late).settle();
    assert.deepEqual(run.calls, []);
    assert.equal(run.get("PersistentVolumeClaim", "data")?.metadata.annotations, undefined);
  });

  test("the topology of the pod's node is preferred", () => {
    const run = new StorageRun({ driver: zonal, nodes: threeZones })
      .apply(wffc)
      .apply(late)
      .apply(pod("nodeSelector: { kubernetes.io/hostname: n2 }"))
      .settle();
    const [request] = run.requests("CreateVolume");
    const segments = (zones: string): unknown =>
      [...zones].map((zone) => ({ segments: { "example.com/zone": zone } }));
    assert.deepEqual(request?.["accessibility_requirements"], {
      requisite: segments("abc"),
      preferred: segments("bca"),
    });
    assert.equal(run.get("Pod", "web")?.status?.phase, "Running");
  });

  test("a claim waits for a provisioner that does not run", () => {
    const run = new StorageRun().apply(classNamed("foreign", "").replace("d.csi", "foo.example"));
    run.apply(claim().replace("fast", "foreign")).advance(60);
    assert.deepEqual(run.calls, []);
    assert.deepEqual(
      [...new Set(run.events(about).map((line) => line.split(" ")[1]))],
      ["ExternalProvisioning"],
    );
    const provisioner = run.get("PersistentVolumeClaim", "data")?.metadata.annotations;
    assert.equal(provisioner?.["volume.kubernetes.io/storage-provisioner"], "foo.example");
  });

  test("the class's deletion stops provisioning without an event", () => {
    const run = new StorageRun().fault("CreateVolume", { code: "Internal" });
    run.apply(claim()).advance(0.5).delete("StorageClass", "fast").mark().advance(10);
    assert.deepEqual(run.calls, []);
    assert.deepEqual(failed(run), []);
    const volume = "pvc-<uid PersistentVolumeClaim/default/data>";
    run.mayEndOtherwise("The provisioner asks its cache, which may not know of the deletion yet.", {
      [`PersistentVolume ${volume}`]: "Bound default/data",
      "PersistentVolumeClaim data": `Bound ${volume}`,
    });
  });

  test("errors are retried after 1 s, then 2 s, then 4 s", () => {
    const run = new StorageRun().fault("CreateVolume", { code: "Internal", times: 3 });
    run.apply(claim()).settle();
    assert.deepEqual(run.callTimes("CreateVolume"), [0, 1, 3, 7]);
    assert.equal(run.eventCount(about, "Provisioning"), 4);
    assert.deepEqual(failed(run), [
      "Warning ProvisioningFailed rpc error: code = Internal desc = injected Internal",
    ]);
  });

  test("after an unclear answer the volume of a deleted claim is still created, and deleted again", () => {
    const run = new StorageRun().fault("CreateVolume", { code: "DeadlineExceeded", times: 3 });
    run.apply(claim()).advance(2).delete("PersistentVolumeClaim", "data").advance(20).settle();
    assert.deepEqual(
      [...new Set(run.calls)],
      ["CreateVolume DeadlineExceeded", "CreateVolume OK", "DeleteVolume OK"],
    );
    assert.equal(run.list("PersistentVolume").length, 0);
  });

  test("a call without an answer in time ends with DeadlineExceeded", () => {
    const run = new StorageRun().fault("CreateVolume", { delayMs: 600_000 });
    run.apply(claim()).advance(120);
    assert.deepEqual(failed(run).slice(0, 1), [
      "Warning ProvisioningFailed rpc error: code = DeadlineExceeded desc = context deadline exceeded",
    ]);
  });

  test("failures for a deleted claim continue its event; a new claim of the name gets a new event", () => {
    const fault = { code: "DeadlineExceeded", times: 3 } as const;
    const run = new StorageRun().fault("CreateVolume", fault);
    const counts = (): readonly number[] =>
      run.simulation.trace.entries.flatMap((e) =>
        e.type === "event" && e.reason === "ProvisioningFailed" ? [e.count] : [],
      );
    run.apply(claim()).advance(2).delete("PersistentVolumeClaim", "data").advance(60).settle();
    assert.deepEqual(counts(), [1, 2, 3]);
    run.fault("CreateVolume", fault).apply(claim()).settle();
    assert.deepEqual(counts(), [1, 2, 3, 1, 2, 3]);
  });

  test("after a final answer a deleted claim is forgotten", () => {
    const run = new StorageRun().fault("CreateVolume", { code: "Internal", times: 0 });
    run.apply(claim()).advance(0.5).delete("PersistentVolumeClaim", "data").advance(0.3);
    assert.deepEqual(run.mark().settle().calls, []);
  });

  test("an infeasible request is not sent again for five minutes, whatever happens to the claim", () => {
    const run = new StorageRun().fault("CreateVolume", {
      code: "InvalidArgument",
      message: "no",
    });
    run.apply(claim()).advance(2);
    run.patch("PersistentVolumeClaim", "data", { metadata: { labels: { touched: "yes" } } });
    run.advance(250);
    assert.deepEqual(run.calls, ["CreateVolume InvalidArgument"]);
    assert.deepEqual(failed(run), [
      "Warning ProvisioningFailed Volume provisioning failed with infeasible error. Retries will be delayed. rpc error: code = InvalidArgument desc = no",
    ]);
    run.advance(350);
    assert.deepEqual(run.calls, ["CreateVolume InvalidArgument", "CreateVolume OK"]);
  });

  test("recreating the class ends the pause", () => {
    const run = new StorageRun().fault("CreateVolume", { code: "InvalidArgument" });
    run.apply(claim()).advance(2).delete("StorageClass", "fast");
    run.apply(classNamed("fast", "")).advance(60);
    assert.deepEqual(run.calls, ["CreateVolume InvalidArgument", "CreateVolume OK"]);
  });

  test("provisioners before 6.0 name the class in the event and do not pause", () => {
    const run = new StorageRun({ driver: { sidecars: { isProvisionerBeforeV6: true } } });
    run.fault("CreateVolume", { code: "InvalidArgument", message: "no" }).apply(claim()).settle();
    assert.deepEqual(run.calls, ["CreateVolume InvalidArgument", "CreateVolume OK"]);
    assert.deepEqual(failed(run), [
      'Warning ProvisioningFailed failed to provision volume with StorageClass "fast": rpc error: code = InvalidArgument desc = no',
    ]);
  });

  test("without capacity for the selected node the scheduler chooses again", () => {
    const run = new StorageRun({ driver: zonal, nodes: threeZones });
    run.fault("CreateVolume", { code: "ResourceExhausted", times: 0 });
    run.apply(wffc).apply(late).apply(pod()).advance(0.4);
    assert.deepEqual(run.calls, ["CreateVolume ResourceExhausted"]);
    const annotations = run.get("PersistentVolumeClaim", "data")?.metadata.annotations ?? {};
    assert.equal(annotations["volume.kubernetes.io/storage-provisioner"], "d.csi");
    run.fault("CreateVolume", { clear: true }).settle();
    assert.equal(run.get("Pod", "web")?.status?.phase, "Running");
  });

  test("without a selected node or topology, calls are retried with back-off until there is capacity", () => {
    const run = new StorageRun().fault("CreateVolume", { code: "ResourceExhausted", times: 2 });
    run.apply(claim()).settle();
    assert.deepEqual(run.callTimes("CreateVolume"), [0, 1, 3]);
  });

  /** The event about a selected node that is deleted between two attempts; the volume is then created for another node. */
  function toldOfGoneNode(driver: Partial<DriverProfile>): string | undefined {
    const run = new StorageRun({ driver, nodes: threeZones });
    run.fault("CreateVolume", { code: "Internal", times: 1 }).apply(wffc).apply(late).apply(pod());
    run.advance(0.4);
    const key = "volume.kubernetes.io/selected-node";
    const selected = (): string | undefined =>
      run.get("PersistentVolumeClaim", "data")?.metadata.annotations?.[key];
    const first = selected() ?? "";
    run.delete("CSINode", first).delete("Node", first).settle();
    assert.notEqual(selected(), first);
    assert.equal(run.get("PersistentVolumeClaim", "data")?.status?.phase, "Bound");
    return failed(run).at(-1)?.replaceAll(first, "NODE");
  }

  test("if the selected node is gone, the scheduler chooses again", () => {
    assert.equal(
      toldOfGoneNode(zonal),
      'Warning ProvisioningFailed failed to get selected CSINode NODE: csinode.storage.k8s.io "NODE" not found',
    );
  });

  test("an empty selected-node annotation means no node; before 6.0, a missing node", () => {
    const key = "volume.kubernetes.io/selected-node";
    function annotated(isProvisionerBeforeV6: boolean): StorageRun {
      const driver = { ...zonal, sidecars: { isProvisionerBeforeV6 } };
      const named = `name: data, annotations: { ${key}: "" }`;
      return new StorageRun({ driver, nodes: threeZones })
        .apply(claim().replace("name: data", named))
        .settle();
    }
    assert.deepEqual(failed(annotated(false)), []);
    assert.deepEqual(failed(annotated(true)), ['Warning ProvisioningFailed node "" not found']);
  });

  test("provisioners before 6.0 look up the selected Node, in their lister or at the API server", () => {
    // sig-storage-lib-external-provisioner v11 controller.go provisionClaimOperation
    const sidecars = { isProvisionerBeforeV6: true };
    assert.equal(
      toldOfGoneNode({ ...zonal, sidecars }),
      'Warning ProvisioningFailed node "NODE" not found',
    );
    assert.equal(toldOfGoneNode({ sidecars }), 'Warning ProvisioningFailed nodes "NODE" not found');
  });

  /** The two requests for a claim, the first of which gets no clear answer; in between a node's zone changes. */
  function requestsAroundMove(isProvisionerBeforeV6: boolean): readonly unknown[] {
    const driver = { ...zonal, sidecars: { isProvisionerBeforeV6 } };
    const run = new StorageRun({ driver, nodes: threeZones });
    run.fault("CreateVolume", { code: "DeadlineExceeded" }).apply(wffc).apply(late);
    run.apply(pod("nodeSelector: { kubernetes.io/hostname: n1 }")).advance(0.4);
    run.patch("Node", "n3", { metadata: { labels: { "example.com/zone": "d" } } }).settle();
    const requests = run.requests("CreateVolume");
    assert.equal(requests.length, 2);
    return requests;
  }

  test("after an unclear answer the same topology is requested, even if a node's zone has changed", () => {
    const [first, second] = requestsAroundMove(false);
    assert.deepEqual(second, first);
  });

  test("provisioners before 6.0 request the current topology", () => {
    const [first, second] = requestsAroundMove(true);
    assert.notDeepEqual(second, first);
  });

  test("a strict provisioner refuses a node outside of allowedTopologies", () => {
    const strict = { ...zonal, sidecars: { strictTopology: true } };
    const run = new StorageRun({ driver: strict, nodes: threeZones });
    const terms =
      "allowedTopologies: [{ matchLabelExpressions: [{ key: example.com/zone, values: [a] }] }]";
    run.apply(`${wffc}  ${terms}\n`).apply(late);
    run.patch("PersistentVolumeClaim", "data", {
      metadata: { annotations: { "volume.kubernetes.io/selected-node": "n2" } },
    });
    run.advance(2);
    assert.equal(
      failed(run)[0],
      `Warning ProvisioningFailed error generating accessibility requirements: selected node '"n2"' topology '[{example.com/zone b}]' is not in allowed topologies: [[{example.com/zone a}]]`,
    );
  });

  test("claims of one StatefulSet are spread over the zones, those of an ordinal together", () => {
    const run = new StorageRun({ driver: zonal, nodes: threeZones });
    const names = ["data-web-0", "data-web-1", "data-web-2", "logs-web-1"];
    for (const name of names) run.apply(claim().replace("name: data", `name: ${name}`));
    run.settle();
    const firsts = run.requests("CreateVolume").map((r) => {
      const { preferred } = r["accessibility_requirements"] as {
        preferred: { segments: Record<string, string> }[];
      };
      return preferred[0]?.segments["example.com/zone"];
    });
    assert.deepEqual(firsts, ["a", "b", "c", "b"]);
  });

  test("with immediateTopology=false no topology is requested without a selected node", () => {
    const driver = { ...zonal, sidecars: { immediateTopology: false } };
    const run = new StorageRun({ driver, nodes: threeZones }).apply(claim()).settle();
    assert.equal(run.requests("CreateVolume")[0]?.["accessibility_requirements"], undefined);
  });

  test("an unprefixed fstype becomes the file system type and stays a parameter", () => {
    const run = new StorageRun({ driver: { sidecars: { extraCreateMetadata: false } } })
      .apply(classNamed("xfs", "parameters: { fstype: xfs, type: gp3 }"))
      .apply(claim().replace("fast", "xfs"))
      .settle();
    const [request] = run.requests("CreateVolume");
    assert.deepEqual(request?.["parameters"], { fstype: "xfs", type: "gp3" });
    assert.equal(run.list("PersistentVolume")[0]?.spec.csi?.fsType, "xfs");
  });

  test("the class's mount options are sent to the driver and stored on the volume", () => {
    const run = new StorageRun()
      .apply(classNamed("careful", "mountOptions: [noatime, discard]"))
      .apply(claim().replace("fast", "careful"))
      .settle();
    assert.deepEqual(run.requests("CreateVolume")[0]?.["volume_capabilities"], [
      {
        mount: { mount_flags: ["noatime", "discard"] },
        access_mode: { mode: "SINGLE_NODE_WRITER" },
      },
    ]);
    const [volume] = run.list("PersistentVolume");
    assert.deepEqual(volume?.spec.mountOptions, ["noatime", "discard"]);
  });

  test("the volume refers to the Secrets for later uses", () => {
    const uses = [
      "controller-publish",
      "node-stage",
      "node-publish",
      "controller-expand",
      "node-expand",
      "controller-modify",
    ];
    const parameters = uses.flatMap((use) => [
      `csi.storage.k8s.io/${use}-secret-name: "\${pvc.name}-${use}"`,
      `csi.storage.k8s.io/${use}-secret-namespace: "\${pvc.namespace}"`,
    ]);
    const run = new StorageRun()
      .apply(classNamed("secret", `parameters: { ${parameters.join(", ")} }`))
      .apply(claim().replace("fast", "secret"))
      .settle();
    const [volume] = run.list("PersistentVolume");
    const csi = volume?.spec.csi;
    const named = [
      csi?.controllerPublishSecretRef,
      csi?.nodeStageSecretRef,
      csi?.nodePublishSecretRef,
      csi?.controllerExpandSecretRef,
      csi?.nodeExpandSecretRef,
    ].map((secret) => `${secret?.namespace}/${secret?.name}`);
    assert.deepEqual(named, [
      "default/data-controller-publish",
      "default/data-node-stage",
      "default/data-node-publish",
      "default/data-controller-expand",
      "default/data-node-expand",
    ]);
    const annotations = volume?.metadata.annotations ?? {};
    const modify = "volume.kubernetes.io/controller-modify-secret";
    assert.equal(annotations[`${modify}-name`], "data-controller-modify");
    assert.equal(annotations[`${modify}-namespace`], "default");
    assert.equal(annotations["volume.kubernetes.io/provisioner-deletion-secret-name"], "");
    assert.deepEqual(run.requests("CreateVolume")[0]?.["parameters"], {
      "csi.storage.k8s.io/pvc/name": "data",
      "csi.storage.k8s.io/pvc/namespace": "default",
      "csi.storage.k8s.io/pv/name": volume?.metadata.name,
    });
  });

  test("before 6.0 the key of the modify Secret is unknown, and the common Secret is not used for it", () => {
    const made = (parameters: string): StorageRun =>
      new StorageRun({ driver: { sidecars: { isProvisionerBeforeV6: true } } })
        .apply(classNamed("secret", `parameters: { ${parameters} }`))
        .apply(claim().replace("fast", "secret"))
        .advance(0.9);
    const name = "csi.storage.k8s.io/controller-modify-secret-name";
    assert.match(
      failed(made(`${name}: s`))[0] ?? "",
      /failed to strip CSI Parameters of prefixed keys: found unknown parameter key "csi.storage.k8s.io\/controller-modify-secret-name"/,
    );
    const common =
      "csi.storage.k8s.io/secret-name: s, csi.storage.k8s.io/secret-namespace: default";
    const run = made(common);
    run.apply("{ kind: Secret, metadata: { name: s }, data: {} }").settle();
    const { annotations = {} } = run.list("PersistentVolume")[0]?.metadata ?? {};
    assert.deepEqual(Object.keys(annotations).sort(), [
      "pv.kubernetes.io/provisioned-by",
      "volume.kubernetes.io/provisioner-deletion-secret-name",
      "volume.kubernetes.io/provisioner-deletion-secret-namespace",
    ]);
  });

  test("an unknown key with the sidecars' prefix is refused", () => {
    const run = new StorageRun()
      .apply(classNamed("odd", "parameters: { csi.storage.k8s.io/foo: x }"))
      .apply(claim().replace("fast", "odd"))
      .advance(0.5);
    assert.deepEqual(failed(run), [
      'Warning ProvisioningFailed failed to strip CSI Parameters of prefixed keys: found unknown parameter key "csi.storage.k8s.io/foo" with reserved namespace csi.storage.k8s.io/',
    ]);
  });

  test("a Block claim gets a block capability, and its volume no file system type", () => {
    const run = new StorageRun({ driver: { sidecars: { defaultFsType: "ext4" } } })
      .apply(claim(", volumeMode: Block"))
      .settle();
    const capabilities = run.requests("CreateVolume")[0]?.["volume_capabilities"];
    const expected = [{ block: {}, access_mode: { mode: "SINGLE_NODE_WRITER" } }];
    assert.deepEqual(capabilities, expected);
    const [volume] = run.list("PersistentVolume");
    assert.equal(volume?.spec.volumeMode, "Block");
    assert.equal(volume?.spec.csi?.fsType, undefined);
  });

  test("a missing Secret is waited for", () => {
    const parameters =
      "parameters: { csi.storage.k8s.io/provisioner-secret-name: s, csi.storage.k8s.io/provisioner-secret-namespace: default }";
    const run = new StorageRun()
      .apply(classNamed("guarded", parameters))
      .apply(claim().replace("fast", "guarded"))
      .advance(0.5);
    assert.deepEqual(failed(run), [
      'Warning ProvisioningFailed error getting secret s in namespace default: secrets "s" not found',
    ]);
    run.apply("kind: Secret\nmetadata: { name: s }\n").settle();
    assert.deepEqual(run.calls, ["CreateVolume OK"]);
  });

  test("an annotation of the claim may name the provisioner's Secret, which is stored for the volume's deletion", () => {
    const parameters =
      "parameters: { csi.storage.k8s.io/provisioner-secret-name: \"${pvc.annotations['team/secret']}\", csi.storage.k8s.io/provisioner-secret-namespace: default }";
    const run = new StorageRun()
      .apply(classNamed("guarded", parameters))
      .apply("kind: Secret\nmetadata: { name: of-team }\n")
      .apply(
        claim()
          .replace("fast", "guarded")
          .replace("name: data", "name: data, annotations: { team/secret: of-team }"),
      )
      .settle();
    const [volume] = run.list("PersistentVolume");
    assert.equal(
      volume?.metadata.annotations?.["volume.kubernetes.io/provisioner-deletion-secret-name"],
      "of-team",
    );
  });

  test("the class's Secrets are stored on the volume, each for its use, with templates filled in", () => {
    const uses = [
      "controller-publish",
      "node-stage",
      "node-publish",
      "controller-expand",
      "node-expand",
    ];
    const name = (use: string): string => `csi.storage.k8s.io/${use}-secret-name`;
    const namespace = (use: string): string => `csi.storage.k8s.io/${use}-secret-namespace`;
    const parameters = uses.flatMap((use) => [
      `${name(use)}: "${use}-\${pvc.name}"`,
      `${namespace(use)}: "\${pvc.namespace}"`,
    ]);
    const run = new StorageRun()
      .apply(classNamed("guarded", `parameters: { ${parameters.join(", ")} }`))
      .apply(claim().replace("fast", "guarded"))
      .settle();
    const {
      driver: _,
      volumeHandle: __,
      volumeAttributes: ___,
      ...secrets
    } = run.list("PersistentVolume")[0]?.spec.csi ?? {};
    const secret = (use: string) => ({ name: `${use}-data`, namespace: "default" });
    assert.deepEqual(secrets, {
      controllerPublishSecretRef: secret("controller-publish"),
      nodeStageSecretRef: secret("node-stage"),
      nodePublishSecretRef: secret("node-publish"),
      controllerExpandSecretRef: secret("controller-expand"),
      nodeExpandSecretRef: secret("node-expand"),
    });
  });

  test("a driver's attribute with the key of the provisioner's identity replaces the identity on the volume", () => {
    const key = "storage.kubernetes.io/csiProvisionerIdentity";
    const attribute = (parameters: string): string | undefined => {
      const made = new StorageRun()
        .apply(classNamed("copied", parameters))
        .apply(claim().replace("fast", "copied"))
        .settle();
      return made.list("PersistentVolume")[0]?.spec.csi?.volumeAttributes?.[key];
    };
    assert.match(attribute("parameters: { tier: high }") ?? "", /^[0-9]+-[0-9]+-d\.csi$/);
    assert.equal(attribute(`parameters: { ${key}: of-an-old-volume }`), "of-an-old-volume");
  });

  test("a VolumeAttributesClass needs a driver with MODIFY_VOLUME and must be for that driver", () => {
    const attributes = (driver: string): string => `
      kind: VolumeAttributesClass
      metadata: { name: gold }
      driverName: ${driver}
      parameters: { iops: "4000" }
    `;
    const asked = (driver: object, of: string): StorageRun =>
      new StorageRun({ driver })
        .apply(attributes(of))
        .apply(claim(", volumeAttributesClassName: gold"))
        .advance(0.5);
    assert.deepEqual(failed(asked({}, "d.csi")), [
      "Warning ProvisioningFailed CSI driver does not support VolumeAttributesClass: controller MODIFY_VOLUME capability is not reported",
    ]);
    assert.deepEqual(failed(asked({ modify: true }, "e.csi")), [
      "Warning ProvisioningFailed VAC gold referenced in PVC is for driver e.csi which does not match driver name d.csi",
    ]);
    assert.deepEqual(
      asked({ modify: true }, "d.csi").requests("CreateVolume")[0]?.["mutable_parameters"],
      { iops: "4000" },
    );
  });

  test("a claim with a selector is not provisioned", () => {
    const run = new StorageRun()
      .apply(claim(", selector: { matchLabels: { app: db } }"))
      .advance(0.5);
    assert.deepEqual(failed(run), ["Warning ProvisioningFailed claim Selector is not supported"]);
  });

  test("a volume that cannot be stored at first is stored later, without a warning", () => {
    const run = new StorageRun({ disturb: refusesVolumes(30_000) }).apply(claim()).advance(25);
    assert.deepEqual(run.calls, ["CreateVolume OK"]);
    assert.deepEqual(failed(run), []);
    assert.equal(run.get("PersistentVolumeClaim", "data")?.status?.phase, "Pending");
    run.advance(40).settle();
    assert.deepEqual(run.calls, ["CreateVolume OK"]);
    assert.equal(
      run.events(about).at(-1),
      `Normal ProvisioningSucceeded Successfully provisioned volume pvc-<uid ${about}>`,
    );
    assert.equal(run.get("PersistentVolumeClaim", "data")?.status?.phase, "Bound");
  });

  test("an edit of the claim before the volume is stored repeats the call for the same volume", () => {
    const run = new StorageRun({ disturb: refusesVolumes(30_000) }).apply(claim()).advance(5);
    run.patch("PersistentVolumeClaim", "data", { metadata: { labels: { touched: "yes" } } });
    assert.deepEqual(run.advance(60).calls, ["CreateVolume OK", "CreateVolume OK"]);
    assert.deepEqual(failed(run), []);
    assert.equal(run.list("PersistentVolume").length, 1);
    assert.equal(run.get("PersistentVolumeClaim", "data")?.status?.phase, "Bound");
  });

  test("a provisioner that comes back with its driver knows of deletions just before", () => {
    const driver = (controller: "up" | "down") =>
      ({ type: "driver", name: "d.csi", controller }) as const;
    const run = new StorageRun().apply(classNamed("gone", "")).settle();
    run.step(driver("down")).apply(claim().replace("fast", "gone")).settle();
    run.delete("StorageClass", "gone").step(driver("up"));
    assert.deepEqual(run.calls, []);
  });

  test("an edit of the claim during the back-off triggers an additional attempt", () => {
    const run = new StorageRun().fault("CreateVolume", { code: "Internal", times: 4 });
    run.apply(claim()).advance(4);
    run.patch("PersistentVolumeClaim", "data", { metadata: { labels: { touched: "yes" } } });
    run.advance(1);
    assert.deepEqual(run.callTimes("CreateVolume"), [0, 1, 3, 4]);
  });

  test("a driver that goes down during a call ends it with Unavailable, and its sidecar starts over", () => {
    const run = new StorageRun().fault("CreateVolume", { delayMs: 8_000 });
    run.apply(claim()).advance(1);
    run.step({ type: "driver", name: "d.csi", controller: "down" });
    run.step({ type: "driver", name: "d.csi", controller: "up" }).settle();
    assert.deepEqual(run.calls, ["CreateVolume Unavailable", "CreateVolume OK"]);
    assert.deepEqual(failed(run), [
      "Warning ProvisioningFailed rpc error: code = Unavailable desc = error reading from server: EOF",
    ]);
  });

  test("a provisioner whose driver is gone exits before the event about the attempt", () => {
    const driver = (controller: "up" | "down") =>
      ({ type: "driver", name: "d.csi", controller }) as const;
    const attempts = (run: StorageRun): number =>
      run.events(about).filter((line) => line.startsWith("Normal Provisioning ")).length;
    const run = new StorageRun().step(driver("down")).apply(claim()).settle();
    assert.equal(attempts(run), 0);
    run.step(driver("up")).settle();
    assert.equal(attempts(run), 1);
  });

  test("an attempt that fails before the call gets its events even if the driver is gone", () => {
    const run = new StorageRun().step({ type: "driver", name: "d.csi", controller: "down" });
    run.apply(claim(", selector: { matchLabels: { app: db } }")).settle();
    assert.deepEqual(
      run.events(about).filter((line) => !line.includes("ExternalProvisioning")),
      [
        'Normal Provisioning External provisioner is provisioning volume for claim "default/data"',
        "Warning ProvisioningFailed claim Selector is not supported",
      ],
    );
  });

  test("a call that outlasts the time-out still takes effect", () => {
    const run = new StorageRun().fault("CreateVolume", { delayMs: 14_000 });
    run.apply(claim()).advance(30).settle();
    assert.deepEqual(run.calls, [
      "CreateVolume OK",
      "CreateVolume Aborted",
      "CreateVolume Aborted",
      "CreateVolume OK",
    ]);
  });
});
