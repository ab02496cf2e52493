/** CronJobs that are not due are tried, which changes nothing else. */
import assert from "node:assert/strict";
import { traceHash } from "../../../src/engine/trace/hash.ts";
import type { Prediction } from "../../../src/language-server/prediction/prediction.ts";
import { createLanguageService } from "../../../src/language-server/service.ts";
import { dedent } from "../../support/markers.ts";
import { memoryFileSystem, memoryFolder } from "../../support/memory-workspace.ts";
import { simulate } from "../../support/simulate.ts";

/** Longhorn's volumes can be attached to any of its three machines, and its class binds immediately. */
async function predicted(...manifests: readonly string[]): Promise<Prediction> {
  const files = new Map([
    ["claimcheck.yaml", "profile: longhorn\n"],
    ["all.yaml", manifests.map(dedent).join("---\n")],
  ]);
  const service = createLanguageService({
    fileSystem: memoryFileSystem(files),
    pause: () => Promise.resolve(),
  });
  await service.loadFolders([memoryFolder]);
  const [environment] = service.environments();
  assert.ok(environment !== undefined);
  const prediction = await service.predict(environment);
  assert.ok(prediction !== undefined);
  return prediction;
}

const claim = (name: string, className = "longhorn"): string => `
  apiVersion: v1
  kind: PersistentVolumeClaim
  metadata: { name: ${name} }
  spec: { storageClassName: ${className}, accessModes: [ReadWriteOnce], resources: { requests: { storage: 1Gi } } }
`;

const podSpec = (claimName: string, more = ""): string =>
  `{ ${more} containers: [{ name: main, image: "app:1", volumeMounts: [{ name: data, mountPath: /data }] }], volumes: [{ name: data, persistentVolumeClaim: { claimName: ${claimName} } }] }`;

const deployment = (claimName: string): string => `
  apiVersion: apps/v1
  kind: Deployment
  metadata: { name: web }
  spec:
    selector: { matchLabels: { app: web } }
    template: { metadata: { labels: { app: web } }, spec: ${podSpec(claimName)} }
`;

const cronJob = (name: string, claimName: string, more = "", ofPod = ""): string => `
  apiVersion: batch/v1
  kind: CronJob
  metadata: { name: ${name} }
  spec:
    schedule: "0 3 * * *"
    ${more}
    jobTemplate: { spec: { template: { spec: ${podSpec(claimName, `restartPolicy: Never, ${ofPod}`)} } } }
`;

const lateClass = `
  apiVersion: storage.k8s.io/v1
  kind: StorageClass
  metadata: { name: late }
  provisioner: driver.longhorn.io
  volumeBindingMode: WaitForFirstConsumer
`;

function headline({ verdictOf }: Prediction, ref: string): string | undefined {
  return verdictOf.get(ref)?.headline;
}

const onTime = "makes its first Job when its time comes (0 3 * * *)";
const stuck = "would make a Job that has 0 of 1 pods ready or done";

suite("trials of CronJobs", () => {
  test("get another name if a Job with theirs exists", async () => {
    const taken = `
  apiVersion: batch/v1
  kind: Job
  metadata: { name: backup-trial }
  spec: { template: { spec: { restartPolicy: Never, containers: [{ name: main, image: "app:1" }] } } }
`;
    const prediction = await predicted(claim("data"), taken, cronJob("backup", "nothing"));
    assert.equal(headline(prediction, "CronJob/default/backup"), stuck);
  });

  test("report at the volume a claim that a pod on another node has attached", async () => {
    const prediction = await predicted(
      claim("data"),
      deployment("data"),
      cronJob("backup", "data"),
    );
    const verdict = prediction.verdictOf.get("CronJob/default/backup");
    assert.deepEqual([verdict?.kind, verdict?.headline], ["fails", stuck]);
    assert.match(verdict?.message ?? "", /^Multi-Attach error for volume "pvc-.* pod\(s\) web-/);
    assert.match(verdict?.root?.ref ?? "", /^Pod\/default\/backup-trial-/);
    assert.equal(verdict?.root?.field, "spec.volumes[0]");
    assert.match(verdict?.fixes[0]?.text ?? "", /^run it on the node of the pod .* podAffinity /);
  });

  test("run if their pod may be on the same node as the other", async () => {
    const affinity =
      "affinity: { podAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [{ topologyKey: kubernetes.io/hostname, labelSelector: { matchLabels: { app: web } } }] } },";
    const prediction = await predicted(
      claim("data"),
      deployment("data"),
      cronJob("backup", "data", "", affinity),
    );
    assert.equal(headline(prediction, "CronJob/default/backup"), `${onTime}, which would run`);
  });

  test("report a claim that no file defines", async () => {
    const prediction = await predicted(cronJob("backup", "nowhere"));
    const verdict = prediction.verdictOf.get("CronJob/default/backup");
    assert.equal(verdict?.headline, stuck);
    assert.match(verdict?.message ?? "", /persistentvolumeclaim "nowhere" not found/);
  });

  test("leave a claim Pending that waits for its first consumer", async () => {
    const prediction = await predicted(lateClass, claim("data", "late"), cronJob("backup", "data"));
    assert.equal(headline(prediction, "CronJob/default/backup"), `${onTime}, which would run`);
    assert.equal(
      headline(prediction, "PersistentVolumeClaim/default/data"),
      'is Pending until CronJob "backup" makes its next pod',
    );
    const held = prediction.facts.get("PersistentVolumeClaim", "default", "data");
    assert.equal(held?.status?.phase, "Pending");
  });

  test("are not part of the run that they follow", async () => {
    const prediction = await predicted(
      claim("data"),
      deployment("data"),
      cronJob("backup", "data"),
    );
    const { scenario, trace, facts } = prediction;
    assert.equal(traceHash(trace.entries), traceHash(simulate(scenario).entries));
    assert.deepEqual([facts.list("Job"), facts.list("Pod").length], [[], 1]);
    assert.ok(prediction.verdicts.every(({ ref }) => !ref.includes("trial")));
  });

  test("are not made for a suspended CronJob", async () => {
    const prediction = await predicted(cronJob("backup", "nowhere", "suspend: true"));
    assert.equal(headline(prediction, "CronJob/default/backup"), "is suspended and makes no Jobs");
    assert.equal(prediction.trials.ofCronJobs.size, 0);
  });

  test("do not conflict with those of other CronJobs with the same claim", async () => {
    const prediction = await predicted(
      claim("data"),
      cronJob("backup", "data"),
      cronJob("vacuum", "data"),
    );
    for (const name of ["backup", "vacuum"])
      assert.equal(headline(prediction, `CronJob/default/${name}`), `${onTime}, which would run`);
  });

  test("do not conflict with those of other CronJobs under the same quota", async () => {
    const quota = `
      apiVersion: v1
      kind: ResourceQuota
      metadata: { name: pods }
      spec: { hard: { pods: "1" } }
    `;
    const prediction = await predicted(
      quota,
      claim("a"),
      claim("b"),
      cronJob("backup", "a"),
      cronJob("vacuum", "b"),
    );
    for (const name of ["backup", "vacuum"])
      assert.equal(headline(prediction, `CronJob/default/${name}`), `${onTime}, which would run`);
  });

  test("report a Job that a quota forbids, with the quota as the cause", async () => {
    const quota = `
      apiVersion: v1
      kind: ResourceQuota
      metadata: { name: jobs }
      spec: { hard: { count/jobs.batch: "0" } }
    `;
    const prediction = await predicted(quota, claim("data"), cronJob("backup", "data"));
    const verdict = prediction.verdictOf.get("CronJob/default/backup");
    assert.equal(verdict?.headline, "cannot create a Job");
    assert.deepEqual(verdict?.root, {
      ref: "ResourceQuota/default/jobs",
      field: "spec.hard[count/jobs.batch]",
    });
  });

  test("make no other Jobs even if a CronJob becomes due meanwhile", async () => {
    const eachMinute = (name: string): string =>
      cronJob(name, "nowhere").replace("0 3 * * *", "* * * * *");
    const { trials } = await predicted(...["a", "b", "c", "d"].map(eachMinute));
    assert.deepEqual(
      trials.facts.list("Job").map(({ metadata }) => metadata.name),
      ["a-trial", "b-trial", "c-trial", "d-trial"],
    );
  });

  test("end if too many fail, and the untried CronJobs are listed", async () => {
    const many = Array.from({ length: 40 }, (_, i) => cronJob(`backup-${i + 1}`, "nowhere"));
    const { trials, verdictOf } = await predicted(...many);
    assert.deepEqual([...trials.untried], ["CronJob/default/backup-40"]);
    assert.equal(verdictOf.get("CronJob/default/backup-40")?.headline, onTime);
  });
});
