/**
 * Storage objects that are accepted with a warning. Upstream: pkg/api/{persistentvolume,persistentvolumeclaim,storage}/util.go
 * and the WarningsOnCreate and WarningsOnUpdate of pkg/registry/storage, v1.36.
 */
import type { KubernetesVersion } from "../../scenario.ts";
import { hasMutableVolumeLimits } from "../../version-differences.ts";
import { mountOptionsAnnotation } from "../annotation-keys.ts";
import { FieldPath, metadataPath, specPath } from "../field-path.ts";
import { sortedKeys } from "../go/text-order.ts";
import { looksFractional, parseQuantity } from "../quantity.ts";
import { semanticEqual } from "../semantic-equal.ts";
import { betaStorageClassAnnotation } from "../storage-class-name.ts";
import type {
  CSIDriver,
  CSIStorageCapacity,
  ObjectMeta,
  PersistentVolume,
  PersistentVolumeClaim,
  PersistentVolumeClaimSpec,
  StorageClass,
} from "../types.ts";
import { presentFields } from "../validation/present-fields.ts";
import { labelDeprecation, warnOfTerm } from "./labels.ts";

const annotationsPath = metadataPath.child("annotations");

const deprecatedSources: ReadonlyMap<string, string> = new Map([
  ["cephfs", "cephfs: deprecated in v1.28, non-functional in v1.31+"],
  ["photonPersistentDisk", "photonPersistentDisk: deprecated in v1.11, non-functional in v1.16+"],
  ["scaleIO", "scaleIO: deprecated in v1.16, non-functional in v1.22+"],
  ["storageos", "storageOS: deprecated in v1.22, non-functional in v1.25+"],
  ["glusterfs", "glusterfs: deprecated in v1.25, non-functional in v1.26+"],
  ["rbd", "rbd: deprecated in v1.28, non-functional in v1.31+"],
]);

export function warnOfVolume(volume: PersistentVolume, warnings: string[]): void {
  warnOfClassAnnotation(volume.metadata, warnings);
  if (volume.metadata.annotations?.[mountOptionsAnnotation] !== undefined) {
    warnings.push(
      `${annotationsPath.key(mountOptionsAnnotation)}: deprecated since v1.31; use "mountOptions" attribute instead`,
    );
  }
  if (volume.spec.persistentVolumeReclaimPolicy === "Recycle") {
    const text =
      "The Recycle reclaim policy is deprecated. Instead, the recommended approach is to use dynamic provisioning.";
    warnings.push(`${specPath.child("persistentVolumeReclaimPolicy")}: ${text}`);
  }
  volume.spec.nodeAffinity?.required?.nodeSelectorTerms?.forEach((term, index) => {
    warnOfTerm(
      term,
      specPath.child("nodeAffinity").child("required").child("nodeSelectorTerms").index(index),
      warnings,
      { valuesAreChecked: false },
    );
  });
  for (const source of presentFields(volume.spec, deprecatedSources))
    warnings.push(`spec.${deprecatedSources.get(source)}`);
}

function warnOfClassAnnotation(metadata: ObjectMeta, warnings: string[]): void {
  if (metadata.annotations?.[betaStorageClassAnnotation] === undefined) return;
  warnings.push(
    `${annotationsPath.key(betaStorageClassAnnotation)}: deprecated since v1.8; use "storageClassName" attribute instead`,
  );
}

export function warnOfClaim(claim: PersistentVolumeClaim, warnings: string[]): void {
  warnOfClassAnnotation(claim.metadata, warnings);
  warnOfClaimSpec(claim.spec, specPath, warnings);
}

/** Warns about fractions of a byte. */
export function warnOfClaimSpec(
  spec: PersistentVolumeClaimSpec,
  path: FieldPath,
  warnings: string[],
): void {
  for (const list of ["requests", "limits"] as const) {
    const text = spec.resources?.[list]?.["storage"];
    const quantity = text === undefined ? undefined : parseQuantity(text);
    if (quantity === undefined || !looksFractional(quantity)) continue;
    warnings.push(
      `${path.child("resources").child(list).key("storage")}: fractional byte value ${JSON.stringify(quantity.text)} is invalid, must be an integer`,
    );
  }
}

export function warnOfStorageClass(storageClass: StorageClass, warnings: string[]): void {
  storageClass.allowedTopologies?.forEach((term, index) => {
    term.matchLabelExpressions?.forEach(({ key }, position) => {
      const message = labelDeprecation(key);
      if (message === undefined) return;
      const path = new FieldPath("allowedTopologies")
        .index(index)
        .child("matchLabelExpressions")
        .index(position);
      warnings.push(`${path.child("key")}: ${message}`);
    });
  });
}

export function warnOfCapacity(capacity: CSIStorageCapacity, warnings: string[]): void {
  const path = new FieldPath("nodeTopology");
  capacity.nodeTopology?.matchExpressions?.forEach(({ key }, index) => {
    const message = labelDeprecation(key);
    if (message !== undefined)
      warnings.push(
        `${path.child("matchExpressions").index(index).child("key")}: ${key} is ${message}`,
      );
  });
  for (const key of sortedKeys(capacity.nodeTopology?.matchLabels)) {
    const message = labelDeprecation(key);
    if (message !== undefined) warnings.push(`${path.child("matchLabels").child(key)}: ${message}`);
  }
}

/** Only for token requests that are new or have changed. */
export function warnOfDriver(
  driver: CSIDriver,
  warnings: string[],
  version: KubernetesVersion,
  old: CSIDriver | undefined,
): void {
  if (!hasMutableVolumeLimits(version)) return;
  const { tokenRequests = [], serviceAccountTokenInSecrets } = driver.spec;
  if (tokenRequests.length === 0 || serviceAccountTokenInSecrets !== undefined) return;
  if (old !== undefined && semanticEqual(old.spec.tokenRequests, tokenRequests)) return;
  warnings.push(
    "spec.serviceAccountTokenInSecrets is unset; if supported by this CSI driver, set to true to prevent possible logging of tokens in volume attributes",
  );
}
