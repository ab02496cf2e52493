/**
 * PersistentVolumes. Upstream: pkg/apis/core/validation ValidatePersistentVolume, ValidatePersistentVolumeSpec,
 * ValidatePersistentVolumeUpdate; pkg/volume/validation/pv_validation.go (mount options), v1.36.
 */

import { checksAffinityValues } from "../../version-differences.ts";
import { mountOptionsAnnotation } from "../annotation-keys.ts";
import { asJson, type FieldErrors } from "../field-error.ts";
import { FieldPath, metadataPath, specPath } from "../field-path.ts";
import { goStruct } from "../go/struct.ts";
import { byteLength, goJson, sortedMap } from "../go/text.ts";
import { checkLabel, checkSubdomain } from "../names/names.ts";
import { quantityOrZero } from "../quantity.ts";
import { semanticEqual } from "../semantic-equal.ts";
import type {
  NodeSelectorRequirement,
  PersistentVolume,
  PersistentVolumeSpec,
  SecretReference,
  VolumeNodeAffinity,
} from "../types.ts";
import { unifiedDiff } from "../unified-diff.ts";
import { renamedLabels } from "../well-known-labels.ts";
import { attributesClassPath, validateOldAttributesClass } from "./attributes-class.ts";
import { validateCsiDriverName } from "./csi.ts";
import { validateObjectMeta } from "./object-meta.ts";
import {
  supportedVolumeModes,
  validateAccessModes,
  validateClassName,
} from "./persistent-volume-claim.ts";
import { presentFields } from "./present-fields.ts";
import { validateBasicResource, validatePositiveQuantity } from "./resources.ts";
import { validateNodeSelector } from "./selectors.ts";
import {
  iscsiNameBytesMax,
  oneVolumeType,
  requireFields,
  validateAwsElasticBlockStore,
  validateAzureDisk,
  validateFibreChannel,
  validateFlexVolume,
  validateFlocker,
  validateGcePersistentDisk,
  validateHostPath,
  validateIscsiInitiator,
  validateIscsiTarget,
  validateNfs,
  validateNoBacksteps,
  validateQuobyte,
  validateStorageOs,
} from "./volume-sources.ts";

const reclaimPolicies: readonly string[] = ["Delete", "Recycle", "Retain"];

export function validatePersistentVolume(volume: PersistentVolume, errors: FieldErrors): void {
  validateObjectMeta(volume.metadata, checkSubdomain, errors);
  validateVolumeSpec(volume.spec, volume.metadata.name, specPath, errors);
  validateMountOptionsAnnotation(volume, errors);
}

/** `name` is undefined for the inline volume of a VolumeAttachment, which stands for a pod's volume and has no claim. */
export function validateVolumeSpec(
  spec: PersistentVolumeSpec,
  name: string | undefined,
  path: FieldPath,
  errors: FieldErrors,
): void {
  const inline = name === undefined;
  if (inline) validateInline(spec, path, errors);
  if ((spec.accessModes ?? []).length === 0) errors.required(path.child("accessModes"));
  validateAccessModes(spec.accessModes ?? [], path, errors);
  if (!inline) validateCapacity(spec.capacity, path.child("capacity"), errors);
  validateReclaimPolicy(spec, inline, path.child("persistentVolumeReclaimPolicy"), errors);
  validateAffinity(spec.nodeAffinity, inline, path.child("nodeAffinity"), errors);
  validateSources(spec, name, path, errors);
  if (
    spec.hostPath !== undefined &&
    spec.persistentVolumeReclaimPolicy === "Recycle" &&
    isRoot(spec.hostPath.path)
  ) {
    errors.forbidden(
      path.child("persistentVolumeReclaimPolicy"),
      "may not be 'recycle' for a hostPath mount of '/'",
    );
  }
  const classPath = path.child("storageClassName");
  if (!inline) validateClassName(spec.storageClassName, classPath, errors);
  else if ((spec.storageClassName ?? "") !== "") errors.forbidden(classPath, context);
  validateVolumeMode(spec.volumeMode, inline, path.child("volumeMode"), errors);
  if (!inline) validateAttributesClass(spec, path, errors);
}

const context = "may not be specified in the context of inline volumes";

function validateInline(spec: PersistentVolumeSpec, path: FieldPath, errors: FieldErrors): void {
  if (spec.claimRef !== undefined) errors.forbidden(path.child("claimRef"), context);
  if (Object.keys(spec.capacity ?? {}).length > 0)
    errors.forbidden(path.child("capacity"), context);
  if (spec.csi === undefined)
    errors.required(path.child("csi"), "has to be specified in the context of inline volumes");
}

function validateCapacity(
  capacity: Readonly<Record<string, string>> | undefined,
  path: FieldPath,
  errors: FieldErrors,
): void {
  const names = Object.keys(capacity ?? {});
  if (names.length === 0) errors.required(path);
  if (capacity?.["storage"] === undefined || names.length > 1)
    errors.notSupported(path, asJson(sortedMap(capacity)), ["storage"]);
  for (const name of names) {
    const quantity = quantityOrZero(capacity?.[name]);
    validateBasicResource(quantity, path.key(name), errors);
    validatePositiveQuantity(quantity, path.key(name), errors);
  }
}

function validateReclaimPolicy(
  spec: PersistentVolumeSpec,
  inline: boolean,
  path: FieldPath,
  errors: FieldErrors,
): void {
  const policy = spec.persistentVolumeReclaimPolicy ?? "";
  if (inline) {
    if (policy !== "" && policy !== "Retain")
      errors.forbidden(path, "may only be Retain in the context of inline volumes");
  } else if (policy !== "" && !reclaimPolicies.includes(policy)) {
    errors.notSupported(path, asJson(policy), reclaimPolicies);
  }
}

function validateAffinity(
  affinity: VolumeNodeAffinity | undefined,
  inline: boolean,
  path: FieldPath,
  errors: FieldErrors,
): void {
  if (affinity === undefined) return;
  if (inline) errors.forbidden(path, context);
  else if (affinity.required === undefined)
    errors.required(path.child("required"), "must specify required node constraints");
  else
    validateNodeSelector(affinity.required, path.child("required"), errors, {
      valuesAreLabels: checksAffinityValues(errors.version),
    });
}

function validateVolumeMode(
  mode: string | undefined,
  inline: boolean,
  path: FieldPath,
  errors: FieldErrors,
): void {
  if (mode === undefined) return;
  if (inline) {
    if (mode !== "Filesystem") {
      errors.forbidden(
        path,
        "may not specify volumeMode other than Filesystem in the context of inline volumes",
      );
    }
  } else if (!supportedVolumeModes.includes(mode)) {
    errors.notSupported(path, asJson(mode), supportedVolumeModes);
  }
}

function validateAttributesClass(
  spec: PersistentVolumeSpec,
  path: FieldPath,
  errors: FieldErrors,
): void {
  const name = spec.volumeAttributesClassName;
  if (name === undefined) return;
  const at = path.child("volumeAttributesClassName");
  if (name === "") errors.required(at, "an empty string is disallowed");
  else errors.invalidEach(at, name, checkSubdomain(name));
  if (spec.csi === undefined)
    errors.required(path.child("csi"), "has to be specified when using volumeAttributesClassName");
}

/** Upstream: path.Clean(p) == "/". */
function isRoot(path: string): boolean {
  let depth = 0;
  for (const part of path.split("/")) {
    if (part === "..") depth = Math.max(0, depth - 1);
    else if (part !== "" && part !== ".") depth++;
  }
  return path.startsWith("/") && depth === 0;
}

interface SourceContext {
  readonly spec: PersistentVolumeSpec;
  /** Undefined for an inline volume. */
  readonly name: string | undefined;
  readonly path: FieldPath;
  readonly errors: FieldErrors;
}
type SourceName = Exclude<
  keyof PersistentVolumeSpec,
  | "accessModes"
  | "capacity"
  | "claimRef"
  | "mountOptions"
  | "nodeAffinity"
  | "persistentVolumeReclaimPolicy"
  | "storageClassName"
  | "volumeAttributesClassName"
  | "volumeMode"
>;
type SourceRule<N extends SourceName> = (
  source: NonNullable<PersistentVolumeSpec[N]>,
  path: FieldPath,
  errors: FieldErrors,
  context: SourceContext,
) => void;

/** In the order in which the server checks them. */
const sourceRules: { readonly [N in SourceName]: SourceRule<N> } = {
  hostPath: validateHostPath,
  gcePersistentDisk: (source, _path, errors, { path }) =>
    validateGcePersistentDisk(source, path.child("persistentDisk"), errors),
  awsElasticBlockStore: validateAwsElasticBlockStore,
  glusterfs: (source, path, errors) => {
    requireFields(source, path, errors, ["endpoints", "path"]);
    const namespace = source.endpointsNamespace;
    if (namespace === "") {
      const detail = "if the endpointnamespace is set, it must be a valid namespace name";
      errors.invalid(path.child("endpointsNamespace"), "", detail);
    } else if (namespace !== undefined)
      errors.invalidEach(path.child("endpointsNamespace"), namespace, checkLabel(namespace));
  },
  flocker: validateFlocker,
  nfs: validateNfs,
  rbd: (source, path, errors) => requireFields(source, path, errors, ["monitors", "image"]),
  quobyte: validateQuobyte,
  cephfs: (source, path, errors) => requireFields(source, path, errors, ["monitors"]),
  iscsi: (source, path, errors, { name }) => {
    requireFields(source, path, errors, ["targetPortal"]);
    if (
      source.initiatorName !== undefined &&
      byteLength(`${name ?? ""}:${source.targetPortal}`) > iscsiNameBytesMax
    ) {
      const detail = `Total length of <volume name>:<iscsi.targetPortal> must be under ${iscsiNameBytesMax} characters if iscsi.initiatorName is specified.`;
      errors.invalid(path.child("targetportal"), source.targetPortal, detail);
    }
    validateIscsiTarget(source, path, errors, "must be valid format");
    if (source.secretRef !== undefined)
      requireFields(source.secretRef, path.child("secretRef"), errors, ["name"]);
    validateIscsiInitiator(source, path, errors, "must be valid format");
  },
  cinder: (source, path, errors) => {
    requireFields(source, path, errors, ["volumeID"]);
    if (source.secretRef !== undefined)
      requireFields(source.secretRef, path.child("secretRef"), errors, ["name", "namespace"]);
  },
  fc: validateFibreChannel,
  flexVolume: validateFlexVolume,
  azureFile: (source, path, errors) => {
    requireFields(source, path, errors, ["secretName", "shareName"]);
    if (source.secretNamespace === "") errors.required(path.child("secretNamespace"));
  },
  vsphereVolume: (source, path, errors) => requireFields(source, path, errors, ["volumePath"]),
  photonPersistentDisk: (source, path, errors) => requireFields(source, path, errors, ["pdID"]),
  portworxVolume: (source, path, errors) => requireFields(source, path, errors, ["volumeID"]),
  azureDisk: validateAzureDisk,
  scaleIO: (source, path, errors) =>
    requireFields(source, path, errors, ["gateway", "system", "volumeName"]),
  local: (source, path, errors, context) => {
    if (source.path === "") errors.required(path.child("path"));
    else validateNoBacksteps(source.path, path.child("path"), errors);
    // The affinity of an inline volume is refused elsewhere and does not count here.
    if (context.name === undefined || context.spec.nodeAffinity === undefined) {
      errors.required(context.path.child("nodeAffinity"), "Local volume requires node affinity");
    }
  },
  storageos: (source, path, errors) => {
    validateStorageOs(source, path, errors);
    if (source.secretRef !== undefined && (source.secretRef.namespace ?? "") === "") {
      errors.required(path.child("secretRef").child("namespace"));
    }
  },
  csi: (source, path, errors) => {
    validateCsiDriverName(source.driver, path.child("driver"), errors);
    requireFields(source, path, errors, ["volumeHandle"]);
    validateSecretReference(
      source.controllerPublishSecretRef,
      path.child("controllerPublishSecretRef"),
      errors,
    );
    validateSecretReference(
      source.controllerExpandSecretRef,
      path.child("controllerExpandSecretRef"),
      errors,
    );
    validateSecretReference(
      source.nodePublishSecretRef,
      path.child("nodePublishSecretRef"),
      errors,
    );
    validateSecretReference(source.nodeExpandSecretRef, path.child("nodeExpandSecretRef"), errors);
  },
};

const sourceNames: ReadonlySet<SourceName> = new Set(Object.keys(sourceRules) as SourceName[]);

/** Only the first source is validated; others are refused. A flexVolume is never refused, and always validated. */
function validateSources(
  spec: PersistentVolumeSpec,
  name: string | undefined,
  path: FieldPath,
  errors: FieldErrors,
): void {
  const context: SourceContext = { spec, name, path, errors };
  let count = 0;
  for (const field of presentFields(spec, sourceNames)) {
    const source = spec[field];
    if (count > 0 && field !== "flexVolume")
      errors.forbidden(path.child(field === "cephfs" ? "cephFS" : field), oneVolumeType);
    else
      (sourceRules[field] as SourceRule<SourceName>)(
        source as never,
        path.child(field),
        errors,
        context,
      );
    count++;
  }
  if (count === 0) errors.required(path, "must specify a volume type");
}

function validateSecretReference(
  reference: SecretReference | undefined,
  path: FieldPath,
  errors: FieldErrors,
): void {
  if (reference === undefined) return;
  const { name = "", namespace = "" } = reference;
  if (name === "") errors.required(path.child("name"));
  else errors.invalidEach(path.child("name"), name, checkSubdomain(name));
  if (namespace === "") errors.required(path.child("namespace"));
  else errors.invalidEach(path.child("namespace"), namespace, checkLabel(namespace));
}

const mountOptionSources: readonly SourceName[] = [
  "gcePersistentDisk",
  "awsElasticBlockStore",
  "glusterfs",
  "nfs",
  "rbd",
  "quobyte",
  "iscsi",
  "cinder",
  "cephfs",
  "azureFile",
  "vsphereVolume",
  "azureDisk",
  "photonPersistentDisk",
];

function validateMountOptionsAnnotation(volume: PersistentVolume, errors: FieldErrors): void {
  if (volume.metadata.annotations?.[mountOptionsAnnotation] === undefined) return;
  if (mountOptionSources.some((source) => volume.spec[source] !== undefined)) return;
  errors.forbidden(
    metadataPath.child("annotations").child(mountOptionsAnnotation),
    "may not specify mount options for this volume type",
  );
}

/** A volume keeps its source, its mode and its node affinity. */
export function validatePersistentVolumeUpdate(
  next: PersistentVolume,
  old: PersistentVolume,
  errors: FieldErrors,
): void {
  // The server does this twice.
  validatePersistentVolume(next, errors);
  validateObjectMeta(next.metadata, checkSubdomain, errors);
  validateVolumeSpec(next.spec, next.metadata.name, specPath, errors);
  validateSourceUnchanged(next.spec, old.spec, errors);
  if (next.spec.volumeMode !== old.spec.volumeMode) {
    errors.invalid(
      new FieldPath("volumeMode"),
      asJson(next.spec.volumeMode ?? null),
      "field is immutable",
    );
  }
  validateAffinityUnchanged(next.spec.nodeAffinity, old.spec.nodeAffinity, errors);
  validateOldAttributesClass(next.spec, old.spec, errors);
  if (
    old.spec.volumeAttributesClassName !== undefined &&
    next.spec.volumeAttributesClassName === undefined
  )
    errors.forbidden(attributesClassPath, "update from non-nil value to nil is forbidden");
}

function validateSourceUnchanged(
  next: PersistentVolumeSpec,
  old: PersistentVolumeSpec,
  errors: FieldErrors,
): void {
  const before = sourceOf(old);
  const after = sourceOf(next);
  // The secret for expansion may be added later.
  if (
    before.csi !== undefined &&
    after.csi?.controllerExpandSecretRef !== undefined &&
    before.csi.controllerExpandSecretRef === undefined
  ) {
    const { controllerExpandSecretRef: _, ...csi } = after.csi;
    after.csi = csi;
  }
  if (semanticEqual(before, after)) return;
  const text = (source: unknown): string => goJson(goStruct("PersistentVolumeSource", source), 1);
  errors.forbidden(
    specPath.child("persistentvolumesource"),
    `spec.persistentvolumesource is immutable after creation\n${unifiedDiff(text(before), text(after))}`,
  );
}

type Sources = { -readonly [N in SourceName]?: PersistentVolumeSpec[N] };

function sourceOf(spec: PersistentVolumeSpec): Sources {
  const sources: Record<string, unknown> = {};
  for (const field of presentFields(spec, sourceNames)) sources[field] = spec[field];
  return sources;
}

function validateAffinityUnchanged(
  next: VolumeNodeAffinity | undefined,
  old: VolumeNodeAffinity | undefined,
  errors: FieldErrors,
): void {
  if (
    old === undefined ||
    semanticEqual(next, old) ||
    semanticEqual(withNewLabels(old, next), next)
  )
    return;
  const shown = next === undefined ? null : goStruct("VolumeNodeAffinity", next);
  errors.invalid(
    new FieldPath("nodeAffinity"),
    asJson(shown),
    "field is immutable, except for updating from beta label to GA",
  );
}

/** The old affinity, with those beta keys renamed that the new one renames. */
function withNewLabels(
  old: VolumeNodeAffinity,
  next: VolumeNodeAffinity | undefined,
): VolumeNodeAffinity {
  const terms = old.required?.nodeSelectorTerms?.map((term, index) => {
    const wanted = next?.required?.nodeSelectorTerms?.[index];
    const matchExpressions = withNewKeys(term.matchExpressions, wanted?.matchExpressions);
    const matchFields = withNewKeys(term.matchFields, wanted?.matchFields);
    return {
      ...(matchExpressions !== undefined && { matchExpressions }),
      ...(matchFields !== undefined && { matchFields }),
    };
  });
  return terms === undefined ? old : { required: { nodeSelectorTerms: terms } };
}

type Requirements = readonly NodeSelectorRequirement[] | undefined;

/** A key that has no new name counts as renamed to "", as on the server. */
function withNewKeys(old: Requirements, next: Requirements): Requirements {
  return old?.map((requirement, index) => {
    const key = next?.[index]?.key;
    return key !== undefined && (renamedLabels[requirement.key] ?? "") === key
      ? { ...requirement, key }
      : requirement;
  });
}
