/** The relations of objects, which the graph of the simulation page shows. */
import assert from "node:assert/strict";
import type { Ref } from "../../../src/engine/api/meta.ts";
import { type Surroundings, surroundingsOf } from "../../../src/engine/explain/relations.ts";
import { RunFacts } from "../../../src/engine/explain/run-facts.ts";
import { claim, pod, StorageRun, twoNodes } from "../../support/storage-run.ts";

function around(run: StorageRun, ref: Ref, countMax = 60): Surroundings {
  return surroundingsOf(new RunFacts(run.simulation.trace), ref, countMax);
}

/** Each relation as `Kind from relation Kind to`, with `(wanted)` if it does not hold yet. */
function lines(run: StorageRun, ref: Ref): readonly string[] {
  const title = (of: Ref): string => {
    const [kind, , name = ""] = of.split("/");
    return `${kind} ${name.replace(/^(pvc|csi)-.*/, "$1")}`;
  };
  return around(run, ref)
    .relations.map(
      ({ from, to, text, holds }) =>
        `${title(from)} ${text} ${title(to)}${holds ? "" : " (wanted)"}`,
    )
    .sort();
}

const data = "PersistentVolumeClaim/default/data";
const other = (name: string, node: string): string =>
  pod.replace("name: web", `name: ${name}`).replace("spec:", `spec:\n    nodeName: ${node}`);

suite("relations of objects", () => {
  const bound = new StorageRun({ nodes: twoNodes }).apply(claim).apply(pod).settle();
  const chain = [
    "PersistentVolume pvc is attached by VolumeAttachment csi",
    "PersistentVolume pvc is served by CSIDriver d.csi",
    "PersistentVolumeClaim data is bound to PersistentVolume pvc",
    "PersistentVolumeClaim data is of class StorageClass fast",
    "Pod web runs on Node n1",
    "Pod web uses PersistentVolumeClaim data",
    "StorageClass fast is served by CSIDriver d.csi",
    "VolumeAttachment csi attaches to Node n1",
  ];

  test("lead from a claim to its class, volume, pod and attachments", () => {
    assert.deepEqual(lines(bound, data), chain);
  });

  test("lead from a node to its pods and attachments, and from a driver to its classes and volumes", () => {
    const told = (ref: Ref): readonly string[] => lines(bound, ref);
    assert.ok(told("Node//n1").includes("Pod web runs on Node n1"));
    assert.ok(told("Node//n1").includes("VolumeAttachment csi attaches to Node n1"));
    assert.ok(told("CSIDriver//d.csi").includes("StorageClass fast is served by CSIDriver d.csi"));
    assert.ok(
      told("CSIDriver//d.csi").includes("PersistentVolume pvc is served by CSIDriver d.csi"),
    );
  });

  test("are left out if they lead to objects that are cut off", () => {
    const { objects, relations, isCut } = around(bound, data, 3);
    assert.equal(isCut, true);
    assert.ok(relations.length > 0);
    for (const { from, to } of relations)
      assert.ok(objects.includes(from) && objects.includes(to), `${from} ${to}`);
  });

  test("are the same from wherever one starts", () => {
    const attachment = bound.list("VolumeAttachment")[0]?.metadata.name ?? "";
    assert.deepEqual(lines(bound, `VolumeAttachment//${attachment}`), chain);
    assert.deepEqual(lines(bound, "Pod/default/web"), chain);
  });

  test("lead on from a shared object only if it is the start", () => {
    const run = new StorageRun().apply(claim).apply(pod);
    run.apply(`
      kind: PersistentVolumeClaim
      metadata: { name: logs }
      spec: { storageClassName: fast }
    `);
    run.settle();
    const claims = (ref: Ref): number =>
      around(run, ref).objects.filter((one) => one.startsWith("PersistentVolumeClaim/")).length;
    assert.deepEqual([claims(data), claims("StorageClass//fast")], [1, 2]);
  });

  test("may lead to missing objects, and then do not hold", () => {
    const run = new StorageRun()
      .apply(pod)
      .apply(`
        kind: PersistentVolumeClaim
        metadata: { name: logs }
        spec: { storageClassName: slow, volumeName: gone }
      `)
      .settle();
    assert.deepEqual(lines(run, "Pod/default/web"), [
      "Pod web uses PersistentVolumeClaim data (wanted)",
    ]);
    assert.deepEqual(lines(run, "PersistentVolumeClaim/default/logs"), [
      "PersistentVolumeClaim logs asks for PersistentVolume gone (wanted)",
      "PersistentVolumeClaim logs is of class StorageClass slow (wanted)",
    ]);
    assert.deepEqual(lines(run, data), ["Pod web uses PersistentVolumeClaim data (wanted)"]);
  });

  test("lead from a volume to the claim that it is reserved for", () => {
    const run = new StorageRun().apply(`
      kind: PersistentVolume
      metadata: { name: disk }
      spec:
        accessModes: [ReadWriteOnce]
        capacity: { storage: 1Gi }
        nfs: { server: nas, path: /disk }
        claimRef: { namespace: default, name: data }
    `);
    assert.deepEqual(lines(run.settle(), "PersistentVolume//disk"), [
      "PersistentVolume disk is reserved for PersistentVolumeClaim data (wanted)",
    ]);
  });

  test("lead from a snapshot to its claim, and from a restored claim to both", () => {
    const run = new StorageRun({ driver: { snapshots: true } })
      .apply(claim)
      .apply(`
        kind: VolumeSnapshotClass
        metadata: { name: snaps }
        driver: d.csi
        deletionPolicy: Delete
      `)
      .settle()
      .apply(`
        kind: VolumeSnapshot
        metadata: { name: snap }
        spec: { volumeSnapshotClassName: snaps, source: { persistentVolumeClaimName: data } }
        ---
        kind: PersistentVolumeClaim
        metadata: { name: copy }
        spec:
          storageClassName: fast
          dataSource: { apiGroup: snapshot.storage.k8s.io, kind: VolumeSnapshot, name: snap }
      `)
      .settle();
    const found = lines(run, "PersistentVolumeClaim/default/copy");
    assert.ok(found.includes("PersistentVolumeClaim copy is filled from VolumeSnapshot snap"));
    assert.ok(found.includes("VolumeSnapshot snap is taken of PersistentVolumeClaim data"));
    assert.ok(found.some((line) => line.startsWith("VolumeSnapshot snap is bound to Volume")));
  });

  test("lead from a pod of a ReplicaSet to its Deployment", () => {
    const run = new StorageRun().apply(claim).apply(`
      kind: Deployment
      metadata: { name: web }
      spec:
        selector: { matchLabels: { app: web } }
        template:
          metadata: { labels: { app: web } }
          spec:
            containers: [{ name: main, image: app, volumeMounts: [{ name: v, mountPath: /v }] }]
            volumes: [{ name: v, persistentVolumeClaim: { claimName: data } }]
    `);
    const found = lines(run.settle(), "Deployment/default/web");
    assert.ok(
      found.some((line) => /^Deployment web makes Pod web-/.test(line)),
      found.join("\n"),
    );
    assert.ok(found.includes("PersistentVolumeClaim data is bound to PersistentVolume pvc"));
  });

  test("are cut at distant objects if there are many, which is reported", () => {
    const run = new StorageRun({ nodes: twoNodes }).apply(claim).apply(pod);
    run.apply(other("second", "n1")).apply(other("third", "n1")).settle();
    const { objects, isCut } = around(run, data, 4);
    assert.deepEqual([objects.length, objects[0], isCut], [4, data, true]);
    assert.equal(around(run, data).isCut, false);
  });

  const cronJob = `
    kind: CronJob
    metadata: { name: backup }
    spec:
      schedule: "*/5 * * * *"
      jobTemplate:
        spec:
          template:
            spec:
              restartPolicy: Never
              containers: [{ name: main, image: app, volumeMounts: [{ name: v, mountPath: /v }] }]
              volumes: [{ name: v, persistentVolumeClaim: { claimName: data } }]
  `;

  test("of a CronJob that is not due yet lead to the claims that its pods will use, and back", () => {
    const run = new StorageRun().apply(claim).apply(cronJob).settle();
    const wanted = "CronJob backup makes pods that use PersistentVolumeClaim data (wanted)";
    assert.ok(lines(run, "CronJob/default/backup").includes(wanted));
    assert.ok(lines(run, "CronJob/default/backup").some((line) => / is bound to /.test(line)));
    assert.ok(lines(run, data).includes(wanted));
  });

  test("of a CronJob with Jobs lead to these and their pods, and back", () => {
    const run = new StorageRun().apply(claim).apply(cronJob).advance(660).settle();
    const jobs = run.list("Job").map(({ metadata }) => metadata.name);
    assert.equal(jobs.length, 2);
    const all = lines(run, "CronJob/default/backup");
    for (const job of jobs) {
      assert.ok(all.includes(`CronJob backup makes Job ${job}`));
      assert.ok(all.some((line) => line.startsWith(`Job ${job} makes Pod ${job}-`)));
    }
    assert.ok(!all.some((line) => line.includes("makes pods that use")));
    const pod = run.list("Pod")[0]?.metadata.name;
    for (const ref of [`Pod/default/${pod}`, `Job/default/${jobs[0]}`])
      assert.ok(around(run, ref).objects.includes("CronJob/default/backup"), ref);
  });

  test("lead from a pod to its CronJob, and not to the CronJob's other Jobs", () => {
    const bare = cronJob.replace(/, volumeMounts: .*$/m, " }]").replace(/^ *volumes: .*$/m, "");
    const run = new StorageRun().apply(bare).advance(660).settle();
    assert.equal(run.list("Job").length, 2);
    const [pod] = run.list("Pod");
    const kinds = around(run, `Pod/default/${pod?.metadata.name}`).objects.map(
      (ref) => ref.split("/")[0],
    );
    assert.deepEqual(kinds.sort(), ["CronJob", "Job", "Node", "Pod"]);
  });

  test("of a workload without pods lead to its claims, without a second time for its ReplicaSet", () => {
    const run = new StorageRun().apply(claim).apply(`
      kind: Deployment
      metadata: { name: web }
      spec:
        replicas: 0
        selector: { matchLabels: { app: web } }
        template:
          metadata: { labels: { app: web } }
          spec:
            containers: [{ name: main, image: app, volumeMounts: [{ name: v, mountPath: /v }] }]
            volumes: [{ name: v, persistentVolumeClaim: { claimName: data } }]
    `);
    const users = lines(run.settle(), data).filter((line) => line.includes("makes pods"));
    assert.deepEqual(users, [
      "Deployment web makes pods that use PersistentVolumeClaim data (wanted)",
    ]);
  });
});
