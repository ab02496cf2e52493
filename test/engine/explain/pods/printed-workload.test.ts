import assert from "node:assert/strict";
import type { KubeObject } from "../../../../src/engine/api/meta.ts";
import {
  printedCompletions,
  printedJobStatus,
  printedReady,
} from "../../../../src/engine/explain/pods/printed-workload.ts";

type Replicated = Parameters<typeof printedReady>[0];
type Job = KubeObject<"Job">;

const ready = (kind: string, spec: object, status?: object): string =>
  printedReady({ kind, spec, status } as unknown as Replicated);

const job = (spec: object, status: object, metadata: object = {}): Job =>
  ({ kind: "Job", metadata, spec, status }) as unknown as Job;
const statusWith = (...types: readonly string[]): object => ({
  conditions: types.map((type) => ({ type, status: "True" })),
});

suite("workloads as kubectl prints them", () => {
  test("have the number of ready pods among the wanted ones", () => {
    assert.equal(ready("Deployment", { replicas: 3 }, { readyReplicas: 2, replicas: 3 }), "2/3");
    assert.equal(ready("StatefulSet", {}), "0/1");
    const nodes = { desiredNumberScheduled: 3, numberReady: 1 };
    assert.equal(ready("DaemonSet", {}, nodes), "1/3");
  });

  test("Jobs are complete, failed, terminating, suspended, about to end, or running", () => {
    const gone = { deletionTimestamp: "2026-01-01T00:00:00Z" };
    const status = (types: readonly string[], metadata = {}): string =>
      printedJobStatus(job({}, statusWith(...types), metadata));
    assert.equal(status(["SuccessCriteriaMet", "Complete"], gone), "Complete");
    assert.equal(status(["FailureTarget", "Failed"]), "Failed");
    assert.equal(status(["Suspended"], gone), "Terminating");
    assert.equal(status(["Suspended"]), "Suspended");
    assert.equal(status(["FailureTarget"]), "FailureTarget");
    assert.equal(status(["SuccessCriteriaMet"]), "SuccessCriteriaMet");
    assert.equal(status([]), "Running");
  });

  test("Jobs have the number of their completions, one if none is specified", () => {
    assert.equal(printedCompletions(job({ completions: 3 }, { succeeded: 1 })), "1/3");
    assert.equal(printedCompletions(job({ parallelism: 1 }, {})), "0/1");
    assert.equal(printedCompletions(job({ parallelism: 4 }, { succeeded: 2 })), "2/1 of 4");
  });
});
