/**
 * Annotations and finalizers by which the volume controllers, the scheduler and the sidecars hand work to each other.
 * Upstream: component-helpers v0.36 storage/volume/pv_helpers.go; sig-storage-lib-external-provisioner v13 controller.go.
 */
import { withFields } from "../api/json.ts";
import type { ObjectMeta } from "../api/types.ts";

export const annotation = {
  bindCompleted: "pv.kubernetes.io/bind-completed",
  boundByController: "pv.kubernetes.io/bound-by-controller",
  selectedNode: "volume.kubernetes.io/selected-node",
  storageProvisioner: "volume.kubernetes.io/storage-provisioner",
  betaStorageProvisioner: "volume.beta.kubernetes.io/storage-provisioner",
  storageResizer: "volume.kubernetes.io/storage-resizer",
  migratedTo: "pv.kubernetes.io/migrated-to",
  provisionedBy: "pv.kubernetes.io/provisioned-by",
  deletionSecretName: "volume.kubernetes.io/provisioner-deletion-secret-name",
  deletionSecretNamespace: "volume.kubernetes.io/provisioner-deletion-secret-namespace",
  preResizeCapacity: "volume.alpha.kubernetes.io/pre-resize-capacity",
  migratedPlugins: "storage.alpha.kubernetes.io/migrated-plugins",
  nodeExpansionNotRequired: "volume.kubernetes.io/node-expansion-not-required",
} as const;

export const finalizer = {
  claimProtection: "kubernetes.io/pvc-protection",
  volumeProtection: "kubernetes.io/pv-protection",
  attributesClassProtection: "kubernetes.io/vac-protection",
  /** On volumes that the controller manager's own plugins made. */
  volumeController: "kubernetes.io/pv-controller",
  externalProvisioner: "external-provisioner.volume.kubernetes.io/finalizer",
  /** On claims that another claim is being cloned from. */
  cloningProtection: "provisioner.storage.kubernetes.io/cloning-protection",
} as const;

interface WithMeta {
  readonly metadata: ObjectMeta;
}

/** True if the annotation exists, even with an empty value. */
export function hasAnnotation(object: WithMeta, key: string): boolean {
  const { annotations } = object.metadata;
  return annotations !== undefined && Object.hasOwn(annotations, key);
}

/** Undefined if the object has no such annotation. */
export function annotationOf(object: WithMeta, key: string): string | undefined {
  return hasAnnotation(object, key) ? object.metadata.annotations?.[key] : undefined;
}

/** Returns a copy with the annotations added. */
export function withAnnotations<T extends WithMeta>(
  object: T,
  added: Readonly<Record<string, string>>,
): T {
  const annotations = withFields(object.metadata.annotations ?? {}, added);
  return { ...object, metadata: withFields(object.metadata, { annotations }) };
}

/** Returns a copy without the annotation, and without `annotations` if it was the last one. */
export function withoutAnnotation<T extends WithMeta>(object: T, key: string): T {
  if (!hasAnnotation(object, key)) return object;
  const { annotations = {}, ...metadata } = object.metadata;
  const { [key]: _, ...rest } = annotations;
  const kept = Object.keys(rest).length > 0 ? { annotations: rest } : {};
  return { ...object, metadata: { ...metadata, ...kept } };
}

export function hasFinalizer(object: WithMeta, name: string): boolean {
  return object.metadata.finalizers?.includes(name) === true;
}

/** Returns a copy with exactly these finalizers. */
export function withFinalizers<T extends WithMeta>(object: T, finalizers: readonly string[]): T {
  const { finalizers: _, ...metadata } = object.metadata;
  const kept = finalizers.length > 0 ? withFields(metadata, { finalizers }) : metadata;
  return { ...object, metadata: kept };
}
