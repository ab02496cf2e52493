/**
 * The source of a CSI volume, be it in a PersistentVolume, in a pod or behind a migrated in-tree source, and what the driver's
 * CSIDriver object says about it. Upstream: pkg/volume/csi/csi_plugin.go, csi_util.go v1.36.
 */
import type { CSIDriver, CSIPersistentVolumeSource, Pod } from "../../api/types.ts";
import { nodeCapabilities } from "../../csi/driver-capabilities.ts";
import { strippedSecrets, type VolumeCapability } from "../../csi/messages.ts";
import { type ReadSecret, readSecret, type SecretField } from "../../csi/read-secret.ts";
import { csiAccessMode } from "../../csi/volume-capability.ts";
import { getLive, type Task } from "../../runtime/effects.ts";
import { isAttachRequired } from "../../volume/attachable-volume.ts";
import { attachmentName, inlineVolumeHandle } from "../../volume/volume-names.ts";
import { isBlockVolume, type MountRequest, type VolumeHost, type VolumeSpec } from "./plugin.ts";
import { accountTokenError } from "./service-account-token.ts";

export function csiSource(spec: VolumeSpec): CSIPersistentVolumeSource | undefined {
  return spec.persistentVolume?.spec.csi;
}

export function csiDriverName(spec: VolumeSpec): string {
  return csiSource(spec)?.driver ?? spec.volume?.csi?.driver ?? "";
}

export function csiVolumeHandle(spec: VolumeSpec, podUid: string): string {
  return csiSource(spec)?.volumeHandle ?? inlineVolumeHandle(podUid, spec.name);
}

export function csiDriverObject(host: VolumeHost, driver: string): CSIDriver | undefined {
  return host.context.informer("CSIDriver").get(driver);
}

/** A driver without a CSIDriver object counts as requiring attachment. */
export function needsAttach(host: VolumeHost, driver: string): boolean {
  return isAttachRequired(csiDriverObject(host, driver));
}

/** From NodeGetCapabilities, whose answer is known without a call. */
export function hasNodeCapability(host: VolumeHost, driver: string, capability: string): boolean {
  const profile = host.context.drivers.profile(driver);
  return profile !== undefined && nodeCapabilities(profile).has(capability);
}

/** The kubelet uses the first access mode only, unlike the attacher. */
export function volumeCapability(host: VolumeHost, spec: VolumeSpec): VolumeCapability {
  const volume = spec.persistentVolume;
  const fsType = csiSource(spec)?.fsType ?? spec.volume?.csi?.fsType ?? "";
  const flags = volume?.spec.mountOptions ?? [];
  const mount = {
    ...(fsType !== "" && { fs_type: fsType }),
    ...(flags.length > 0 && { mount_flags: flags }),
  };
  const several = hasNodeCapability(host, csiDriverName(spec), "SINGLE_NODE_MULTI_WRITER");
  const mode = csiAccessMode(volume?.spec.accessModes?.[0] ?? "ReadWriteOnce", several);
  return isBlockVolume(spec)
    ? { block: {}, access_mode: { mode } }
    : { mount, access_mode: { mode } };
}

export type PublishContext =
  | { readonly ok: true; readonly context: Readonly<Record<string, string>> | undefined }
  | { readonly ok: false; readonly error: string };

/** What ControllerPublishVolume answered, from the VolumeAttachment. Upstream: getPublishContext. */
export function* publishContext(host: VolumeHost, spec: VolumeSpec): Task<PublishContext> {
  const source = csiSource(spec);
  if (source === undefined || !needsAttach(host, source.driver))
    return { ok: true, context: undefined };
  const name = attachmentName(source.volumeHandle, source.driver, host.nodeName);
  const attachment = yield* getLive("VolumeAttachment", undefined, name);
  if (!attachment.ok) return { ok: false, error: attachment.error.message };
  const context = attachment.object.status?.attachmentMetadata ?? {};
  return { ok: true, context: Object.keys(context).length > 0 ? context : undefined };
}

/** Reads a secret that a volume names. The error reads `step NS/NAME: why`. Upstream: getCredentialsFromSecret. */
export function readSecrets(
  step: string,
  secret: { readonly namespace?: string; readonly name?: string } | undefined,
  afterName = "",
): Task<ReadSecret> {
  return readSecret(
    secret,
    (namespace, name, why) =>
      `${step} ${namespace}/${name}${afterName}: kubernetes.io/csi: failed to find the secret ${name} in the namespace ${namespace} with error: ${why}`,
  );
}

/** What podInfoOnMount adds to the volume context. Upstream: getPodInfoAttrs. */
export function podInfo({ pod, spec }: MountRequest): Readonly<Record<string, string>> {
  return {
    "csi.storage.k8s.io/pod.name": pod.metadata.name,
    "csi.storage.k8s.io/pod.namespace": pod.metadata.namespace ?? "",
    "csi.storage.k8s.io/pod.uid": pod.metadata.uid,
    "csi.storage.k8s.io/serviceAccount.name": pod.spec.serviceAccountName ?? "",
    "csi.storage.k8s.io/ephemeral": String(csiSource(spec) === undefined),
  };
}

const tokensKey = "csi.storage.k8s.io/serviceAccount.tokens";

/**
 * The tokens of the pod's service account, for drivers that want them in the volume context. Their content does not matter
 * here.
 */
export function tokenContext(driver: CSIDriver | undefined): Readonly<Record<string, string>> {
  const { tokenRequests = [], serviceAccountTokenInSecrets = false } = driver?.spec ?? {};
  if (tokenRequests.length === 0 || serviceAccountTokenInSecrets) return {};
  return { [tokensKey]: "(removed)" };
}

/** Adds the tokens to the secrets, for drivers that want them there. */
export function withTokens(driver: CSIDriver | undefined, given: SecretField): SecretField {
  const { tokenRequests = [], serviceAccountTokenInSecrets = false } = driver?.spec ?? {};
  if (tokenRequests.length === 0 || !serviceAccountTokenInSecrets) return given;
  // Not verified against a driver: tokens without other secrets.
  const { secrets = strippedSecrets } = given;
  return { secrets: secrets === strippedSecrets ? secrets : [...secrets, tokensKey] };
}

/** Returns why a requested token cannot be had; undefined if it can, or none is requested. */
export function* tokenError(
  host: VolumeHost,
  driver: CSIDriver | undefined,
  pod: Pod,
): Task<string | undefined> {
  for (const request of driver?.spec.tokenRequests ?? []) {
    const error = yield* accountTokenError(host, pod, request);
    if (error !== undefined) return error;
  }
  return undefined;
}

/** The path of the disk. Drivers use various keys for it; without `devicePath` it is named after the volume. */
export function devicePathOf(
  context: Readonly<Record<string, string>> | undefined,
  handle: string,
): string {
  return context?.["devicePath"] ?? `/dev/disk/by-id/${handle}`;
}

/** Uses the flag of the pod's volume, never the PersistentVolume's own. */
export function isReadOnly(spec: VolumeSpec): boolean {
  return csiSource(spec) === undefined ? spec.volume?.csi?.readOnly === true : spec.readOnly;
}
