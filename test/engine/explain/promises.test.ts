/** Verdicts promise only what happens, call stuck only what stays so, and advise only what helps. */
import assert from "node:assert/strict";
import type { Json } from "../../../src/engine/api/json.ts";
import { RunFacts } from "../../../src/engine/explain/run-facts.ts";
import { dueText, type Verdict } from "../../../src/engine/explain/verdict.ts";
import { verdictOn, verdicts } from "../../../src/engine/explain/verdicts.ts";
import { claim, pod, StorageRun, twoNodes } from "../../support/storage-run.ts";

function judged(run: StorageRun, ref: string): Verdict {
  const verdict = verdicts(run.simulation.trace).find((v) => v.ref.startsWith(ref));
  assert.ok(verdict !== undefined, `no verdict on ${ref}`);
  return verdict;
}

function line(run: StorageRun, ref: string): string {
  const verdict = judged(run, ref);
  const due = dueText(verdict);
  return `${verdict.kind}: ${verdict.headline}${due === undefined ? "" : ` (${due})`}`;
}

function fixes(run: StorageRun, ref: string): readonly string[] {
  return judged(run, ref).fixes.map(({ text }) => text);
}

/** The distinct verdicts on an object from an entry on, at moments of at least `leastMs`. */
function saidFrom(run: StorageRun, from: number, ref: string, leastMs = 2): readonly string[] {
  const { trace } = run.simulation;
  const said = new Set<string>();
  for (let seq = from; seq < trace.entries.length; seq++) {
    const lastsMs = (trace.entries[seq + 1]?.at ?? trace.now) - (trace.entries[seq]?.at ?? 0);
    if (lastsMs < leastMs) continue;
    const facts = new RunFacts(trace, seq);
    for (const [own, object] of facts.objects) {
      const verdict = own === ref ? verdictOn(facts, object) : undefined;
      if (verdict !== undefined) said.add(`${verdict.kind}: ${verdict.headline}`);
    }
  }
  return [...said];
}

const data = "PersistentVolumeClaim/default/data";
const web = "Pod/default/web";
const nowhere = pod.replace("spec:\n", "spec:\n    nodeSelector: { x: y }\n");
const grow = (run: StorageRun, storage: string): StorageRun =>
  run.patch("PersistentVolumeClaim", "data", { spec: { resources: { requests: { storage } } } });

suite("requests that the API server did not accept", () => {
  test("do not make an object refused if they delete or change a missing one", () => {
    const run = new StorageRun().apply(pod).settle().delete("PersistentVolumeClaim", "data");
    run.patch("PersistentVolumeClaim", "data", { spec: { volumeName: "pv" } }).settle();
    assert.equal(line(run, web), 'waits-for-you: stays Pending: its claim "data" does not exist');
    assert.deepEqual(fixes(run, web), ['create a claim "data" in namespace "default"']);
    assert.equal(new RunFacts(run.simulation.trace).refused.size, 0);
  });

  test("do not make a pod refused if they are evictions that a budget forbids", () => {
    const run = new StorageRun({ nodes: twoNodes })
      .apply(claim)
      .apply(pod)
      .apply(`
      kind: PodDisruptionBudget
      metadata: { name: all }
      spec: { minAvailable: 1, selector: {} }
    `);
    run.settle().step({ type: "drain", name: run.get("Pod", "web")?.spec.nodeName ?? "" });
    assert.match(run.settle().refusal, /disruption budget/);
    assert.equal(new RunFacts(run.simulation.trace).refused.size, 0);
  });

  test("are forgotten with their object", () => {
    const run = new StorageRun().apply(claim).apply(pod).settle();
    grow(run, "1").delete("PersistentVolumeClaim", "data").delete("Pod", "web").settle();
    assert.equal(line(run.apply(pod).settle(), web).endsWith("was deleted, and is gone"), true);
  });
});

suite("the verdict on a claim that grows on a node", () => {
  test("blames what keeps its pod from a node", () => {
    const run = grow(new StorageRun().apply(claim).settle().apply(nowhere).settle(), "2Gi");
    assert.equal(
      line(run.settle(), data),
      'stuck: grows to 2Gi on the node when pod "web" has mounted it, which cannot be scheduled',
    );
    const { root } = judged(run, data);
    assert.deepEqual(root, { ref: web, field: "spec.nodeSelector" });
    run.patch("Node", "n1", { metadata: { labels: { x: "y" } } }).settle();
    assert.equal(judged(run, data).kind, "healthy");
  });

  test("blames a workload that makes no pod, and nothing if one makes its next pod in time", () => {
    const run = new StorageRun()
      .apply(claim)
      .settle()
      .apply(`
      kind: Deployment
      metadata: { name: web }
      spec:
        replicas: 0
        selector: { matchLabels: { app: web } }
        template:
          metadata: { labels: { app: web } }
          spec:
            containers: [{ name: main, image: app, volumeMounts: [{ name: data, mountPath: /d }] }]
            volumes: [{ name: data, persistentVolumeClaim: { claimName: data } }]
    `);
    grow(run.settle(), "2Gi").settle();
    assert.equal(
      line(run, data),
      'waits-for-you: grows to 2Gi on the node, and waits for a pod of Deployment "web", which has no replicas',
    );
    run
      .step({ type: "scale", object: { kind: "Deployment", name: "web" }, replicas: 1 })
      .advance(120);
    assert.equal(judged(run, data).kind, "healthy");
    const cron = new StorageRun()
      .apply(claim)
      .settle()
      .apply(`
      kind: CronJob
      metadata: { name: nightly }
      spec:
        schedule: "0 3 * * *"
        jobTemplate:
          spec:
            template:
              spec:
                restartPolicy: Never
                containers: [{ name: main, image: app }]
                volumes: [{ name: data, persistentVolumeClaim: { claimName: data } }]
    `);
    assert.equal(
      line(grow(cron.settle(), "2Gi").settle(), data),
      'will-happen: grows to 2Gi on the node when CronJob "nightly" makes its next pod',
    );
  });

  test("says that a pod does not mount it, and is satisfied by one that does", () => {
    const idle = pod.replace(/, volumeMounts: [^\]]*\]/, "").replace("web", "idle");
    const run = new StorageRun().apply(claim).apply(idle).settle();
    grow(run, "2Gi").settle();
    assert.equal(
      line(run, data),
      'waits-for-you: grows to 2Gi on the node, and waits for a pod that mounts it: no container of pod "idle" does',
    );
    const root = { ref: "Pod/default/idle", field: "spec.containers" };
    assert.deepEqual(judged(run, data).root, root);
    run.apply(pod).advance(120);
    assert.equal(judged(run, data).kind, "healthy");
  });

  test("has the kubelet's error, not the good news before it", () => {
    const run = new StorageRun().apply(claim).apply(pod).settle();
    run.fault("NodeExpandVolume", { code: "INTERNAL", message: "no tool", times: 0 });
    const { kind, reason, message } = judged(grow(run, "2Gi").advance(60), data);
    assert.deepEqual([kind, reason], ["fails", "NodeResizeError"]);
    assert.match(message ?? "", /no tool$/);
  });
});

suite("the verdict on a pod of an earlier template of its StatefulSet", () => {
  const set = (image: string, more = ""): string => `
    kind: StatefulSet
    metadata: { name: db }
    spec:
      replicas: 2
      serviceName: db
      ${more}
      selector: { matchLabels: { app: db } }
      template:
        metadata: { labels: { app: db } }
        spec: { containers: [{ name: main, image: ${image} }] }
  `;

  test("advises to delete it, as an ordered set waits for it forever", () => {
    const run = new StorageRun().apply(set("APP")).settle();
    assert.doesNotMatch(line(run, "Pod/default/db-0"), /template/);
    run.apply(set("app")).settle();
    assert.equal(
      line(run, "Pod/default/db-0"),
      'fails: does not start on n1: container "main" cannot start; StatefulSet "db" now has another template, and waits for this pod',
    );
    const remedy = 'delete pod "db-0": its StatefulSet recreates it from its current template';
    assert.deepEqual(fixes(run, "Pod/default/db-0"), [remedy]);
    assert.deepEqual(fixes(run, "StatefulSet/"), [remedy]);
    assert.equal(
      line(run.delete("Pod", "db-0").settle(), "StatefulSet/"),
      "healthy: has 2 of 2 pods ready",
    );
  });

  test("lets a Parallel set replace it, and leaves it alone below the partition", () => {
    const parallel = "podManagementPolicy: Parallel";
    const run = new StorageRun().apply(set("APP", parallel)).settle();
    run.apply(set("app", parallel)).settle();
    assert.equal(line(run, "StatefulSet/"), "healthy: has 2 of 2 pods ready");
    const partition = "updateStrategy: { rollingUpdate: { partition: 2 } }";
    const kept = new StorageRun().apply(set("APP", partition)).settle();
    kept.apply(set("app", partition)).settle();
    assert.doesNotMatch(line(kept, "Pod/default/db-0"), /template/);
  });

  test("makes an OnDelete set wait for somebody as long as there are old pods", () => {
    const onDelete = "updateStrategy: { type: OnDelete }";
    const run = new StorageRun().apply(set("app", onDelete)).settle();
    assert.equal(judged(run, "StatefulSet/").kind, "healthy");
    run.apply(set("other", onDelete)).settle();
    assert.equal(
      line(run, "StatefulSet/"),
      "waits-for-you: is rolling out: 0 new of 2 pods, 2 old: an old pod stays until somebody deletes it",
    );
    run.delete("Pod", "db-0").delete("Pod", "db-1").settle();
    assert.equal(judged(run, "StatefulSet/").kind, "healthy");
    const broken = new StorageRun().apply(set("APP", onDelete)).settle();
    broken.apply(set("app", onDelete)).settle();
    assert.match(line(broken, "Pod/default/db-0"), /, and leaves this pod as it is$/);
  });
});

suite("the verdict on an object in deletion", () => {
  const kept = (spec: string): string => `
    kind: PersistentVolume
    metadata: { name: pv, finalizers: [external-provisioner.volume.kubernetes.io/finalizer] }
    spec:
      capacity: { storage: 5Gi }
      accessModes: [ReadWriteOnce]
      storageClassName: ""
      ${spec}
  `;

  test("says that a volume keeps its missing driver's finalizers forever", () => {
    const away = "csi: { driver: away.csi, volumeHandle: h }";
    const run = new StorageRun().apply(kept(away)).settle().delete("PersistentVolume", "pv");
    assert.equal(line(run, "PersistentVolume/"), "will-happen: is being deleted");
    assert.equal(
      line(run.settle(), "PersistentVolume/"),
      "stuck: is being deleted, but stays: nothing in this cluster takes away its finalizer external-provisioner.volume.kubernetes.io/finalizer",
    );
    assert.deepEqual(fixes(run, "PersistentVolume/"), [
      'install "away.csi", or see to its storage by hand and remove the finalizer',
    ]);
    const attached = kept(away).replace(/external-provisioner[^\]]*/, "external-attacher/away-csi");
    const other = new StorageRun().apply(attached).settle().delete("PersistentVolume", "pv");
    assert.match(
      line(other.settle(), "PersistentVolume/"),
      /^stuck: .* external-attacher\/away-csi$/,
    );
  });

  test("says that a volume without a claim keeps its driver's finalizer while its policy is Delete", () => {
    const own =
      "persistentVolumeReclaimPolicy: Delete\n      csi: { driver: d.csi, volumeHandle: h }";
    const run = new StorageRun()
      .apply(kept(own))
      .settle()
      .delete("PersistentVolume", "pv")
      .settle();
    assert.equal(
      line(run, "PersistentVolume/"),
      "stuck: is being deleted, but stays: d.csi takes its finalizer from Released volumes only, and it is Available",
    );
    const [first] = judged(run, "PersistentVolume/").fixes;
    assert.equal(first?.value, "Retain");
    run.patch("PersistentVolume", "pv", { spec: { persistentVolumeReclaimPolicy: "Retain" } });
    assert.equal(run.settle().get("PersistentVolume", "pv"), undefined);
  });

  test("says that a volume attached by hand stays until that attachment is deleted", () => {
    const own =
      "persistentVolumeReclaimPolicy: Retain\n      csi: { driver: d.csi, volumeHandle: h }";
    const run = new StorageRun()
      .apply(kept(own))
      .settle()
      .apply(`
      kind: VolumeAttachment
      metadata: { name: mine }
      spec: { attacher: d.csi, nodeName: n1, source: { persistentVolumeName: pv } }
    `);
    run.settle().delete("PersistentVolume", "pv").settle();
    assert.equal(
      line(run, "PersistentVolume/"),
      "waits-for-you: is being deleted, but stays while it is attached to n1",
    );
    assert.deepEqual(fixes(run, "PersistentVolume/"), ['delete VolumeAttachment "mine"']);
    run.delete("VolumeAttachment", "mine").settle();
    assert.equal(run.get("PersistentVolume", "pv"), undefined);
  });

  test("does not say that another finalizer holds a claim that is deleted along with its dependents", () => {
    const run = new StorageRun().apply(claim).settle();
    const from = run.simulation.trace.entries.length;
    const object = { kind: "PersistentVolumeClaim", name: "data" } as const;
    run
      .step({ type: "delete", objects: [{ ...object, propagationPolicy: "Foreground" }] })
      .settle();
    assert.deepEqual(saidFrom(run, from + 1, data, 0), ["will-happen: is being deleted"]);
  });

  test("does not call a claim stuck that fits a new or corrected volume, until the binder looks", () => {
    const waiting = `
      kind: StorageClass
      metadata: { name: away }
      provisioner: away.csi
      ---
      kind: PersistentVolumeClaim
      metadata: { name: data }
      spec: { storageClassName: away }
    `;
    const late = new StorageRun().apply(waiting).settle();
    assert.match(line(late, data), /^stuck: .* nothing in this cluster runs the provisioner/);
    late.apply(kept("hostPath: { path: /x }").replace('""', "away")).advance(2);
    assert.equal(line(late, data), "will-happen: is Pending until the binder looks again");
    assert.match(line(late.advance(20), data), /^healthy: is bound/);
    const elsewhere = kept("hostPath: { path: /x }").replace('""', "elsewhere");
    const unhelped = new StorageRun().apply(waiting).settle().apply(elsewhere).advance(2);
    assert.match(line(unhelped, data), /^stuck: .* nothing in this cluster runs the provisioner/);
    const named = new StorageRun().apply(kept("volumeMode: Block")).apply(`
      kind: PersistentVolumeClaim
      metadata: { name: data }
      spec: { storageClassName: other, volumeMode: Block, volumeName: pv }
    `);
    assert.match(line(named.settle(), data), /^stuck: .* storageClassName does not match$/);
    named.patch("PersistentVolume", "pv", { spec: { storageClassName: "other" } }).advance(2);
    assert.equal(line(named, data), "will-happen: is Pending until the binder looks again");
    assert.match(line(named.advance(20), data), /^healthy: is bound/);
  });

  test("does not say that a volume reserved for the claim that names it is lost to that claim", () => {
    const run = new StorageRun().apply(kept("claimRef: { namespace: default, name: other }"));
    run.apply(`
      kind: PersistentVolumeClaim
      metadata: { name: data }
      spec: { storageClassName: "", volumeName: pv }
    `);
    const from = run.settle().simulation.trace.entries.length;
    run.patch("PersistentVolume", "pv", { spec: { claimRef: { name: "data" } } }).advance(20);
    assert.deepEqual(saidFrom(run, from, "PersistentVolume//pv"), [
      "will-happen: is reserved for claim default/data until the binder looks again",
      "will-happen: is being bound to claim default/data",
      "healthy: is bound to claim default/data",
    ]);
  });

  test("does not promise that storage goes while somebody has attached it by hand", () => {
    const run = new StorageRun().apply(claim).settle();
    const [volume] = run.list("PersistentVolume");
    run.apply(`
      kind: VolumeAttachment
      metadata: { name: mine }
      spec: { attacher: d.csi, nodeName: n1, source: { persistentVolumeName: ${volume?.metadata.name} } }
    `);
    run.advance(10).delete("PersistentVolumeClaim", "data").advance(10);
    assert.equal(
      line(run, "PersistentVolume/"),
      "waits-for-you: is Released, but stays while it is attached to n1",
    );
    assert.deepEqual(fixes(run, "PersistentVolume/"), ['delete VolumeAttachment "mine"']);
    run.delete("VolumeAttachment", "mine").advance(60);
    assert.deepEqual(run.list("PersistentVolume"), []);
  });

  test("does not promise that storage attached to a dead node goes at the provisioner's next look", () => {
    const run = new StorageRun().apply(claim).apply(pod).settle();
    run.step({ type: "node", name: "n1", kubelet: "down" }).delete("Pod", "web", { grace: 0 });
    run.delete("PersistentVolumeClaim", "data").advance(90);
    const { headline, withinMs } = judged(run, "PersistentVolume/");
    assert.equal(headline, "is Released, and is deleted once it is detached");
    assert.equal(withinMs, undefined);
    assert.deepEqual(run.advance(700).list("PersistentVolume"), []);
  });

  test("does not say that nobody deletes a volume whose driver is slow", () => {
    const run = new StorageRun().apply(claim).settle();
    run.fault("DeleteVolume", { delayMs: 60_000, times: 1 });
    run.delete("PersistentVolumeClaim", "data").advance(8);
    assert.equal(line(run, "PersistentVolume/"), "will-happen: is Released and being deleted");
  });

  test("says that a claim goes with a Job that is deleted some time after its end", () => {
    const job = (more: string): string => `
      kind: Job
      metadata: { name: once }
      spec:
        ${more}
        template:
          spec:
            restartPolicy: Never
            containers: [{ name: main, image: busybox, command: ["true"] }]
            volumes: [{ name: data, persistentVolumeClaim: { claimName: data } }]
    `;
    const gone = (more: string): StorageRun =>
      new StorageRun()
        .apply(claim)
        .apply(job(more))
        .settle()
        .delete("PersistentVolumeClaim", "data")
        .settle();
    assert.match(
      line(gone(""), data),
      /^waits-for-you: .* until no pod uses it: once-\w+ \(has ended\)$/,
    );
    const run = gone("ttlSecondsAfterFinished: 600");
    assert.match(
      line(run, data),
      /^will-happen: is being deleted, and goes with Job "once", .* \(within 9 min \d+ s\)$/,
    );
    assert.equal(run.advance(600).settle().get("PersistentVolumeClaim", "data"), undefined);
  });

  test("does not promise that a claim with another finalizer goes with its pod", () => {
    const run = new StorageRun()
      .apply(claim.replace("name: data", "name: data, finalizers: [a.b/c]"))
      .apply(pod)
      .settle()
      .delete("PersistentVolumeClaim", "data")
      .delete("Pod", "web");
    const wanted =
      "waits-for-you: is being deleted, but stays until its finalizers are removed: a.b/c";
    assert.equal(line(run, data), wanted);
    assert.equal(line(run.settle(), data), wanted);
  });

  test("says that a pod on a node out of service goes without its kubelet", () => {
    const run = new StorageRun({ nodes: twoNodes }).apply(claim).apply(pod).settle();
    const node = run.get("Pod", "web")?.spec.nodeName ?? "";
    run.step({ type: "node", name: node, kubelet: "down" }).advance(100).delete("Pod", "web");
    assert.match(line(run.advance(30), web), /^waits-for-you: stays Terminating: node/);
    const key = "node.kubernetes.io/out-of-service";
    run.patch("Node", node, {
      spec: { taints: [{ key, value: "nodeshutdown", effect: "NoExecute" }] },
    });
    assert.equal(
      line(run, web),
      "will-happen: is being deleted: its node is out of service (within 20 s)",
    );
    assert.equal(run.advance(20).get("Pod", "web"), undefined);
  });

  test("says that a deleted CronJob makes no Jobs, and waits for those that have to go first", () => {
    const cron = (more: string): string => `
      kind: CronJob
      metadata: { name: often${more} }
      spec:
        schedule: "* * * * *"
        jobTemplate:
          spec:
            template:
              metadata: { finalizers: [a.b/c] }
              spec: { restartPolicy: Never, containers: [{ name: main, image: app }] }
    `;
    const held = new StorageRun().apply(cron(", finalizers: [a.b/c]")).settle();
    assert.equal(
      line(held.delete("CronJob", "often").settle(), "CronJob/"),
      "waits-for-you: is being deleted, but stays until its finalizers are removed: a.b/c",
    );
    const run = new StorageRun().apply(cron("")).advance(90);
    const objects = [{ kind: "CronJob", name: "often", propagationPolicy: "Foreground" }] as const;
    run.step({ type: "delete", objects }).settle();
    assert.match(
      line(run, "CronJob/"),
      /^waits-for-you: is being deleted, and goes when Job "often-\d+" is gone$/,
    );
    assert.equal(judged(run, "CronJob/").root?.field, "metadata.finalizers");
  });
});

suite("after the missing object has come", () => {
  const snapshotClass = `
    kind: VolumeSnapshotClass
    metadata: { name: snaps, annotations: { snapshot.storage.kubernetes.io/is-default-class: "true" } }
    driver: d.csi
    deletionPolicy: Delete
  `;
  const snapshot = (name: string, more = ""): string => `
    kind: VolumeSnapshot
    metadata: { name: ${name} }
    spec: { ${more}source: { persistentVolumeClaimName: data } }
  `;

  test("a snapshot does not wait if its class is for another driver than its volume's", () => {
    const other = snapshotClass.replace("d.csi", "away.csi");
    const run = new StorageRun({ driver: { snapshots: true } }).apply(claim).settle().apply(other);
    run.apply(snapshot("snap", "volumeSnapshotClassName: snaps, ")).settle();
    assert.equal(
      line(run, "VolumeSnapshot/"),
      'stuck: cannot be taken: class "snaps" is for away.csi, and the volume is of d.csi',
    );
    const { root } = judged(run, "VolumeSnapshot/");
    assert.equal(root?.field, "spec.volumeSnapshotClassName");
    const together = new StorageRun({ driver: { snapshots: true } });
    const named = snapshot("snap", "volumeSnapshotClassName: snaps, ");
    together.apply([claim, other, named].join("\n---\n")).settle();
    assert.equal(line(together, "VolumeSnapshot/"), line(run, "VolumeSnapshot/"));
  });

  test("a snapshot waits for a retry with its class, named or default", () => {
    const run = new StorageRun({ driver: { snapshots: true } }).apply(claim).settle();
    run.apply(snapshot("named", "volumeSnapshotClassName: snaps, ")).apply(snapshot("open"));
    run.settle();
    for (const name of ["named", "open"]) {
      const { kind, root } = judged(run, `VolumeSnapshot/default/${name}`);
      assert.deepEqual([kind, root?.field], ["fails", "spec.volumeSnapshotClassName"]);
    }
    run.apply(snapshotClass);
    for (const name of ["named", "open"])
      assert.equal(
        line(run, `VolumeSnapshot/default/${name}`),
        'will-happen: is taken when the snapshot-controller tries again: it did not find class "snaps" yet',
      );
    run.advance(600);
    for (const name of ["named", "open"])
      assert.equal(judged(run, `VolumeSnapshot/default/${name}`).kind, "healthy");
  });

  test("a pod waits for a retry with the ConfigMap of its volume or environment", () => {
    const config = (name: string): string => `
      kind: ConfigMap
      metadata: { name: ${name} }
      data: { key: value }
    `;
    const mounted = pod
      .replace("volumes: [", "volumes: [{ name: c, configMap: { name: mounted } }, ")
      .replace("volumeMounts: [", "volumeMounts: [{ name: c, mountPath: /c }, ");
    const read = pod.replace(
      "image: app,",
      "image: app, envFrom: [{ configMapRef: { name: read } }],",
    );
    for (const [name, manifest] of Object.entries({ mounted, read })) {
      const run = new StorageRun().apply(claim).apply(manifest).advance(100);
      assert.equal(judged(run, web).kind, "fails");
      assert.equal(line(run.apply(config(name)), web), "will-happen: is starting on n1");
      assert.equal(judged(run.advance(300), web).kind, "healthy");
    }
  });

  test("a claim has to be changed again, as nobody looks for a VolumeAttributesClass again", () => {
    const run = new StorageRun({ driver: { modify: true } }).apply(claim).settle();
    const wish = (name: string | null): StorageRun =>
      run
        .patch("PersistentVolumeClaim", "data", { spec: { volumeAttributesClassName: name } })
        .settle();
    wish("gold");
    assert.deepEqual(fixes(run, data), [
      'create a VolumeAttributesClass "gold", then remove spec.volumeAttributesClassName and set it again: nothing looks for the class again on its own',
    ]);
    run
      .apply(`
        kind: VolumeAttributesClass
        metadata: { name: gold }
        driverName: d.csi
        parameters: { iops: "3" }
      `)
      .settle();
    assert.equal(
      line(run, data),
      'waits-for-you: keeps its attributes: class "gold" did not exist when it was looked for',
    );
    wish("gold");
    assert.equal(judged(run, data).kind, "waits-for-you");
    wish(null);
    wish("gold");
    assert.equal(judged(run, data).kind, "healthy");
  });

  test("a pod waits for its ephemeral claim, whose name another claim had", () => {
    const template =
      "spec: { storageClassName: fast, accessModes: [ReadWriteOnce], resources: { requests: { storage: 1Gi } } }";
    const run = new StorageRun()
      .apply(claim.replace("name: data", "name: web-v"))
      .settle()
      .apply(`
      kind: Pod
      metadata: { name: web }
      spec:
        containers: [{ name: main, image: app }]
        volumes: [{ name: v, ephemeral: { volumeClaimTemplate: { ${template} } } }]
    `);
    assert.match(line(run.settle(), web), /^stuck: .* \(pod is not owner\)$/);
    const from = run.simulation.trace.entries.length + 1;
    run.delete("PersistentVolumeClaim", "web-v").settle();
    assert.equal(judged(run, web).kind, "healthy");
    const amiss = saidFrom(run, from, web).filter((text) => !/^(will-happen|healthy)/.test(text));
    assert.deepEqual(amiss, []);
  });

  test("a claim does not have the refusal of an earlier claim of its name", () => {
    const late = `
      kind: StorageClass
      metadata: { name: late }
      provisioner: d.csi
      volumeBindingMode: WaitForFirstConsumer
    `;
    const run = new StorageRun()
      .apply(late)
      .apply(claim.replace("fast", "late"))
      .apply(`
      kind: LimitRange
      metadata: { name: limits }
      spec: { limits: [{ type: PersistentVolumeClaim, min: { storage: 5Gi } }] }
    `);
    run.apply(pod).settle();
    assert.match(
      line(run, data),
      /^fails: .* the API server refuses the scheduler's changes of it$/,
    );
    run.delete("Pod", "web").delete("PersistentVolumeClaim", "data").delete("LimitRange", "limits");
    run.settle().apply(claim.replace("fast", "late")).settle();
    assert.equal(line(run, data), "waits-for-you: waits for a pod that uses it; none does");
  });
});

suite("the verdict on an object that waits for somebody", () => {
  test("names a pod's scheduling gates, and how they go", () => {
    const gated = pod.replace("spec:\n", "spec:\n    schedulingGates: [{ name: a.b/c }]\n");
    const run = new StorageRun().apply(claim).apply(gated).settle();
    assert.equal(line(run, web), "waits-for-you: is held back by its scheduling gates: a.b/c");
    const [first] = judged(run, web).fixes;
    assert.deepEqual([first?.at?.field, first?.value], ["spec.schedulingGates", null]);
    run.patch("Pod", "web", { spec: { schedulingGates: null } }).settle();
    assert.equal(judged(run, web).kind, "healthy");
  });

  test("does not say that a running pod is starting while its readiness gates are closed", () => {
    const gated = pod.replace("spec:\n", "spec:\n    readinessGates: [{ conditionType: a.b/c }]\n");
    const run = new StorageRun().apply(claim).apply(gated).settle();
    const { kind, headline, reason, root } = judged(run, web);
    assert.deepEqual(
      [kind, headline, reason, root?.field],
      [
        "waits-for-you",
        "runs on n1, but is not ready before somebody sets its condition a.b/c",
        "ReadinessGatesNotReady",
        "spec.readinessGates",
      ],
    );
    const before = run.get("Pod", "web")?.status?.conditions ?? [];
    const conditions = [...before, { type: "a.b/c", status: "True" }] as unknown as Json;
    run.step({
      type: "patch",
      object: { kind: "Pod", name: "web" },
      patch: { status: { conditions } },
      subresource: "status",
    });
    assert.equal(judged(run.settle(), web).kind, "healthy");
  });

  test("advises to start a driver's stopped controller", () => {
    const stop = { type: "driver", name: "d.csi", controller: "down" } as const;
    const remedy = ["start the controller of d.csi again"];
    const unmade = new StorageRun().step(stop).apply(claim).settle();
    assert.deepEqual(fixes(unmade, data), remedy);
    const bound = (): StorageRun => new StorageRun().apply(claim).settle().step(stop);
    assert.deepEqual(fixes(grow(bound(), "2Gi").settle(), data), remedy);
    assert.deepEqual(fixes(bound().apply(pod).settle(), "VolumeAttachment/"), remedy);
    const released = bound().delete("PersistentVolumeClaim", "data").settle();
    assert.deepEqual(fixes(released, "PersistentVolume/"), remedy);
    assert.deepEqual(
      fixes(
        released.delete(
          "PersistentVolume",
          released.list("PersistentVolume")[0]?.metadata.name ?? "",
        ),
        "PersistentVolume/",
      ),
      remedy,
    );
  });

  test("lets a claim whose pod is going wait for another pod", () => {
    const late = `
      kind: StorageClass
      metadata: { name: late }
      provisioner: d.csi
      volumeBindingMode: WaitForFirstConsumer
    `;
    const run = new StorageRun().apply(late).apply(claim.replace("fast", "late"));
    run.apply(nowhere.replace("name: web", "name: web, finalizers: [a.b/c]")).settle();
    assert.match(line(run, data), /^stuck: stays Pending: pod "web" cannot be scheduled$/);
    assert.equal(
      line(run.delete("Pod", "web"), data),
      "waits-for-you: waits for a pod that uses it; none does",
    );
  });
});
