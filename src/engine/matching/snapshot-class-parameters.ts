/**
 * Parameters of a VolumeSnapshotClass that are meant for the sidecars. Upstream: external-snapshotter v8.6 pkg/utils/util.go
 * GetSecretReference, RemovePrefixedParameters.
 */
import { compareText } from "../api/text-order.ts";
import type { ObjectMeta } from "../api/types.ts";
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

interface SecretName {
  readonly name: string;
  readonly namespace: string;
}

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
  const tokens: Readonly<Record<string, string>> = {
    "volumesnapshotcontent.name": contentName,
    "volumesnapshot.namespace": snapshot.namespace ?? "",
  };
  const own = { ...tokens, "volumesnapshot.name": snapshot.name ?? "" };
  const resolvedNamespace = resolve(namespace, tokens);
  if (!resolvedNamespace.ok) return resolvedNamespace;
  const resolvedName = resolve(name, own);
  if (!resolvedName.ok) return resolvedName;
  return { ok: true, object: { name: resolvedName.object, namespace: resolvedNamespace.object } };
}

function resolve(template: string, tokens: Readonly<Record<string, string>>): Found<string> {
  const missing = new Set<string>();
  const object = template.replace(/\$\{([^}]*)\}/g, (_, token: string) => {
    if (Object.hasOwn(tokens, token)) return tokens[token] ?? "";
    missing.add(token);
    return "";
  });
  if (missing.size === 0) return { ok: true, object };
  const list = [...missing].sort(compareText).map((token) => JSON.stringify(token));
  const error = `error resolving value ${JSON.stringify(template)}: invalid tokens: [${list.join(" ")}]`;
  return { ok: false, error };
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
