/**
 * Parameters of a VolumeSnapshotClass that are meant for the sidecars. Upstream: external-snapshotter v8.6 pkg/utils/util.go
 * GetSecretReference, RemovePrefixedParameters.
 */
import { compareText } from "../api/go/text-order.ts";
import type { ObjectMeta } from "../api/types.ts";
import {
  type Parameters,
  type SecretKeys,
  secretTemplate,
  sidecarPrefix,
  snapshotSecretKeys,
  snapshotSidecarKeys,
} from "../csi/catalogue/sidecar-parameters.ts";
import { resolveSecretName, type SecretName, type Tokens } from "./secret-template.ts";
import type { Found } from "./snapshots.ts";

/**
 * Returns the secret that the driver needs for the snapshot, with its templates resolved; undefined if the class names none.
 */
export function snapshotterSecret(
  parameters: Parameters,
  contentName: string,
  snapshot: ObjectMeta,
): Found<SecretName | undefined> {
  const shared: Tokens = {
    "volumesnapshotcontent.name": contentName,
    "volumesnapshot.namespace": snapshot.namespace ?? "",
  };
  const own = { ...shared, "volumesnapshot.name": snapshot.name ?? "" };
  return secretOf(snapshotSecretKeys.snapshotter, parameters, own, shared);
}

/** Returns the secret that the driver needs to list snapshots; undefined if the class names none. */
export function snapshotterListSecret(
  parameters: Parameters,
  contentName: string,
): Found<SecretName | undefined> {
  const tokens: Tokens = { "volumesnapshotcontent.name": contentName };
  return secretOf(snapshotSecretKeys.snapshotterList, parameters, tokens, tokens);
}

function secretOf(
  keys: SecretKeys,
  parameters: Parameters,
  nameTokens: Tokens,
  namespaceTokens: Tokens,
): Found<SecretName | undefined> {
  const template = secretTemplate(keys, parameters);
  if (!template.ok) {
    return {
      ok: false,
      error: `failed to get name and namespace template from params: ${template.error}`,
    };
  }
  if (template.value === undefined) return { ok: true, object: undefined };
  return resolveSecretName(template.value, nameTokens, namespaceTokens);
}

/** Returns the parameters that are passed to the driver. */
export function driverSnapshotParameters(
  parameters: Readonly<Record<string, string>>,
): Found<Readonly<Record<string, string>>> {
  const object: Record<string, string> = {};
  for (const key of Object.keys(parameters).sort(compareText)) {
    if (!key.startsWith(sidecarPrefix)) object[key] = parameters[key] ?? "";
    else if (!snapshotSidecarKeys.has(key)) {
      const error = `found unknown parameter key "${key}" with reserved namespace ${sidecarPrefix}`;
      return { ok: false, error };
    }
  }
  return { ok: true, object };
}
