/**
 * Volume sources that pods and PersistentVolumes have in common, each with what must be there.
 * Upstream: pkg/apis/core/validation validateXVolumeSource, v1.36.
 */
import { asJson, type FieldErrors, sameErrorCountMax } from "../field-error.ts";
import type { FieldPath } from "../field-path.ts";
import { byteLength } from "../go/text.ts";
import { checkLabel } from "../names/names.ts";
import type {
  AWSElasticBlockStoreVolumeSource,
  AzureDiskVolumeSource,
  FCVolumeSource,
  FlexPersistentVolumeSource,
  FlexVolumeSource,
  FlockerVolumeSource,
  GCEPersistentDiskVolumeSource,
  HostPathVolumeSource,
  NFSVolumeSource,
  QuobyteVolumeSource,
} from "../types.ts";

export const oneVolumeType = "may not specify more than 1 volume type";
const tenantBytesLimit = 65;

const hostPathTypes: readonly string[] = [
  "",
  "BlockDevice",
  "CharDevice",
  "Directory",
  "DirectoryOrCreate",
  "File",
  "FileOrCreate",
  "Socket",
];

/** Each of these fields must be present and not empty. */
export function requireFields<T extends object>(
  source: T,
  path: FieldPath,
  errors: FieldErrors,
  fields: readonly (keyof T & string)[],
): void {
  for (const field of fields) {
    const value: unknown = source[field];
    if (value === undefined || value === "" || (Array.isArray(value) && value.length === 0))
      errors.required(path.child(field));
  }
}

/** Upstream: validatePathNoBacksteps. */
export function validateNoBacksteps(value: string, path: FieldPath, errors: FieldErrors): void {
  if (value.split("/").includes("..")) errors.invalid(path, value, "must not contain '..'");
}

/** Upstream: validateLocalDescendingPath. */
export function validateDescendingPath(value: string, path: FieldPath, errors: FieldErrors): void {
  if (value.startsWith("/")) errors.invalid(path, value, "must be a relative path");
  validateNoBacksteps(value, path, errors);
}

export function validateHostPath(
  source: HostPathVolumeSource,
  path: FieldPath,
  errors: FieldErrors,
): void {
  if (source.path === "") {
    errors.required(path.child("path"));
    return;
  }
  validateNoBacksteps(source.path, path.child("path"), errors);
  if (source.type !== undefined && !hostPathTypes.includes(source.type)) {
    errors.notSupported(path.child("type"), asJson(source.type), hostPathTypes);
  }
}

export function validateGcePersistentDisk(
  source: GCEPersistentDiskVolumeSource,
  path: FieldPath,
  errors: FieldErrors,
): void {
  requireFields(source, path, errors, ["pdName"]);
  validatePartition(source.partition, path, errors);
}

export function validateAwsElasticBlockStore(
  source: AWSElasticBlockStoreVolumeSource,
  path: FieldPath,
  errors: FieldErrors,
): void {
  requireFields(source, path, errors, ["volumeID"]);
  validatePartition(source.partition, path, errors);
}

/** 0 means the whole disk. */
function validatePartition(
  partition: number | undefined,
  path: FieldPath,
  errors: FieldErrors,
): void {
  if (partition !== undefined && (partition < 0 || partition > 255)) {
    errors.invalid(path.child("partition"), partition, "must be between 1 and 255, inclusive");
  }
}

export function validateFlocker(
  source: FlockerVolumeSource,
  path: FieldPath,
  errors: FieldErrors,
): void {
  const { datasetName = "", datasetUUID = "" } = source;
  if (datasetName === "" && datasetUUID === "") {
    errors.required(path, "one of datasetName and datasetUUID is required");
  } else if (datasetName !== "" && datasetUUID !== "") {
    errors.invalid(
      path,
      "resource",
      "datasetName and datasetUUID can not be specified simultaneously",
    );
  }
  if (datasetName.includes("/"))
    errors.invalid(path.child("datasetName"), datasetName, "must not contain '/'");
}

export function validateNfs(source: NFSVolumeSource, path: FieldPath, errors: FieldErrors): void {
  requireFields(source, path, errors, ["server", "path"]);
  if (!source.path.startsWith("/"))
    errors.invalid(path.child("path"), source.path, "must be an absolute path");
}

export function validateQuobyte(
  source: QuobyteVolumeSource,
  path: FieldPath,
  errors: FieldErrors,
): void {
  const address = "must be a host:port pair or multiple pairs separated by commas";
  if (source.registry === "") errors.required(path.child("registry"), address);
  else if (byteLength(source.tenant ?? "") >= tenantBytesLimit) {
    errors.required(
      path.child("tenant"),
      "must be a UUID and may not exceed a length of 64 characters",
    );
  } else {
    // The server repeats this error for each bad part, each time with all parts.
    const wrong = source.registry.split(",").filter((part) => !isHostPort(part));
    for (const _ of wrong.slice(0, sameErrorCountMax))
      errors.invalid(path.child("registry"), source.registry, address);
  }
  requireFields(source, path, errors, ["volume"]);
}

/** Upstream: net.SplitHostPort. */
function isHostPort(text: string): boolean {
  return /^(\[[^[\]]*\]|[^:[\]]*):[^:[\]]*$/.test(text);
}

export function validateFibreChannel(
  source: FCVolumeSource,
  path: FieldPath,
  errors: FieldErrors,
): void {
  const { targetWWNs = [], wwids = [], lun } = source;
  if (targetWWNs.length === 0 && wwids.length === 0) {
    errors.required(
      path.child("targetWWNs"),
      "must specify either targetWWNs or wwids, but not both",
    );
  }
  if (targetWWNs.length > 0 && wwids.length > 0) {
    errors.invalid(
      path.child("targetWWNs"),
      asJson(targetWWNs),
      "targetWWNs and wwids can not be specified simultaneously",
    );
  }
  if (targetWWNs.length === 0) return;
  if (lun === undefined)
    errors.required(path.child("lun"), "lun is required if targetWWNs is specified");
  else validateLun(lun, path, errors);
}

function validateLun(lun: number, path: FieldPath, errors: FieldErrors): void {
  if (lun < 0 || lun > 255)
    errors.invalid(path.child("lun"), lun, "must be between 0 and 255, inclusive");
}

export function validateFlexVolume(
  source: FlexVolumeSource | FlexPersistentVolumeSource,
  path: FieldPath,
  errors: FieldErrors,
): void {
  requireFields(source, path, errors, ["driver"]);
  for (const key in source.options) {
    const namespace = (key.split("/")[0] ?? "").toLowerCase();
    if (
      ["kubernetes.io", "k8s.io"].some(
        (reserved) => namespace === reserved || namespace.endsWith(`.${reserved}`),
      )
    ) {
      errors.invalid(
        path.child("options").key(key),
        key,
        "kubernetes.io and k8s.io namespaces are reserved",
      );
    }
  }
}

const cachingModes: readonly string[] = ["None", "ReadOnly", "ReadWrite"];
const diskKinds: readonly string[] = ["Dedicated", "Managed", "Shared"];
const managedDisk =
  "/subscriptions/{sub-id}/resourcegroups/{group-name}/providers/microsoft.compute/disks/{disk-id}";
const blobDisk = "https://{account-name}.blob.core.windows.net/{container-name}/{disk-name}.vhd";

export function validateAzureDisk(
  source: AzureDiskVolumeSource,
  path: FieldPath,
  errors: FieldErrors,
): void {
  requireFields(source, path, errors, ["diskName", "diskURI"]);
  const { cachingMode, kind, diskURI } = source;
  if (cachingMode !== undefined && !cachingModes.includes(cachingMode)) {
    errors.notSupported(path.child("cachingMode"), asJson(cachingMode), cachingModes);
  }
  if (kind !== undefined && !diskKinds.includes(kind))
    errors.notSupported(path.child("kind"), asJson(kind), diskKinds);
  if (kind === "Managed") {
    if (!diskURI.startsWith("/subscriptions/"))
      errors.notSupported(path.child("diskURI"), diskURI, [managedDisk]);
  } else if (kind !== undefined && !diskURI.startsWith("https://")) {
    errors.notSupported(path.child("diskURI"), diskURI, [blobDisk]);
  }
}

const namingAuthority = /iqn\.\d{4}-\d{2}\.[\dA-Za-z\-.]+/g;
const noTarget: ReadonlySet<string | undefined> = new Set(",;*&$|\t\n\f\r ");
const euiPattern = /^eui.[\dA-Za-z]{16}$/;
const naaPattern = /^naa.[\dA-Za-z]{32}$/;

interface Iscsi {
  readonly targetPortal: string;
  readonly iqn: string;
  readonly lun: number;
  readonly chapAuthDiscovery?: boolean;
  readonly chapAuthSession?: boolean;
  readonly secretRef?: { readonly name?: string };
  readonly initiatorName?: string;
}

/** True if the text has the form that its first three letters announce. */
function isInitiatorForm(text: string): boolean {
  if (text.startsWith("iqn")) return isQualifiedName(text);
  if (text.startsWith("eui")) return euiPattern.test(text);
  return !text.startsWith("naa") || naaPattern.test(text);
}

/** Upstream: iscsiInitiatorIqnRegex, `iqn\.\d{4}-\d{2}\.([[:alnum:]-.]+)(:[^,;*&$|\s]+)$`, without backtracking. */
function isQualifiedName(text: string): boolean {
  let target = text.length;
  while (target > 0 && !noTarget.has(text[target - 1])) target--;
  return [...text.matchAll(namingAuthority)].some(({ 0: authority, index }) => {
    const end = index + authority.length;
    return text[end] === ":" && end + 1 >= target && end + 1 < text.length;
  });
}

/** The fields after the portal. The message about a foreign prefix differs between volumes of pods and PersistentVolumes. */
export function validateIscsiTarget(
  source: Iscsi,
  path: FieldPath,
  errors: FieldErrors,
  foreignPrefix: string,
): void {
  const { iqn } = source;
  if (iqn === "") errors.required(path.child("iqn"));
  else validateInitiatorForm(iqn, path.child("iqn"), errors, foreignPrefix);
  validateLun(source.lun, path, errors);
  const authenticates = source.chapAuthDiscovery === true || source.chapAuthSession === true;
  if (authenticates && source.secretRef === undefined) errors.required(path.child("secretRef"));
}

export function validateIscsiInitiator(
  { initiatorName }: Iscsi,
  path: FieldPath,
  errors: FieldErrors,
  foreignPrefix: string,
): void {
  if (initiatorName === undefined) return;
  validateInitiatorForm(initiatorName, path.child("initiatorname"), errors, foreignPrefix);
}

function validateInitiatorForm(
  name: string,
  path: FieldPath,
  errors: FieldErrors,
  foreignPrefix: string,
): void {
  if (!/^(iqn|eui|naa)/.test(name)) errors.invalid(path, name, foreignPrefix);
  else if (!isInitiatorForm(name)) errors.invalid(path, name, "must be valid format");
}

export const iscsiNameBytesMax = 64;

interface StorageOs {
  readonly volumeName?: string;
  readonly volumeNamespace?: string;
  readonly secretRef?: { readonly name?: string; readonly namespace?: string };
}

export function validateStorageOs(source: StorageOs, path: FieldPath, errors: FieldErrors): void {
  const { volumeName = "", volumeNamespace = "", secretRef } = source;
  if (volumeName === "") errors.required(path.child("volumeName"));
  else errors.invalidEach(path.child("volumeName"), volumeName, checkLabel(volumeName));
  if (volumeNamespace !== "")
    errors.invalidEach(path.child("volumeNamespace"), volumeNamespace, checkLabel(volumeNamespace));
  if (secretRef !== undefined && (secretRef.name ?? "") === "")
    errors.required(path.child("secretRef").child("name"));
}
