/** The warnings of each kind. Upstream: WarningsOnCreate and WarningsOnUpdate of pkg/registry/*\/*\/strategy.go, v1.36. */
import type { KubernetesVersion } from "../../scenario.ts";
import { hasMutableVolumeLimits } from "../../version-differences.ts";
import { mountableSecrets } from "../annotation-keys.ts";
import { customKinds } from "../decoding/custom-resource.ts";
import { FieldPath, specPath } from "../field-path.ts";
import { goQuote } from "../go/text.ts";
import type { KubeObject } from "../meta.ts";
import { semanticEqual } from "../semantic-equal.ts";
import type { JobSpec, KindMap, ObjectMeta, PodTemplateSpec } from "../types.ts";
import { rangeWarnings } from "../validation/addresses.ts";
import { standardFinalizers } from "../validation/object-meta.ts";
import { warnOfRuntimeClass } from "./labels.ts";
import { warnOfName, warnOfPod } from "./pod.ts";
import { podPaths, templatePaths } from "./pod-paths.ts";
import { warnOfSecret } from "./secret.ts";
import { warnOfService } from "./service.ts";
import {
  warnOfCapacity,
  warnOfClaim,
  warnOfDriver,
  warnOfStatefulSet,
  warnOfStorageClass,
  warnOfVolume,
} from "./storage.ts";

/** `old` is undefined on create. */
export function warningsOf(
  next: KubeObject,
  old: KubeObject | undefined,
  version: KubernetesVersion,
): readonly string[] {
  const warnings: string[] = [];
  switch (next.kind) {
    case "PersistentVolume":
      warnOfVolume(next, warnings);
      break;
    case "PersistentVolumeClaim":
      warnOfClaim(next, warnings);
      break;
    case "StorageClass":
      warnOfStorageClass(next, warnings);
      break;
    case "CSIStorageCapacity":
      warnOfCapacity(next, warnings);
      break;
    case "CSIDriver":
      if (hasMutableVolumeLimits(version)) {
        warnOfDriver(next, old?.kind === "CSIDriver" ? old : undefined, warnings);
      }
      break;
    case "RuntimeClass":
      warnOfRuntimeClass(next, warnings);
      break;
    case "Secret":
      warnOfSecret(next, warnings);
      break;
    case "Service":
      warnOfService(next, version, warnings);
      break;
    case "ServiceAccount":
      warnOfAccount(next.metadata, old?.metadata, warnings);
      break;
    case "Node":
      warnOfNode(next.spec, warnings);
      break;
    case "Pod":
      // People do not usually change pods themselves, so updates are spared the effort.
      if (old !== undefined) break;
      warnOfName(next.metadata.name, "the Pod's hostname", warnings);
      warnOfPod(next.metadata, next.spec, podPaths, version, warnings);
      break;
    default:
      warnOfWorkload(next, old, version, warnings);
  }
  if (customKinds.has(next.kind)) warnOfFinalizers(next.metadata, old?.metadata, warnings);
  return warnings;
}

/** Upstream: pkg/registry/core/serviceaccount/strategy.go warnIfHasEnforceMountableSecretsAnnotation. */
function warnOfAccount(
  { annotations }: ObjectMeta,
  old: ObjectMeta | undefined,
  warnings: string[],
): void {
  if (annotations?.[mountableSecrets] === undefined) return;
  if (old?.annotations?.[mountableSecrets] !== undefined) return;
  warnings.push(
    `metadata.annotations[${mountableSecrets}]: deprecated in v1.32+; prefer separate namespaces to isolate access to mounted secrets`,
  );
}

/** Upstream: pkg/registry/core/node/strategy.go nodeWarnings. */
function warnOfNode(spec: KindMap["Node"]["spec"], warnings: string[]): void {
  if (spec?.configSource !== undefined) warnings.push("spec.configSource: the feature is removed");
  if ((spec?.externalID ?? "") !== "")
    warnings.push("spec.externalID: this field is deprecated, and is unused by Kubernetes");
  spec?.podCIDRs?.forEach((range, index) => {
    for (const complaint of rangeWarnings(range))
      warnings.push(`${specPath.child("podCIDRs").index(index)}: ${complaint}`);
  });
}

function warnOfWorkload(
  next: KubeObject,
  old: KubeObject | undefined,
  version: KubernetesVersion,
  warnings: string[],
): void {
  switch (next.kind) {
    case "CronJob":
    case "Deployment":
    case "Job":
    case "ReplicaSet":
    case "ReplicationController":
      if (old === undefined) warnOfName(next.metadata.name, "Pod names and hostnames", warnings);
      break;
    default:
  }
  if (old === undefined || isNewGeneration(next, old))
    warnOfTemplates(next, old, version, warnings);
  if (next.kind === "StatefulSet") warnOfStatefulSet(next, old !== undefined, warnings);
  if (next.kind === "CronJob" && old !== undefined && next.spec.schedule.includes("TZ"))
    warnings.push(zoneInSchedule);
}

const zoneInSchedule =
  "cannot use TZ or CRON_TZ in spec.spec.schedule, use timeZone instead, see https://kubernetes.io/docs/concepts/workloads/controllers/cron-jobs/ for more details";

/** What did not change is not commented on again. The annotations of a Deployment go to its replica sets. */
function isNewGeneration(next: KubeObject, old: KubeObject): boolean {
  switch (next.kind) {
    case "PodTemplate":
      return old.kind === next.kind && !semanticEqual(next.template, old.template);
    case "Deployment":
      return (
        old.kind === next.kind &&
        !(
          semanticEqual(next.spec, old.spec) &&
          semanticEqual(next.metadata.annotations, old.metadata.annotations)
        )
      );
    case "CronJob":
    case "DaemonSet":
    case "Job":
    case "ReplicaSet":
    case "ReplicationController":
    case "StatefulSet":
      return old.kind === next.kind && !semanticEqual(next.spec, old.spec);
    default:
      return false;
  }
}

const templatePath = specPath.child("template");
const podTemplatePath = new FieldPath("template");
const jobTemplatePath = specPath.child("jobTemplate").child("spec");

function warnOfTemplates(
  next: KubeObject,
  old: KubeObject | undefined,
  version: KubernetesVersion,
  warnings: string[],
): void {
  switch (next.kind) {
    case "CronJob":
      warnOfJob(next.spec.jobTemplate.spec, jobTemplatePath, version, warnings);
      break;
    case "Job":
      warnOfJob(next.spec, specPath, version, warnings);
      break;
    case "PodTemplate":
      warnOfTemplate(next.template, podTemplatePath, version, warnings);
      break;
    case "ReplicationController": {
      // On update the server takes the two templates for each other.
      const { template } = (old?.kind === next.kind ? old : next).spec;
      warnOfTemplate(template, templatePath, version, warnings);
      break;
    }
    case "DaemonSet":
    case "Deployment":
    case "ReplicaSet":
    case "StatefulSet":
      warnOfTemplate(next.spec?.template, templatePath, version, warnings);
      break;
    default:
  }
}

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

/** Upstream: apiextensions-apiserver customResourceStrategy validateKubeFinalizerName. */
function warnOfFinalizers(
  metadata: ObjectMeta,
  old: ObjectMeta | undefined,
  warnings: string[],
): void {
  for (const finalizer of metadata.finalizers ?? []) {
    if (
      finalizer.includes("/") ||
      standardFinalizers.has(finalizer) ||
      old?.finalizers?.includes(finalizer) === true
    )
      continue;
    const what = finalizer.includes(".") ? "including a path (/) " : "";
    const better =
      what === ""
        ? "prefer a domain-qualified finalizer name"
        : `prefer a domain-qualified finalizer name ${what.trim()}`;
    warnings.push(
      `metadata.finalizers: ${goQuote(finalizer)}: ${better} to avoid accidental conflicts with other finalizer writers`,
    );
  }
}
