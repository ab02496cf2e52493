/** Islands run separately, but their united prediction is that of one cluster. */
import assert from "node:assert/strict";
import type { TraceEntry } from "../../../src/engine/trace/entry.ts";
import type { Prediction } from "../../../src/language-server/prediction/prediction.ts";
import { createLanguageService } from "../../../src/language-server/service.ts";
import { memoryFileSystem, memoryFolder } from "../../support/memory-workspace.ts";

/** A claim that is provisioned, a pod that mounts a share, and a CronJob whose pods lack their claim. */
const shop = (namespace: string): string => `
apiVersion: v1
kind: PersistentVolumeClaim
metadata: { name: data, namespace: ${namespace} }
spec: { storageClassName: longhorn, accessModes: [ReadWriteOnce], resources: { requests: { storage: 2Gi } } }
---
apiVersion: v1
kind: Pod
metadata: { name: web, namespace: ${namespace} }
spec:
  nodeName: longhorn-1
  containers: [{ name: c, image: i, volumeMounts: [{ name: share, mountPath: /s }] }]
  volumes: [{ name: share, nfs: { server: nas, path: /${namespace} } }]
---
apiVersion: batch/v1
kind: CronJob
metadata: { name: dump, namespace: ${namespace} }
spec:
  schedule: "0 3 * * *"
  jobTemplate:
    spec:
      template:
        spec:
          restartPolicy: Never
          containers: [{ name: c, image: i, volumeMounts: [{ name: own, mountPath: /o }] }]
          volumes: [{ name: own, persistentVolumeClaim: { claimName: gone } }]
`;

async function predicted(smallEnvironment: number): Promise<Prediction> {
  const files = {
    "claimcheck.yaml": "profile: longhorn\n",
    "a.yaml": shop("a"),
    "b.yaml": shop("b"),
  };
  const service = createLanguageService({
    fileSystem: memoryFileSystem(new Map(Object.entries(files))),
    pause: () => Promise.resolve(),
    smallEnvironment,
  });
  await service.loadFolders([memoryFolder]);
  const [environment] = service.environments();
  assert.ok(environment !== undefined);
  const prediction = await service.predict(environment);
  assert.equal((service.status().islands[0]?.count ?? 0) > 1, smallEnvironment === 0);
  return prediction ?? assert.fail();
}

/** What the components have done to the manifests' objects, by name. */
function deedsOf({ trace }: Prediction): readonly string[] {
  const tell = (entry: TraceEntry): string => {
    if (entry.type === "call") return `${entry.call} on ${entry.node}`;
    if (entry.type === "event") return `${entry.about} ${entry.reason}`;
    return "";
  };
  return [...new Set(trace.entries.map(tell))].sort();
}

suite("the predictions of all islands as one", () => {
  test("have the same verdicts as one run of everything", async () => {
    const [parted, whole] = [await predicted(0), await predicted(100)];
    assert.deepEqual(deedsOf(parted), deedsOf(whole));
    const mounts = ({ machines }: Prediction): readonly string[] =>
      machines.map(({ name, mounts }) => `${name}: ${mounts.map(({ source }) => source).sort()}`);
    assert.deepEqual(mounts(parted), mounts(whole));
    const tried = ({ trials }: Prediction): readonly string[] =>
      [...trials.ofCronJobs].map(([ref, { kind }]) => `${ref} ${kind}`).sort();
    assert.deepEqual(tried(parted), tried(whole));
    assert.equal(parted.trials.verdicts.length, whole.trials.verdicts.length);
  });

  test("have a trace in order of time, with each cause before its effect and each answer after its call", async () => {
    const { entries } = (await predicted(0)).trace;
    const calls = new Set<number>();
    for (const [index, entry] of entries.entries()) {
      assert.ok(entry.at >= (entries[index - 1]?.at ?? 0));
      assert.ok(entry.cause === undefined || entry.cause < entry.seq);
      if (entry.type === "call") assert.ok(!calls.has(entry.id) && calls.add(entry.id));
      if (entry.type === "answer") assert.ok(calls.delete(entry.id));
    }
    assert.equal(calls.size, 0);
  });

  test("know the pods that were tried in each island", async () => {
    const { trials } = await predicted(0);
    for (const { ref } of trials.verdicts) assert.ok(trials.facts.objects.has(ref), ref);
    assert.equal(trials.verdicts.length, 2);
  });
});
