/**
 * Parameters of a StorageClass that are meant for the sidecars and not for the driver: file system type and secrets.
 * Upstream: external-provisioner v6.3 pkg/controller/controller.go removePrefixedParameters, getSecretReference.
 */
import { compareText } from "../../api/go/text-order.ts";
import type { PersistentVolumeClaim, SecretReference } from "../../api/types.ts";
import {
  type Checked,
  defaultSecretKeys,
  type Parameters,
  sidecarPrefix as prefix,
  prefixedFsType,
  type SecretUse,
  secretKeys,
  secretTemplate,
  secretUses,
  sidecarKeys,
} from "../../csi/catalogue/sidecar-parameters.ts";
import { resolveSecretName, type SecretName } from "../../matching/secret-template.ts";

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
    const entries = secretUses.map((use) => [use, templatesFor(use, parameters)]);
    templates = Object.fromEntries(entries) as Templates;
    templatesByClass.set(parameters, templates);
  }
  return templates;
}

/** The use's own templates, else those that the class gives for every use. */
function templatesFor(use: SecretUse, parameters: Parameters): Checked<SecretName | undefined> {
  const own = secretTemplate(secretKeys[use], parameters);
  if (!own.ok) {
    return {
      ok: false,
      error: `failed to get name and namespace template from params: ${own.error}`,
    };
  }
  if (own.value !== undefined) return own;
  const common = secretTemplate(defaultSecretKeys, parameters);
  if (common.ok) return common;
  const error = `failed to get default name and namespace template from params: ${common.error}`;
  return { ok: false, error };
}
