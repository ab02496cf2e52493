/** The Job that `kubectl create job NAME --from=cronjob/…` makes. Upstream: kubectl v0.36 pkg/cmd/create/create_job.go createJobFromCronJob. */
import type { Draft, KubeObject } from "./meta.ts";

/** Which Jobs that a user has made of a CronJob have, and those of its schedule have not. */
export const instantiateAnnotation = "cronjob.kubernetes.io/instantiate";

export function jobFromCronJob(
  { metadata, spec }: KubeObject<"CronJob">,
  name: string,
): Draft<"Job"> {
  const { metadata: template, spec: jobSpec } = spec?.jobTemplate ?? {};
  const { namespace, uid } = metadata;
  // The template's annotations win.
  const annotations = {
    [instantiateAnnotation]: "manual",
    ...template?.annotations,
  };
  return {
    apiVersion: "batch/v1",
    kind: "Job",
    metadata: {
      name,
      ...(namespace !== undefined && { namespace }),
      annotations,
      ...(template?.labels !== undefined && { labels: template.labels }),
      // Unlike the controller's own, it does not keep the CronJob from being deleted first.
      ownerReferences: [
        { apiVersion: "batch/v1", kind: "CronJob", name: metadata.name, uid, controller: true },
      ],
    },
    spec: jobSpec ?? { template: {} },
  };
}
