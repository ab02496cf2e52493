/**
 * The secrets that a StorageClass passes to its driver, for each call. Upstream: external-provisioner v6.3
 * pkg/controller/controller.go getSecretReference.
 */
import type { PersistentVolumeClaim, SecretReference } from "../api/types.ts";
import {
  type Checked,
  defaultSecretKeys,
  type Parameters,
  type SecretUse,
  secretKeys,
  secretTemplate,
  secretUses,
} from "../csi/catalogue/sidecar-parameters.ts";
import { resolveSecretName, type SecretName } from "./secret-template.ts";

/** A claim, or what a volume still records of a deleted one. */
interface NamedClaim {
  readonly metadata: Pick<PersistentVolumeClaim["metadata"], "name" | "namespace" | "annotations">;
}

/** Returns the secret for one use, with its templates resolved; undefined if the class names none. */
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

/** A cache by class, because every claim asks again. */
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

/** Returns the templates for this use, or else the class's default for all uses. */
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
