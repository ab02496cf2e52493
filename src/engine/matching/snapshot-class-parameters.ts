/**
 * Parameters of a VolumeSnapshotClass that are meant for the sidecars. Upstream: external-snapshotter v8.6 pkg/utils/util.go
 * GetSecretReference, RemovePrefixedParameters.
 */
import { compareText } from "../api/text-order.ts";
import type { ObjectMeta } from "../api/types.ts";
import { resolveSecretName, type SecretName, type Tokens } from "./secret-template.ts";
import type { Found } from "./snapshots.ts";

const prefix = "csi.storage.k8s.io/";
const secretNameKey = `${prefix}snapshotter-secret-name`;
const secretNamespaceKey = `${prefix}snapshotter-secret-namespace`;
const known: ReadonlySet<string> = new Set([
  secretNameKey,
  secretNamespaceKey,
  `${prefix}snapshotter-list-secret-name`,
  `${prefix}snapshotter-list-secret-namespace`,
]);

/** The secret that the driver needs for the snapshot, its templates filled in; undefined where the class names none. */
export function snapshotterSecret(
  parameters: Readonly<Record<string, string>>,
  contentName: string,
  snapshot: ObjectMeta,
): Found<SecretName | undefined> {
  const [name, namespace] = [parameters[secretNameKey], parameters[secretNamespaceKey]];
  if (name === undefined && namespace === undefined) return { ok: true, object: undefined };
  if (name === undefined || namespace === undefined) {
    const error =
      "failed to get name and namespace template from params: either name and namespace for Snapshotter secrets specified, Both must be specified";
    return { ok: false, error };
  }
  const shared: Tokens = {
    "volumesnapshotcontent.name": contentName,
    "volumesnapshot.namespace": snapshot.namespace ?? "",
  };
  const own = { ...shared, "volumesnapshot.name": snapshot.name ?? "" };
  return resolveSecretName({ name, namespace }, own, shared);
}

/** What is left for the driver. */
export function driverSnapshotParameters(
  parameters: Readonly<Record<string, string>>,
): Found<Readonly<Record<string, string>>> {
  const object: Record<string, string> = {};
  for (const key of Object.keys(parameters).sort(compareText)) {
    if (!key.startsWith(prefix)) object[key] = parameters[key] ?? "";
    else if (!known.has(key)) {
      const error = `found unknown parameter key "${key}" with reserved namespace ${prefix}`;
      return { ok: false, error };
    }
  }
  return { ok: true, object };
}
