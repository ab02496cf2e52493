/** Defaults of workload controllers. Upstream: pkg/apis/{apps,batch}/v1/defaults.go and core/v1 for controllers there, v1.36. */
import type { KubernetesVersion } from "../../scenario.ts";
import { defaultsConditionsOfCronJobs } from "../../version-differences.ts";
import type { Mutable } from "../mutable.ts";
import type {
  CronJob,
  DaemonSet,
  Deployment,
  Job,
  JobSpec,
  PodTemplate,
  ReplicaSet,
  ReplicationController,
  RollingUpdateDeployment,
  StatefulSet,
} from "../types.ts";
import { dropInitContainerAnnotations, setPodSpecDefaults } from "./pod.ts";
import { setClaimDefaults } from "./storage.ts";

export const rollingUpdateDefaults: Required<RollingUpdateDeployment> = {
  maxUnavailable: "25%",
  maxSurge: "25%",
};

export function setDeploymentDefaults(deployment: Mutable<Deployment>): void {
  const { spec } = deployment;
  if (spec === undefined) return;
  setTemplateDefaults(spec.template);
  spec.replicas ??= 1;
  spec.strategy ??= {};
  spec.strategy.type ??= "RollingUpdate";
  if (spec.strategy.type === "RollingUpdate") {
    spec.strategy.rollingUpdate ??= {};
    const { maxUnavailable, maxSurge } = rollingUpdateDefaults;
    spec.strategy.rollingUpdate.maxUnavailable ??= maxUnavailable;
    spec.strategy.rollingUpdate.maxSurge ??= maxSurge;
  }
  spec.revisionHistoryLimit ??= 10;
  spec.progressDeadlineSeconds ??= 600;
}

export function setReplicaSetDefaults(replicaSet: Mutable<ReplicaSet>): void {
  if (replicaSet.spec === undefined) return;
  replicaSet.spec.replicas ??= 1;
  setTemplateDefaults(replicaSet.spec.template);
}

export function setReplicationControllerDefaults(controller: Mutable<ReplicationController>): void {
  const { spec } = controller;
  if (spec === undefined) return;
  setTemplateDefaults(spec.template);
  const labels = spec.template?.metadata?.labels;
  if (labels !== undefined && !isEmpty(labels)) {
    if (isEmpty(spec.selector)) spec.selector = { ...labels };
    if (isEmpty(controller.metadata.labels)) controller.metadata.labels = { ...labels };
  }
  spec.replicas ??= 1;
}

export function setPodTemplateDefaults(template: Mutable<PodTemplate>): void {
  setTemplateDefaults(template.template);
}

export function setStatefulSetDefaults(set: Mutable<StatefulSet>): void {
  const { spec } = set;
  if (spec === undefined) return;
  setTemplateDefaults(spec.template);
  spec.podManagementPolicy ??= "OrderedReady";
  spec.updateStrategy ??= {};
  const strategy = spec.updateStrategy;
  if (strategy.type === undefined) {
    strategy.type = "RollingUpdate";
    strategy.rollingUpdate ??= {};
  }
  if (strategy.type === "RollingUpdate" && strategy.rollingUpdate !== undefined)
    strategy.rollingUpdate.partition ??= 0;
  spec.persistentVolumeClaimRetentionPolicy ??= {};
  spec.persistentVolumeClaimRetentionPolicy.whenDeleted ??= "Retain";
  spec.persistentVolumeClaimRetentionPolicy.whenScaled ??= "Retain";
  spec.replicas ??= 1;
  spec.revisionHistoryLimit ??= 10;
  for (const claim of spec.volumeClaimTemplates ?? []) {
    claim.apiVersion = "v1";
    claim.kind = "PersistentVolumeClaim";
    setClaimDefaults(claim);
  }
}

export function setDaemonSetDefaults(set: Mutable<DaemonSet>): void {
  const { spec } = set;
  if (spec === undefined) return;
  setTemplateDefaults(spec.template);
  spec.updateStrategy ??= {};
  spec.updateStrategy.type ??= "RollingUpdate";
  if (spec.updateStrategy.type === "RollingUpdate") {
    spec.updateStrategy.rollingUpdate ??= {};
    spec.updateStrategy.rollingUpdate.maxUnavailable ??= 1;
    spec.updateStrategy.rollingUpdate.maxSurge ??= 0;
  }
  spec.revisionHistoryLimit ??= 10;
}

export function setJobDefaults(job: Mutable<Job>): void {
  const { spec } = job;
  if (spec === undefined) return;
  setTemplateDefaults(spec.template);
  if (spec.completions === undefined && spec.parallelism === undefined) spec.completions = 1;
  spec.parallelism ??= 1;
  spec.backoffLimit ??= spec.backoffLimitPerIndex === undefined ? 6 : 2_147_483_647;
  const labels = spec.template.metadata?.labels;
  // The same map, as in Go: labels that the strategy adds to the template's appear on the Job as well.
  if (labels !== undefined && isEmpty(job.metadata.labels)) job.metadata.labels = labels;
  spec.completionMode ??= "NonIndexed";
  spec.suspend ??= false;
  spec.manualSelector ??= false;
  setPodFailureDefaults(spec);
}

function setPodFailureDefaults(spec: Mutable<JobSpec>): void {
  spec.podReplacementPolicy ??=
    spec.podFailurePolicy === undefined ? "TerminatingOrFailed" : "Failed";
  setConditionDefaults(spec);
}

function setConditionDefaults({ podFailurePolicy }: Mutable<JobSpec>): void {
  for (const rule of podFailurePolicy?.rules ?? []) {
    for (const pattern of rule.onPodConditions ?? [])
      if ((pattern.status ?? "") === "") pattern.status = "True";
  }
}

/** The jobs that a CronJob makes get their other defaults when they are created. */
export function setCronJobDefaults(cronJob: Mutable<CronJob>, version: KubernetesVersion): void {
  const { spec } = cronJob;
  const job = spec.jobTemplate.spec;
  setTemplateDefaults(job?.template);
  if (job !== undefined && defaultsConditionsOfCronJobs(version)) setConditionDefaults(job);
  spec.concurrencyPolicy ??= "Allow";
  spec.suspend ??= false;
  spec.successfulJobsHistoryLimit ??= 3;
  spec.failedJobsHistoryLimit ??= 1;
}

function setTemplateDefaults(template: Mutable<PodTemplate["template"]>): void {
  dropInitContainerAnnotations(template?.metadata);
  if (template?.spec !== undefined) setPodSpecDefaults(template.spec);
}

function isEmpty(map: Readonly<Record<string, string>> | undefined): boolean {
  return map === undefined || Object.keys(map).length === 0;
}
