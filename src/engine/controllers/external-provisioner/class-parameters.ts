/**
 * Parameters of a StorageClass that are meant for the sidecars and not for the driver: file system type and secrets.
 * Upstream: external-provisioner v6.3 pkg/controller/controller.go removePrefixedParameters, getSecretReference.
 */
import { compareText } from "../../api/text-order.ts";
import type { PersistentVolumeClaim, SecretReference } from "../../api/types.ts";
import {
  sidecarPrefix as prefix,
  prefixedFsType,
  type SecretKind,
  type SecretUse,
  secretKinds,
  secretUses,
  sidecarKeys,
} from "../../csi/catalogue/sidecar-parameters.ts";
import { resolveSecretName, type SecretName } from "../../matching/secret-template.ts";

export type Parameters = Readonly<Record<string, string>>;

export type Checked<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly error: string };

/** File system type; "" where the class names none. */
export function fsTypeOf(parameters: Parameters): Checked<string> {
  const keys = Object.keys(parameters).filter(
    (key) => key.toLowerCase() === "fstype" || key === prefixedFsType,
  );
  const [key] = keys;
  if (keys.length > 1) {
    const error = `fstype specified in parameters with both "fstype" and "${prefixedFsType}" keys`;
    return { ok: false, error };
  }
  return { ok: true, value: key === undefined ? "" : (parameters[key] ?? "") };
}

/** What is left for the driver. */
export function driverParameters(parameters: Parameters): Checked<Parameters> {
  const kept: Record<string, string> = {};
  for (const key of Object.keys(parameters).sort(compareText)) {
    if (!key.startsWith(prefix)) kept[key] = parameters[key] ?? "";
    else if (!sidecarKeys.has(key)) {
      const error = `failed to strip CSI Parameters of prefixed keys: found unknown parameter key "${key}" with reserved namespace ${prefix}`;
      return { ok: false, error };
    }
  }
  return { ok: true, value: kept };
}

/** A claim, or what a volume still tells of one that is gone. */
interface NamedClaim {
  readonly metadata: Pick<PersistentVolumeClaim["metadata"], "name" | "namespace" | "annotations">;
}

/** The secret of one use, its templates filled in; undefined where the class names none. */
export function secretFor(
  use: SecretUse,
  parameters: Parameters,
  volumeName: string,
  claim: NamedClaim,
): Checked<SecretReference | undefined> {
  const templates = templatesOf(parameters)[use];
  if (!templates.ok) return templates;
  if (templates.value === undefined) return noSecret;
  const { name: claimName, namespace: claimNamespace = "", annotations = {} } = claim.metadata;
  const common = { "pv.name": volumeName, "pvc.namespace": claimNamespace };
  const own: Record<string, string> = { ...common, "pvc.name": claimName };
  for (const [key, value] of Object.entries(annotations)) own[`pvc.annotations['${key}']`] = value;
  const resolved = resolveSecretName(templates.value, own, common);
  return resolved.ok ? { ok: true, value: resolved.object } : resolved;
}

const noSecret: Checked<undefined> = { ok: true, value: undefined };

type Templates = Readonly<Record<SecretUse, Checked<SecretName | undefined>>>;

/** Of each class, which every claim asks for again. */
const templatesByClass = new WeakMap<Parameters, Templates>();

function templatesOf(parameters: Parameters): Templates {
  let templates = templatesByClass.get(parameters);
  if (templates === undefined) {
    const entries = secretUses.map((use) => [use, templatesFor(secretKinds[use], parameters)]);
    templates = Object.fromEntries(entries) as Templates;
    templatesByClass.set(parameters, templates);
  }
  return templates;
}

/** The use's own templates, else those that the class gives for every use. */
function templatesFor(kind: SecretKind, parameters: Parameters): Checked<SecretName | undefined> {
  const own = templatePair(
    kind.title,
    [kind.deprecatedName, `${prefix}${kind.key}-secret-name`],
    [kind.deprecatedNamespace, `${prefix}${kind.key}-secret-namespace`],
    parameters,
  );
  if (!own.ok) {
    return {
      ok: false,
      error: `failed to get name and namespace template from params: ${own.error}`,
    };
  }
  if (own.value !== undefined) return own;
  const common = templatePair(
    "Default",
    [`${prefix}secret-name`],
    [`${prefix}secret-namespace`],
    parameters,
  );
  if (common.ok) return common;
  const error = `failed to get default name and namespace template from params: ${common.error}`;
  return { ok: false, error };
}

function templatePair(
  title: string,
  nameKeys: readonly (string | undefined)[],
  namespaceKeys: readonly (string | undefined)[],
  parameters: Parameters,
): Checked<SecretName | undefined> {
  const given = (keys: readonly (string | undefined)[]): readonly string[] =>
    keys.flatMap((key) => (key === undefined ? [] : (parameters[key] ?? [])));
  const [names, namespaces] = [given(nameKeys), given(namespaceKeys)];
  const [name, namespace] = [names.at(-1), namespaces.at(-1)];
  if (names.length > 1 || namespaces.length > 1) {
    const error = `${title} secrets specified in parameters with both "csi" and "${prefix}" keys`;
    return { ok: false, error };
  }
  if (name === undefined && namespace === undefined) return { ok: true, value: undefined };
  if (name === undefined || namespace === undefined) {
    const error = `either name and namespace for ${title} secrets specified, Both must be specified`;
    return { ok: false, error };
  }
  if (name === "" || namespace === "") {
    const error = `${title} secrets specified in parameters but value of either namespace or name is empty`;
    return { ok: false, error };
  }
  return { ok: true, value: { name, namespace } };
}
