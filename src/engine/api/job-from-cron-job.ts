/** The Job that `kubectl create job NAME --from=cronjob/…` makes. Upstream: kubectl v0.36 pkg/cmd/create/create_job.go createJobFromCronJob. */
import type { Draft, KubeObject } from "./meta.ts";

/** On Jobs that a user created from a CronJob, never on those that its schedule created. */
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
      // Without blockOwnerDeletion, unlike the controller's own reference.
      ownerReferences: [
        { apiVersion: "batch/v1", kind: "CronJob", name: metadata.name, uid, controller: true },
      ],
    },
    spec: jobSpec ?? { template: {} },
  };
}
