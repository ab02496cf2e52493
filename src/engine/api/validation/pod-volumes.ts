/**
 * The volumes of a pod or pod template. Upstream: pkg/apis/core/validation ValidateVolumes, validateVolumeSource, v1.36.
 */
import { objectMetaFields } from "../decoding/go-types.ts";
import { asJson, type FieldErrors } from "../field-error.ts";
import type { FieldPath } from "../field-path.ts";
import { byteLength, goQuote } from "../go/text.ts";
import { checkLabel, checkSubdomain } from "../names/names.ts";
import { quantityOrZero } from "../quantity.ts";
import { TextSet } from "../text-set.ts";
import type {
  CSIVolumeSource,
  DownwardAPIVolumeFile,
  DownwardAPIVolumeSource,
  EphemeralVolumeSource,
  ImageVolumeSource,
  KeyToPath,
  ObjectMeta,
  ProjectedVolumeSource,
  ServiceAccountTokenProjection,
  Volume,
  VolumeProjection,
} from "../types.ts";
import { validateCsiDriverName } from "./csi.ts";
import {
  validateFieldSelector,
  validateResourceFieldSelector,
  volumeFields,
} from "./field-selectors.ts";
import { validateAnnotations, validateLabels } from "./object-meta.ts";
import { validateClaimSpec } from "./persistent-volume-claim.ts";
import { presentFields } from "./present-fields.ts";
import {
  iscsiNameBytesMax,
  oneVolumeType,
  requireFields,
  validateAwsElasticBlockStore,
  validateAzureDisk,
  validateDescendingPath,
  validateFibreChannel,
  validateFlexVolume,
  validateFlocker,
  validateGcePersistentDisk,
  validateHostPath,
  validateIscsiInitiator,
  validateIscsiTarget,
  validateNfs,
  validateQuobyte,
  validateStorageOs,
} from "./volume-sources.ts";

const fileModeMax = 0o777;
const tokenSecondsMin = 600;
const tokenSecondsMax = 2 ** 32;
const foreignIscsiPrefix = "must be valid format starting with iqn, eui, or naa";
const pullPolicies: readonly string[] = ["Always", "IfNotPresent", "Never"];

/** The valid volumes by name: only those can be mounted. */
export type UsableVolumes = ReadonlyMap<string, Volume>;

interface SourceContext {
  readonly volume: Volume;
  /** Undefined in templates, because the names of their pods are not known. */
  readonly podName: string | undefined;
  readonly path: FieldPath;
}

export function validateVolumes(
  volumes: readonly Volume[],
  podName: string | undefined,
  path: FieldPath,
  errors: FieldErrors,
): UsableVolumes {
  const usable = new Map<string, Volume>();
  const created = new TextSet();
  if (podName !== undefined) {
    for (const volume of volumes)
      if (volume.ephemeral !== undefined) created.add(`${podName}-${volume.name}`);
  }
  volumes.forEach((volume, index) => {
    const at = path.index(index);
    const countBefore = errors.causes.length;
    validateSource({ volume, podName, path: at }, errors);
    if (volume.name === "") errors.required(at.child("name"));
    else errors.invalidEach(at.child("name"), volume.name, checkLabel(volume.name));
    if (usable.has(volume.name)) errors.duplicate(at.child("name"), volume.name);
    if (errors.causes.length === countBefore) usable.set(volume.name, volume);
    const claimName = volume.persistentVolumeClaim?.claimName;
    if (claimName !== undefined && created.has(claimName)) {
      const detail = "must not reference a PVC that gets created for an ephemeral volume";
      errors.invalid(at.child("persistentVolumeClaim").child("claimName"), claimName, detail);
    }
  });
  return usable;
}

type SourceName = Exclude<keyof Volume, "name">;
type SourceRule<N extends SourceName> = (
  source: NonNullable<Volume[N]>,
  path: FieldPath,
  errors: FieldErrors,
  context: SourceContext,
) => void;

/** In the order in which the server checks them. */
const sourceRules: { readonly [N in SourceName]: SourceRule<N> } = {
  emptyDir: (source, path, errors) => {
    if (source.sizeLimit !== undefined && quantityOrZero(source.sizeLimit).nanos < 0n) {
      errors.forbidden(
        path.child("sizeLimit"),
        "SizeLimit field must be a valid resource quantity",
      );
    }
  },
  hostPath: validateHostPath,
  gitRepo: (source, path, errors) => {
    requireFields(source, path, errors, ["repository"]);
    validateDescendingPath(source.directory ?? "", path.child("directory"), errors);
  },
  gcePersistentDisk: (source, _path, errors, { path }) =>
    validateGcePersistentDisk(source, path.child("persistentDisk"), errors),
  awsElasticBlockStore: validateAwsElasticBlockStore,
  secret: (source, path, errors) => {
    requireFields(source, path, errors, ["secretName"]);
    validateFiles(source, path, errors);
  },
  nfs: validateNfs,
  iscsi: (source, path, errors) => {
    requireFields(source, path, errors, ["targetPortal"]);
    validateIscsiTarget(source, path, errors, foreignIscsiPrefix);
    validateIscsiInitiator(source, path, errors, foreignIscsiPrefix);
  },
  glusterfs: (source, path, errors) => requireFields(source, path, errors, ["endpoints", "path"]),
  flocker: validateFlocker,
  persistentVolumeClaim: (source, path, errors) =>
    requireFields(source, path, errors, ["claimName"]),
  rbd: (source, path, errors) => requireFields(source, path, errors, ["monitors", "image"]),
  cinder: (source, path, errors) => {
    requireFields(source, path, errors, ["volumeID"]);
    if (source.secretRef !== undefined)
      requireFields(source.secretRef, path.child("secretRef"), errors, ["name"]);
  },
  cephfs: (source, path, errors) => requireFields(source, path, errors, ["monitors"]),
  quobyte: validateQuobyte,
  downwardAPI: validateDownwardApi,
  fc: validateFibreChannel,
  flexVolume: validateFlexVolume,
  configMap: (source, path, errors) => {
    requireFields(source, path, errors, ["name"]);
    validateFiles(source, path, errors);
  },
  azureFile: (source, path, errors) =>
    requireFields(source, path, errors, ["secretName", "shareName"]),
  vsphereVolume: (source, path, errors) => requireFields(source, path, errors, ["volumePath"]),
  photonPersistentDisk: (source, path, errors) => requireFields(source, path, errors, ["pdID"]),
  portworxVolume: (source, path, errors) => requireFields(source, path, errors, ["volumeID"]),
  azureDisk: validateAzureDisk,
  storageos: validateStorageOs,
  projected: validateProjected,
  scaleIO: (source, path, errors) =>
    requireFields(source, path, errors, ["gateway", "system", "volumeName"]),
  csi: validateInlineCsi,
  ephemeral: validateEphemeral,
  image: validateImage,
};

const sourceNames: ReadonlySet<SourceName> = new Set(Object.keys(sourceRules) as SourceName[]);
/** Two names are misspelled in the error that refuses a second source. */
const misspelled: Partial<Record<SourceName, string>> = {
  cephfs: "cephFS",
  downwardAPI: "downwarAPI",
};

function validateSource(context: SourceContext, errors: FieldErrors): void {
  let found = false;
  for (const field of presentFields(context.volume, sourceNames)) {
    const source = context.volume[field];
    if (found) errors.forbidden(context.path.child(misspelled[field] ?? field), oneVolumeType);
    else
      (sourceRules[field] as SourceRule<SourceName>)(
        source as never,
        context.path.child(field),
        errors,
        context,
      );
    if (field === "iscsi") validateInitiatorLength(context, errors);
    found = true;
  }
}

/** Also checked if the iSCSI source is refused as a second one. */
function validateInitiatorLength({ volume, path }: SourceContext, errors: FieldErrors): void {
  const { initiatorName, targetPortal = "" } = volume.iscsi ?? {};
  if (initiatorName === undefined) return;
  if (byteLength(`${volume.name}:${targetPortal}`) <= iscsiNameBytesMax) return;
  const detail = `Total length of <volume name>:<iscsi.targetPortal> must be under ${iscsiNameBytesMax} characters if iscsi.initiatorName is specified.`;
  errors.invalid(path.child("name"), volume.name, detail);
}

interface Files {
  readonly defaultMode?: number;
  readonly items?: readonly KeyToPath[];
}

function validateFiles(
  { defaultMode, items = [] }: Files,
  path: FieldPath,
  errors: FieldErrors,
): void {
  validateMode(defaultMode, path.child("defaultMode"), errors);
  items.forEach((item, index) => {
    validateKeyToPath(item, path.child("items").index(index), errors);
  });
}

function validateMode(mode: number | undefined, path: FieldPath, errors: FieldErrors): void {
  if (mode !== undefined && (mode < 0 || mode > fileModeMax)) {
    errors.invalid(path, mode, "must be a number between 0 and 0777 (octal), both inclusive");
  }
}

function validateKeyToPath(item: KeyToPath, path: FieldPath, errors: FieldErrors): void {
  requireFields(item, path, errors, ["key", "path"]);
  validateFilePath(item.path, path.child("path"), errors);
  validateMode(item.mode, path.child("mode"), errors);
}

/** Upstream: validateLocalNonReservedPath. */
export function validateFilePath(value: string, path: FieldPath, errors: FieldErrors): void {
  validateDescendingPath(value, path, errors);
  if (value.startsWith("..") && !value.startsWith("../"))
    errors.invalid(path, value, "must not start with '..'");
}

function validateDownwardApi(
  source: DownwardAPIVolumeSource,
  path: FieldPath,
  errors: FieldErrors,
): void {
  validateMode(source.defaultMode, path.child("defaultMode"), errors);
  for (const item of source.items ?? []) validateDownwardFile(item, path, errors);
}

/** Reports all errors at the path of the volume, without an index of the file. */
function validateDownwardFile(
  file: DownwardAPIVolumeFile,
  path: FieldPath,
  errors: FieldErrors,
): void {
  requireFields(file, path, errors, ["path"]);
  validateFilePath(file.path, path.child("path"), errors);
  if (file.fieldRef !== undefined) {
    validateFieldSelector(file.fieldRef, volumeFields, path.child("fieldRef"), errors);
    if (file.resourceFieldRef !== undefined) {
      errors.invalid(
        path,
        "resource",
        "fieldRef and resourceFieldRef can not be specified simultaneously",
      );
    }
  } else if (file.resourceFieldRef !== undefined) {
    validateResourceFieldSelector(
      file.resourceFieldRef,
      true,
      path.child("resourceFieldRef"),
      errors,
    );
  } else {
    errors.required(path, "one of fieldRef and resourceFieldRef is required");
  }
  validateMode(file.mode, path.child("mode"), errors);
}

function validateProjected(
  source: ProjectedVolumeSource,
  path: FieldPath,
  errors: FieldErrors,
): void {
  validateMode(source.defaultMode, path.child("defaultMode"), errors);
  const taken = new TextSet();
  const take = (file: string, shown: string): void => {
    if (taken.has(file)) errors.invalid(path, shown, "conflicting duplicate paths");
    taken.add(file);
  };
  source.sources?.forEach((projection, index) => {
    const at = path.child("sources").index(index);
    validateProjection(projection, at, path, errors, take);
    const kinds = [
      projection.secret,
      projection.configMap,
      projection.downwardAPI,
      projection.serviceAccountToken,
    ];
    if (kinds.filter((kind) => kind !== undefined).length > 1)
      errors.forbidden(at, "may not specify more than 1 volume type per source");
  });
}

function validateProjection(
  { secret, configMap, downwardAPI, serviceAccountToken }: VolumeProjection,
  path: FieldPath,
  volumePath: FieldPath,
  errors: FieldErrors,
  take: (file: string, shown: string) => void,
): void {
  const files = { secret, configMap };
  for (const kind of ["secret", "configMap"] as const) {
    const reference = files[kind];
    if (reference === undefined) continue;
    const at = path.child(kind);
    requireFields(reference, at, errors, ["name"]);
    reference.items?.forEach((item, index) => {
      validateKeyToPath(item, at.child("items").index(index), errors);
      if (item.path !== "") take(item.path, reference.name ?? "");
    });
  }
  for (const file of downwardAPI?.items ?? []) {
    validateDownwardFile(file, path.child("downwardAPI"), errors);
    if (file.path !== "") take(file.path, file.path);
  }
  if (serviceAccountToken !== undefined)
    validateToken(serviceAccountToken, path.child("serviceAccountToken"), volumePath, errors);
}

function validateToken(
  token: ServiceAccountTokenProjection,
  path: FieldPath,
  volumePath: FieldPath,
  errors: FieldErrors,
): void {
  const seconds = token.expirationSeconds ?? tokenSecondsMin;
  if (seconds < tokenSecondsMin) {
    errors.invalid(
      path.child("expirationSeconds"),
      seconds,
      "may not specify a duration less than 10 minutes",
    );
  }
  if (seconds > tokenSecondsMax) {
    errors.invalid(
      path.child("expirationSeconds"),
      seconds,
      "may not specify a duration larger than 2^32 seconds",
    );
  }
  if (token.path === "") errors.required(volumePath.child("path"));
  else if (!errors.flaws.has("tokenPaths"))
    validateFilePath(token.path, volumePath.child("path"), errors);
}

/** An invalid name of the secret is reported at the volume source, not at the reference. */
function validateInlineCsi(source: CSIVolumeSource, path: FieldPath, errors: FieldErrors): void {
  validateCsiDriverName(source.driver, path.child("driver"), errors);
  if (source.nodePublishSecretRef === undefined) return;
  const name = source.nodePublishSecretRef.name ?? "";
  if (name === "") errors.required(path.child("nodePublishSecretRef").child("name"));
  else errors.invalidEach(path.child("name"), name, checkSubdomain(name));
}

function validateEphemeral(
  source: EphemeralVolumeSource,
  path: FieldPath,
  errors: FieldErrors,
  context: SourceContext,
): void {
  const template = source.volumeClaimTemplate;
  const at = path.child("volumeClaimTemplate");
  if (template === undefined) errors.required(at);
  else {
    validateTemplateMeta(template.metadata ?? {}, at.child("metadata"), errors);
    validateClaimSpec(template.spec, at.child("spec"), errors);
  }
  const { podName, volume } = context;
  if (podName === undefined || podName === "" || volume.name === "") return;
  const claimName = `${podName}-${volume.name}`;
  for (const complaint of checkSubdomain(claimName)) {
    errors.invalid(
      context.path.child("name"),
      volume.name,
      `PVC name ${goQuote(claimName)}: ${complaint}`,
    );
  }
}

const forbiddenMeta = objectMetaFields.filter(
  (field) => field !== "labels" && field !== "annotations",
);

/** The metadata of a template may have only labels and annotations. */
function validateTemplateMeta(metadata: ObjectMeta, path: FieldPath, errors: FieldErrors): void {
  validateAnnotations(metadata.annotations, path.child("annotations"), errors);
  validateLabels(metadata.labels, path.child("labels"), errors);
  for (const field of forbiddenMeta) {
    const value = metadata[field];
    if (value === undefined || value === "" || (field === "generation" && value === 0)) continue;
    // Only the first letter of Go's name is lowercased.
    errors.forbidden(path.child(field === "uid" ? "uID" : field), "cannot be set");
  }
}

function validateImage(
  source: ImageVolumeSource,
  path: FieldPath,
  errors: FieldErrors,
  { podName }: SourceContext,
): void {
  if (podName !== undefined) requireFields(source, path, errors, ["reference"]);
  const { pullPolicy = "" } = source;
  if (!pullPolicies.includes(pullPolicy))
    errors.notSupported(path.child("pullPolicy"), asJson(pullPolicy), pullPolicies);
}
