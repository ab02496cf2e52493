/** The Job that kubectl creates from a CronJob. */
import assert from "node:assert/strict";
import { jobFromCronJob } from "../../../src/engine/api/job-from-cron-job.ts";
import type { KubeObject } from "../../../src/engine/api/meta.ts";

const template = { spec: { restartPolicy: "Never", containers: [{ name: "dump", image: "app" }] } };

function cronJob(metadata: object): KubeObject<"CronJob"> {
  return {
    apiVersion: "batch/v1",
    kind: "CronJob",
    metadata: { name: "dump", namespace: "shop", uid: "7f", labels: { of: "cron-job" } },
    spec: { schedule: "0 3 * * *", jobTemplate: { metadata, spec: { template } } },
  } as unknown as KubeObject<"CronJob">;
}

suite("A Job from a CronJob", () => {
  test("has the template's labels, annotations and spec, and an owner that may be deleted first", () => {
    const metadata = { labels: { of: "template" }, annotations: { team: "data" } };
    assert.deepEqual(jobFromCronJob(cronJob(metadata), "now"), {
      apiVersion: "batch/v1",
      kind: "Job",
      metadata: {
        name: "now",
        namespace: "shop",
        annotations: { "cronjob.kubernetes.io/instantiate": "manual", team: "data" },
        labels: { of: "template" },
        ownerReferences: [
          { apiVersion: "batch/v1", kind: "CronJob", name: "dump", uid: "7f", controller: true },
        ],
      },
      spec: { template },
    });
  });

  test("keeps the template's value of the instantiate annotation", () => {
    const annotations = { "cronjob.kubernetes.io/instantiate": "by-hand" };
    assert.deepEqual(
      jobFromCronJob(cronJob({ annotations }), "now").metadata.annotations,
      annotations,
    );
  });
});
