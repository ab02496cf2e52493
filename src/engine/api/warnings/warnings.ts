/** The warnings of each kind. Upstream: WarningsOnCreate and WarningsOnUpdate of pkg/registry/*\/*\/strategy.go, v1.36. */
import type { KubernetesVersion } from "../../scenario.ts";
import { warnsOfAddressesEverywhere } from "../../version-differences.ts";
import { mountableSecrets } from "../annotation-keys.ts";
import { customKinds } from "../decoding/custom-resource.ts";
import { specPath } from "../field-path.ts";
import { goQuote } from "../go/text.ts";
import type { Kind, KubeObject } from "../meta.ts";
import type { Node, ObjectMeta, Pod, ServiceAccount } from "../types.ts";
import { rangeWarnings } from "../validation/addresses.ts";
import { standardFinalizers } from "../validation/object-meta.ts";
import { warnOfRuntimeClass } from "./labels.ts";
import { warnOfName, warnOfPod } from "./pod.ts";
import { podPaths } from "./pod-paths.ts";
import { warnOfSecret } from "./secret.ts";
import { warnOfService } from "./service.ts";
import {
  warnOfCapacity,
  warnOfClaim,
  warnOfDriver,
  warnOfStorageClass,
  warnOfVolume,
} from "./storage.ts";
import type { Warn } from "./warn.ts";
import { workloadWarnings } from "./workload.ts";

const warnOf: { readonly [K in Kind]?: Warn<K> } = {
  ...workloadWarnings,
  CSIDriver: warnOfDriver,
  CSIStorageCapacity: warnOfCapacity,
  Node: warnOfNode,
  PersistentVolume: warnOfVolume,
  PersistentVolumeClaim: warnOfClaim,
  Pod: warnOfNewPod,
  RuntimeClass: warnOfRuntimeClass,
  Secret: warnOfSecret,
  Service: warnOfService,
  ServiceAccount: warnOfAccount,
  StorageClass: warnOfStorageClass,
};

/** `old` is undefined on create. */
export function warningsOf(
  next: KubeObject,
  old: KubeObject | undefined,
  version: KubernetesVersion,
): readonly string[] {
  const warnings: string[] = [];
  const warn = warnOf[next.kind] as Warn | undefined;
  // A patch may have changed the kind.
  warn?.(next, warnings, version, old?.kind === next.kind ? old : undefined);
  if (customKinds.has(next.kind)) warnOfFinalizers(next.metadata, old?.metadata, warnings);
  return warnings;
}

/** Updates are not warned about, because people do not usually change pods themselves. */
function warnOfNewPod(
  { metadata, spec }: Pod,
  warnings: string[],
  version: KubernetesVersion,
  old: Pod | undefined,
): void {
  if (old !== undefined) return;
  warnOfName(metadata.name, "the Pod's hostname", warnings);
  warnOfPod(metadata, spec, podPaths, version, warnings);
}

/** Upstream: pkg/registry/core/serviceaccount/strategy.go warnIfHasEnforceMountableSecretsAnnotation. */
function warnOfAccount(
  { metadata }: ServiceAccount,
  warnings: string[],
  _version: KubernetesVersion,
  old: ServiceAccount | undefined,
): void {
  if (metadata.annotations?.[mountableSecrets] === undefined) return;
  if (old?.metadata.annotations?.[mountableSecrets] !== undefined) return;
  warnings.push(
    `metadata.annotations[${mountableSecrets}]: deprecated in v1.32+; prefer separate namespaces to isolate access to mounted secrets`,
  );
}

/** Upstream: pkg/registry/core/node/strategy.go nodeWarnings. */
function warnOfNode({ spec }: Node, warnings: string[], version: KubernetesVersion): void {
  if (spec?.configSource !== undefined) warnings.push("spec.configSource: the feature is removed");
  if ((spec?.externalID ?? "") !== "")
    warnings.push("spec.externalID: this field is deprecated, and is unused by Kubernetes");
  if (!warnsOfAddressesEverywhere(version)) return;
  spec?.podCIDRs?.forEach((range, index) => {
    for (const complaint of rangeWarnings(range, version))
      warnings.push(`${specPath.child("podCIDRs").index(index)}: ${complaint}`);
  });
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
    const missing = finalizer.includes(".") ? " including a path (/)" : "";
    warnings.push(
      `metadata.finalizers: ${goQuote(finalizer)}: prefer a domain-qualified finalizer name${missing} to avoid accidental conflicts with other finalizer writers`,
    );
  }
}
