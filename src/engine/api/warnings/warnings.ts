/** The warnings of each kind. Upstream: WarningsOnCreate and WarningsOnUpdate of pkg/registry/*\/*\/strategy.go, v1.36. */

import type { KubernetesVersion } from "../../scenario.ts";
import { hasMutableVolumeLimits } from "../../version-differences.ts";
import { customKinds } from "../custom-resource.ts";
import { goQuote } from "../go-text.ts";
import type { Kind } from "../meta.ts";
import { semanticEqual } from "../semantic-equal.ts";
import type { KindMap, ObjectMeta, PodTemplateSpec } from "../types.ts";
import { cronJobPaths, podPaths, warnOfName, warnOfPod, workloadPaths } from "./pod.ts";
import {
  warnOfCapacity,
  warnOfClaim,
  warnOfDriver,
  warnOfStatefulSet,
  warnOfStorageClass,
  warnOfVolume,
} from "./storage.ts";

type AnyKind = KindMap[Kind];

/** `old` is undefined on create. */
export function warningsOf(
  next: AnyKind,
  old: AnyKind | undefined,
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
    case "Pod":
      // People do not usually change pods themselves, so updates are spared the effort.
      if (old !== undefined) break;
      warnOfName(next.metadata.name, "the Pod's hostname", warnings);
      warnOfPod(next.metadata, next.spec, podPaths, warnings);
      break;
    default:
      warnOfWorkload(next, old, warnings);
  }
  if (customKinds.has(next.kind)) warnOfFinalizers(next.metadata, old?.metadata, warnings);
  return warnings.length < 2 ? warnings : [...new Set(warnings)];
}

function warnOfWorkload(next: AnyKind, old: AnyKind | undefined, warnings: string[]): void {
  const podNames = "Pod names and hostnames";
  switch (next.kind) {
    case "Deployment":
    case "ReplicaSet":
    case "Job":
      if (old === undefined) warnOfName(next.metadata.name, podNames, warnings);
      warnOfTemplate(
        next.spec?.template,
        old?.kind === next.kind ? old.spec?.template : undefined,
        warnings,
      );
      break;
    case "StatefulSet":
      warnOfTemplate(
        next.spec?.template,
        old?.kind === next.kind ? old.spec?.template : undefined,
        warnings,
      );
      warnOfStatefulSet(next, old !== undefined, warnings);
      break;
    case "DaemonSet":
      warnOfTemplate(
        next.spec?.template,
        old?.kind === next.kind ? old.spec?.template : undefined,
        warnings,
      );
      break;
    case "CronJob": {
      const template = next.spec.jobTemplate.spec?.template;
      if (template?.spec !== undefined)
        warnOfPod(template.metadata, template.spec, cronJobPaths, warnings);
      break;
    }
    default:
  }
}

/** A template that did not change is not commented on again. */
function warnOfTemplate(
  template: PodTemplateSpec | undefined,
  old: PodTemplateSpec | undefined,
  warnings: string[],
): void {
  if (template?.spec === undefined || (old !== undefined && semanticEqual(template, old))) return;
  warnOfPod(template.metadata, template.spec, workloadPaths, warnings);
}

const standardFinalizers: ReadonlySet<string> = new Set([
  "kubernetes",
  "orphan",
  "foregroundDeletion",
]);

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
