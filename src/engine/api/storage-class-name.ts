/**
 * The storage class of a claim or volume, with the annotation that still wins over the field.
 * Upstream: component-helpers v0.36 storage/volume GetPersistentVolumeClaimClass, GetPersistentVolumeClass;
 * pkg/volume/util/storageclass.go GetDefaultClass.
 */
import type {
  ObjectMeta,
  PersistentVolumeClaimSpec,
  PersistentVolumeSpec,
  StorageClass,
} from "./types.ts";

export const betaStorageClassAnnotation = "volume.beta.kubernetes.io/storage-class";

/** The current annotation first. */
export const defaultClassAnnotations: readonly string[] = [
  "storageclass.kubernetes.io/is-default-class",
  "storageclass.beta.kubernetes.io/is-default-class",
];

interface WithClass {
  readonly metadata: ObjectMeta;
  readonly spec?:
    | Pick<PersistentVolumeClaimSpec, "storageClassName">
    | Pick<PersistentVolumeSpec, "storageClassName">;
}

/** The class's name; "" if the object asks for no class or names none. */
export function effectiveClassName(object: WithClass): string {
  const annotations = object.metadata.annotations;
  if (annotations !== undefined && Object.hasOwn(annotations, betaStorageClassAnnotation)) {
    return annotations[betaStorageClassAnnotation] ?? "";
  }
  return object.spec?.storageClassName ?? "";
}

/** The field that `effectiveClassName` reads, or would read: the one to change for another class. */
export function classNameField({ metadata }: WithClass): string {
  return Object.hasOwn(metadata.annotations ?? {}, betaStorageClassAnnotation)
    ? `metadata.annotations[${betaStorageClassAnnotation}]`
    : "spec.storageClassName";
}

/** True if a claim states its class, even if only to ask for none (""). Upstream: PersistentVolumeClaimHasClass. */
export function claimHasClass(claim: WithClass): boolean {
  const annotations = claim.metadata.annotations;
  if (annotations !== undefined && Object.hasOwn(annotations, betaStorageClassAnnotation))
    return true;
  return claim.spec?.storageClassName !== undefined;
}

export function isDefaultClass(storageClass: { readonly metadata: ObjectMeta }): boolean {
  return defaultClassAnnotations.some((key) => storageClass.metadata.annotations?.[key] === "true");
}

/** The newest default class, of equally old ones the first by name; undefined if there is none. */
export function defaultStorageClass(classes: readonly StorageClass[]): StorageClass | undefined {
  let chosen: StorageClass | undefined;
  for (const candidate of classes) {
    if (isDefaultClass(candidate) && (chosen === undefined || isPreferred(candidate, chosen)))
      chosen = candidate;
  }
  return chosen;
}

function isPreferred(a: StorageClass, b: StorageClass): boolean {
  const [x, y] = [a.metadata.creationTimestamp, b.metadata.creationTimestamp];
  return x === y ? a.metadata.name < b.metadata.name : x > y;
}
