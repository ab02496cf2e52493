/** Verdicts at each moment of runs that end well, as users do not look at the end only. */
import assert from "node:assert/strict";
import { RunFacts } from "../../../src/engine/explain/run-facts.ts";
import { isGood } from "../../../src/engine/explain/verdict.ts";
import { verdictOn } from "../../../src/engine/explain/verdicts.ts";
import { claim, pod, StorageRun, twoNodes } from "../../support/storage-run.ts";

/** The distinct verdicts that are not good, as `REF KIND: HEADLINE`, from the entry on, at moments of at least `leastMs`. */
function complaints(run: StorageRun, from: number, leastMs = 0): readonly string[] {
  const { trace } = run.simulation;
  const found = new Set<string>();
  for (let seq = from; seq < trace.entries.length; seq++) {
    const lastsMs = (trace.entries[seq + 1]?.at ?? trace.now) - (trace.entries[seq]?.at ?? 0);
    if (lastsMs < leastMs) continue;
    const facts = new RunFacts(trace, seq);
    for (const object of facts.objects.values()) {
      const verdict = verdictOn(facts, object);
      if (verdict === undefined || isGood(verdict)) continue;
      const uid = /[0-9a-f]{8}-[0-9a-f-]{27}/g;
      found.add(`${verdict.ref} ${verdict.kind}: ${verdict.headline}`.replace(uid, "UID"));
    }
  }
  return [...found];
}

/** The links of the chains of all verdicts on the pod from the entry on, as `REF TEXT`. */
function awaits(run: StorageRun, from: number): ReadonlySet<string> {
  const { trace } = run.simulation;
  const links = trace.entries.slice(from).flatMap(({ seq }) => {
    const facts = new RunFacts(trace, seq);
    const web = facts.get("Pod", "default", "web");
    const { chain = [] } = (web && verdictOn(facts, web)) ?? {};
    return chain.map(({ ref, text }) => `${ref} ${text}`);
  });
  return new Set(links);
}

const cordon = (unschedulable: boolean): object => ({ spec: { unschedulable } });

/** The complaints from the first write of the user in `go` on. */
function said(
  begin: (run: StorageRun) => StorageRun,
  go: (run: StorageRun) => StorageRun,
): readonly string[] {
  const run = begin(new StorageRun({ driver: { snapshots: true } }));
  const before = run.simulation.trace.entries.length;
  const { entries } = go(run).simulation.trace;
  const isUsers = (seq: number): boolean =>
    entries[seq]?.type === "write" && entries[seq].actor === "user";
  const from = entries.findIndex((_, seq) => seq >= before && isUsers(seq));
  return complaints(run, from);
}

/** The index of the trace's last entry that writes a CSINode, from which the node has the driver again. */
function registered(run: StorageRun): number {
  return run.simulation.trace.entries.findLastIndex(
    (e) => e.type === "write" && e.after?.kind === "CSINode",
  );
}

const nothing = (run: StorageRun): StorageRun => run;
const bound = (run: StorageRun): StorageRun => run.apply(claim).settle();
const late = `
  kind: StorageClass
  metadata: { name: late }
  provisioner: d.csi
  volumeBindingMode: WaitForFirstConsumer
`;
const lateClaim = claim.replace("fast", "late");
const disk = `
  kind: PersistentVolume
  metadata: { name: disk }
  spec:
    capacity: { storage: 5Gi }
    accessModes: [ReadWriteOnce]
    storageClassName: ""
    csi: { driver: d.csi, volumeHandle: h }
`;
const byHand = claim.replace("fast", '""');
const snapshot = `
  kind: VolumeSnapshotClass
  metadata: { name: snapshots, annotations: { snapshot.storage.kubernetes.io/is-default-class: "true" } }
  driver: d.csi
  deletionPolicy: Delete
  ---
  kind: VolumeSnapshot
  metadata: { name: snap }
  spec: { source: { persistentVolumeClaimName: data } }
`;

suite("verdicts during a run that ends well", () => {
  test("never say stuck while a volume reserved for a claim waits for the binder's next look", () => {
    const local = late.replace("d.csi", "kubernetes.io/no-provisioner");
    const reserved = disk.replace(
      'storageClassName: ""',
      "claimRef: { namespace: default, name: data }",
    );
    const waiting = (run: StorageRun): StorageRun =>
      run.apply(local).apply(lateClaim).apply(pod).settle();
    assert.deepEqual(
      said(waiting, (run) => run.apply(reserved).settle()),
      [],
    );
  });

  test("never say stuck while a claim gets a volume and its pod starts", () => {
    assert.deepEqual(
      said(nothing, (run) => run.apply(claim).apply(pod).settle()),
      [],
    );
  });

  test("say that a claim waits for its first pod until that exists", () => {
    assert.deepEqual(
      said(nothing, (run) => run.apply(late).apply(lateClaim).apply(pod).settle()),
      ["PersistentVolumeClaim/default/data waits-for-you: waits for a pod that uses it; none does"],
    );
  });

  test("say that a volume chosen for a claim is being bound", () => {
    assert.deepEqual(
      said(nothing, (run) => run.apply(disk).apply(byHand).apply(pod).settle()),
      [],
    );
  });

  test("promise that a class or volume newer than its claim is found at the binder's next look", () => {
    assert.deepEqual(
      said(
        (run) => run.apply(lateClaim).advance(1),
        (run) => run.apply(late.replace("WaitForFirstConsumer", "Immediate")).settle(),
      ),
      [],
    );
    assert.deepEqual(
      said(
        (run) => run.apply(byHand).advance(1),
        (run) => run.apply(disk).settle(),
      ),
      [],
    );
  });

  test("promise that a volume without a phase at one resync of the binder is found at the next", () => {
    const justBeforeMs = 14_998;
    const before =
      'PersistentVolumeClaim/default/data stuck: stays Pending: class "absent" does not exist';
    const cases: readonly (readonly [className: string, told: readonly string[]])[] = [
      ['""', []],
      ["absent", [before]],
    ];
    for (const [className, told] of cases)
      assert.deepEqual(
        said(
          (run) => run.apply(claim.replace("fast", className)),
          (run) =>
            run
              .advance((justBeforeMs - run.simulation.now) / 1000)
              .apply(disk.replace('storageClassName: ""', `storageClassName: ${className}`))
              .settle(),
        ),
        told,
      );
  });

  test("say that a snapshot is being taken, and that a volume is growing", () => {
    assert.deepEqual(
      said(bound, (run) => run.apply(snapshot).settle()),
      [],
    );
    assert.deepEqual(
      said(
        (run) => bound(run).apply(pod).settle(),
        (run) =>
          run
            .patch("PersistentVolumeClaim", "data", {
              spec: { resources: { requests: { storage: "2Gi" } } },
            })
            .advance(120),
      ),
      [],
    );
  });

  test("let a pod without room wait for pods that are going, and call it stuck if none is", () => {
    const half = (name: string): string =>
      `${pod.replace("web", name).replace("image: app,", "image: app, resources: { requests: { memory: 20Gi } },")}`;
    const full = (run: StorageRun): StorageRun => bound(run).apply(half("first")).settle();
    const second =
      "Pod/default/second stuck: stays Pending: no node can take it: it asks for memory 20Gi, and none has as much free";
    assert.deepEqual(
      said(full, (run) => run.apply(half("second")).advance(10)),
      [second],
    );
    assert.deepEqual(
      said(
        (run) => full(run).delete("Pod", "first"),
        (run) => run.apply(half("second")).settle(),
      ),
      [],
    );
  });

  test("let a pod that follows another to a new node wait for its volume, without a failure", () => {
    const on = (name: string, node: string): string =>
      pod.replace("web", name).replace("spec:", `spec:\n    nodeName: ${node}`);
    const run = new StorageRun({ nodes: twoNodes }).apply(claim).apply(on("old", "n1")).settle();
    const from = run.simulation.trace.entries.length;
    run.delete("Pod", "old").apply(on("new", "n2")).settle();
    assert.ok(
      run.simulation.trace.entries.some(
        (e) => e.type === "event" && e.message.startsWith("Multi-Attach"),
      ),
    );
    assert.deepEqual(complaints(run, from), []);
  });

  test("promise that objects deleted together go, though the volume is tried before it is detached", () => {
    assert.deepEqual(
      said(
        (run) => bound(run).apply(pod).settle(),
        (run) => run.delete("Pod", "web").delete("PersistentVolumeClaim", "data").settle(),
      ),
      [],
    );
  });

  const limited = { driver: { maxVolumesPerNode: 1 } };
  const set = `
    kind: StatefulSet
    metadata: { name: db }
    spec:
      serviceName: db
      selector: { matchLabels: { app: db } }
      template:
        metadata: { labels: { app: db } }
        spec: { containers: [{ name: db, image: app, volumeMounts: [{ name: data, mountPath: /data }] }] }
      volumeClaimTemplates:
      - metadata: { name: data }
        spec: { storageClassName: fast, accessModes: [ReadWriteOnce], resources: { requests: { storage: 1Gi } } }
  `;

  test("let a recreated pod wait until its own volume, which still counts as attached, has left the full node", () => {
    const run = new StorageRun(limited).apply(set).settle();
    const from = run.simulation.trace.entries.length;
    run.delete("Pod", "db-0").settle();
    const { entries } = run.simulation.trace;
    assert.ok(entries.some((e) => e.type === "event" && /max volume count/.test(e.message)));
    assert.deepEqual(complaints(run, from), []);
  });

  test("let a pod wait for a Job's pod and volume if these fill the node", () => {
    const second = pod.replace("web", "second").replace("claimName: data", "claimName: other");
    const job = `
      kind: Job
      metadata: { name: copy }
      spec:
        template:
          spec:
            restartPolicy: Never
            containers: [{ name: main, image: busybox, command: [sh, -c, "exit 0"], volumeMounts: [{ name: data, mountPath: /data }] }]
            volumes: [{ name: data, persistentVolumeClaim: { claimName: data } }]
    `;
    const run = new StorageRun(limited).apply(claim).apply(job).advance(1);
    const from = run.simulation.trace.entries.length;
    run.apply(claim.replace("name: data", "name: other")).apply(second).settle();
    assert.deepEqual(complaints(run, from, 100), []);
  });

  const large = pod.replace("image: app", "image: app, resources: { requests: { cpu: 5 } }");
  const eightCores = [{ name: "n1", zone: "a", capacity: { cpu: "8" } }];

  test("let a pod wait for the room of an earlier pod of its name that the scheduler still binds", () => {
    const run = new StorageRun({ nodes: eightCores, version: "1.32" }).apply(late);
    run.fault("CreateVolume", { delayMs: 9_000, times: 1 });
    run.apply(lateClaim).apply(large).advance(2).delete("Pod", "web");
    const from = run.simulation.trace.entries.length;
    run.apply(large).advance(2);
    const { trace } = run.simulation;
    const web = new RunFacts(trace).get("Pod", "default", "web");
    assert.ok(web !== undefined);
    const verdict = verdictOn(new RunFacts(trace), web);
    assert.equal(
      `${verdict?.kind}: ${verdict?.headline}`,
      'will-happen: stays Pending until the scheduler has given up an earlier pod "web", whose volumes are not bound',
    );
    assert.deepEqual(complaints(run.advance(700), from, 100), []);
  });

  test("promise that a node that is back takes pods once it has reported", () => {
    const run = new StorageRun().apply(claim);
    run.step({ type: "node", name: "n1", kubelet: "down" }).advance(60).apply(pod).advance(10);
    const from = run.simulation.trace.entries.length;
    run.step({ type: "node", name: "n1", kubelet: "up" }).settle();
    assert.deepEqual(complaints(run, from, 100), []);
  });

  test("know a pod again when its node is back, and end it if it is deleted", () => {
    const named = (name: string): string => pod.replace("name: web", `name: ${name}`);
    const run = new StorageRun().apply(claim).apply(named("web")).apply(named("old")).settle();
    run.step({ type: "node", name: "n1", kubelet: "down" }).delete("Pod", "old").advance(60);
    const at = run.simulation.trace.entries.length - 1;
    assert.deepEqual(complaints(run, at), [
      "Pod/default/web waits-for-you: is on n1, which does not answer",
      "Pod/default/old waits-for-you: stays Terminating: node n1 does not answer, and only its kubelet can end the pod",
    ]);
    run.step({ type: "node", name: "n1", kubelet: "up" });
    const { entries } = run.settle().simulation.trace;
    const back = entries.findLastIndex((e) => e.type === "lifecycle" && e.what === "kubelet n1");
    assert.deepEqual(complaints(run, back), []);
  });

  test("promise a retry of attaching or mounting once the node's plugin is back", () => {
    for (const attachRequired of [true, false]) {
      const run = new StorageRun({ driver: { attachRequired } }).apply(claim).settle();
      const plugin = { type: "driver", name: "d.csi", nodeName: "n1" } as const;
      run
        .step({ ...plugin, node: "down" })
        .apply(pod)
        .advance(60);
      const at = run.simulation.trace.entries.length - 1;
      assert.match(complaints(run, at).join(), /Pod\/default\/web fails: does not start on n1/);
      run.step({ ...plugin, node: "up" }).settle();
      assert.deepEqual(complaints(run, registered(run)), []);
    }
  });

  test("promise a retry of a pod that was tried a moment before its node's taint was removed", () => {
    const unschedulable = (is: boolean): object => ({ spec: { unschedulable: is } });
    // 1.32, as from 1.33 on a scheduler with nothing else to do does not wait for the end of a back-off.
    const run = new StorageRun({ version: "1.32" }).apply(claim).settle();
    run.patch("Node", "n1", unschedulable(true)).apply(pod).advance(60);
    const from = run.simulation.trace.entries.length;
    run.patch("Node", "n1", unschedulable(false)).settle();
    assert.ok(run.get("Pod", "web")?.spec.nodeName !== undefined);
    assert.deepEqual(complaints(run, from, 100), []);
  });

  test("promise a retry of a pod that was tried a moment before its node reached its volume", () => {
    const key = "topology.d.csi/zone";
    const inZone = (zone: string): object => ({ metadata: { labels: { [key]: zone } } });
    const run = new StorageRun({ version: "1.32", driver: { topologyKey: key } });
    run.apply(claim).settle();
    run.patch("Node", "n1", inZone("z")).apply(pod).advance(0.2);
    const from = run.simulation.trace.entries.length;
    run.patch("Node", "n1", inZone("a")).settle();
    assert.ok(run.get("Pod", "web")?.spec.nodeName !== undefined);
    assert.deepEqual(complaints(run, from, 100), []);
    assert.ok(awaits(run, from).has("Node//n1 reaches its volume now"));
    const last = run.delete("Pod", "web").settle().patch("Node", "n1", cordon(true));
    last.apply(pod).advance(0.2);
    const again = run.simulation.trace.entries.length;
    run.patch("Node", "n1", cordon(false)).settle();
    assert.ok(awaits(run, again).has("Node//n1 takes pods again"));
  });

  test("do not let a stuck old pod hold up its Deployment's new template", () => {
    const deployment = `
      kind: Deployment
      metadata: { name: web }
      spec:
        selector: { matchLabels: { app: web } }
        template:
          metadata: { labels: { app: web } }
          spec:
            containers: [{ name: main, image: app, resources: { requests: { memory: 900Gi } }, volumeMounts: [{ name: data, mountPath: /data }] }]
            volumes: [{ name: data, persistentVolumeClaim: { claimName: data } }]
    `;
    const run = new StorageRun().apply(claim).apply(deployment).advance(10);
    const from = run.simulation.trace.entries.length;
    run.apply(deployment.replace("900Gi", "1Gi")).settle();
    const ofOthers = complaints(run, from, 100).filter((text) => !text.startsWith("Pod/"));
    assert.deepEqual(ofOthers, []);
  });

  test("promise that a claim grown before its pod has mounted it grows with that mount", () => {
    const placed = pod.replace("spec:", "spec:\n    nodeName: n1");
    const grown = { spec: { resources: { requests: { storage: "2Gi" } } } };
    const run = new StorageRun().fault("CreateVolume", { delayMs: 500 });
    run.apply(claim).apply(placed).advance(0.6);
    run.patch("PersistentVolumeClaim", "data", grown).settle();
    const { entries } = run.simulation.trace;
    assert.ok(entries.some((e) => e.type === "event" && e.message.endsWith("PVC is not bound")));
    const ofClaim = complaints(run, 0).filter((text) => text.startsWith("PersistentVolumeClaim/"));
    assert.deepEqual(ofClaim, []);
  });

  const copier = { driver: { snapshots: true, clone: true } };
  const copyOf = (name: string, source: string): string => `
    kind: PersistentVolumeClaim
    metadata: { name: ${name} }
    spec: { storageClassName: fast, dataSource: { kind: PersistentVolumeClaim, name: ${source} } }
  `;

  test("let a copy and a snapshot of a claim wait until the claim's volume is made", () => {
    const run = new StorageRun(copier).fault("CreateVolume", { delayMs: 5000 });
    const from = run.simulation.trace.entries.length;
    run.apply(claim).apply(copyOf("copy", "data")).apply(snapshot).settle();
    const { entries } = run.simulation.trace;
    assert.ok(
      entries.some((e) => e.type === "event" && /must have a status of Bound/.test(e.message)),
    );
    assert.ok(
      entries.some((e) => e.type === "event" && /is not yet bound to a PV/.test(e.message)),
    );
    assert.deepEqual(complaints(run, from), []);
    assert.equal(run.get("PersistentVolumeClaim", "copy")?.status?.phase, "Bound");
  });

  test("promise a retry of a snapshot that is older than its claim", () => {
    const run = new StorageRun(copier).apply(snapshot).advance(0.3);
    const from = run.simulation.trace.entries.length;
    run.apply(claim).settle();
    const claimed = run.simulation.trace.entries.findIndex(
      (e, seq) => seq >= from && e.type === "write" && e.after?.kind === "PersistentVolumeClaim",
    );
    assert.deepEqual(complaints(run, claimed), []);
    assert.equal(run.get("VolumeSnapshot", "snap")?.status?.readyToUse, true);
  });

  test("promise a retry of a copy that is older than its source", () => {
    const run = new StorageRun(copier).apply(copyOf("copy", "data")).advance(3);
    const from = run.apply(claim).simulation.trace.entries.length;
    run.settle();
    assert.deepEqual(complaints(run, from), []);
    assert.equal(run.get("PersistentVolumeClaim", "copy")?.status?.phase, "Bound");
  });

  test("say that claims which are each other's source fail", () => {
    const run = new StorageRun(copier).apply(copyOf("one", "two")).apply(copyOf("two", "one"));
    const at = run.advance(30).simulation.trace.entries.length - 1;
    assert.deepEqual(
      complaints(run, at).map((text) => text.split(": ")[0]),
      ["PersistentVolumeClaim/default/one fails", "PersistentVolumeClaim/default/two fails"],
    );
  });
});
