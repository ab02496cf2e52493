/**
 * Workloads that are accepted with a warning, their pod templates above all. Upstream: WarningsOnCreate and WarningsOnUpdate of
 * pkg/registry/{apps,batch}/*\/strategy.go and of core/{podtemplate,replicationcontroller}, pkg/api/job/warnings.go, v1.36.
 */
import type { KubernetesVersion } from "../../scenario.ts";
import { warnsOfNegativeHistories } from "../../version-differences.ts";
import { FieldPath, specPath } from "../field-path.ts";
import type { KubeObject } from "../meta.ts";
import { semanticEqual } from "../semantic-equal.ts";
import type { JobSpec, PodTemplateSpec, StatefulSet } from "../types.ts";
import { warnOfName, warnOfPod } from "./pod.ts";
import { templatePaths } from "./pod-paths.ts";
import { warnOfClaimSpec } from "./storage.ts";
import type { Warn } from "./warn.ts";

type Workload =
  | "CronJob"
  | "DaemonSet"
  | "Deployment"
  | "Job"
  | "PodTemplate"
  | "ReplicaSet"
  | "ReplicationController"
  | "StatefulSet";

const templatePath = specPath.child("template");
const podTemplatePath = new FieldPath("template");
const jobTemplatePath = specPath.child("jobTemplate").child("spec");

export const workloadWarnings: { readonly [K in Workload]: Warn<K> } = {
  CronJob: (next, warnings, version, old) => {
    warnOfPodNames(next, warnings, old);
    if (hasNewSpec(next, old))
      warnOfJob(next.spec.jobTemplate.spec, jobTemplatePath, version, warnings);
    if (old !== undefined && next.spec.schedule.includes("TZ")) warnings.push(zoneInSchedule);
  },
  DaemonSet: (next, warnings, version, old) => {
    if (hasNewSpec(next, old)) warnOfTemplate(next.spec?.template, templatePath, version, warnings);
  },
  Deployment: (next, warnings, version, old) => {
    warnOfPodNames(next, warnings, old);
    // Its annotations are copied to its ReplicaSets.
    if (
      hasNewSpec(next, old) ||
      !semanticEqual(next.metadata.annotations, old?.metadata.annotations)
    )
      warnOfTemplate(next.spec?.template, templatePath, version, warnings);
  },
  Job: (next, warnings, version, old) => {
    warnOfPodNames(next, warnings, old);
    if (hasNewSpec(next, old)) warnOfJob(next.spec, specPath, version, warnings);
  },
  PodTemplate: ({ template }, warnings, version, old) => {
    if (old === undefined || !semanticEqual(template, old.template))
      warnOfTemplate(template, podTemplatePath, version, warnings);
  },
  ReplicaSet: (next, warnings, version, old) => {
    warnOfPodNames(next, warnings, old);
    if (hasNewSpec(next, old)) warnOfTemplate(next.spec?.template, templatePath, version, warnings);
  },
  ReplicationController: (next, warnings, version, old) => {
    warnOfPodNames(next, warnings, old);
    // On update the server mistakes the old template for the new one.
    if (hasNewSpec(next, old))
      warnOfTemplate((old ?? next).spec.template, templatePath, version, warnings);
  },
  StatefulSet: (next, warnings, version, old) => {
    if (hasNewSpec(next, old)) warnOfTemplate(next.spec?.template, templatePath, version, warnings);
    warnOfSet(next, version, warnings, old);
  },
};

function warnOfPodNames(next: KubeObject, warnings: string[], old: KubeObject | undefined): void {
  if (old === undefined) warnOfName(next.metadata.name, "Pod names and hostnames", warnings);
}

interface Specified {
  readonly spec?: unknown;
}

/** False if the spec has not changed: it is not warned about again. */
function hasNewSpec(next: Specified, old: Specified | undefined): boolean {
  return old === undefined || !semanticEqual(next.spec, old.spec);
}

const zoneInSchedule =
  "cannot use TZ or CRON_TZ in spec.spec.schedule, use timeZone instead, see https://kubernetes.io/docs/concepts/workloads/controllers/cron-jobs/ for more details";

const manyIndexes =
  "In Indexed Jobs with a number of completions higher than 10^5 and a parallelism higher than 10^4, Kubernetes might not be able to track completedIndexes when a big number of indexes fail";

/** Upstream: pkg/api/job/warnings.go. */
function warnOfJob(
  job: JobSpec | undefined,
  path: FieldPath,
  version: KubernetesVersion,
  warnings: string[],
): void {
  const { completionMode, completions = 0, parallelism = 0 } = job ?? {};
  if (completionMode === "Indexed" && completions > 100_000 && parallelism > 10_000)
    warnings.push(`${path}: ${manyIndexes}`);
  warnOfTemplate(job?.template, path.child("template"), version, warnings);
}

function warnOfTemplate(
  template: PodTemplateSpec | undefined,
  path: FieldPath,
  version: KubernetesVersion,
  warnings: string[],
): void {
  if (template?.spec === undefined) return;
  warnOfPod(template.metadata, template.spec, templatePaths(path), version, warnings);
}

/** The paths of claim templates lack `spec` on create, and have `Spec` on update. */
function warnOfSet(
  set: StatefulSet,
  version: KubernetesVersion,
  warnings: string[],
  old: StatefulSet | undefined,
): void {
  set.spec?.volumeClaimTemplates?.forEach((claim, index) => {
    const path = specPath.child("volumeClaimTemplates").index(index);
    warnOfClaimSpec(claim.spec, old === undefined ? path : path.child("Spec"), warnings);
  });
  if ((set.spec?.revisionHistoryLimit ?? 0) < 0 && warnsOfNegativeHistories(version)) {
    warnings.push(
      "spec.revisionHistoryLimit: a negative value retains all historical revisions; a value >= 0 is recommended",
    );
  }
}
