/**
 * What a pod gets from its service account, and which secrets that lets it use. Upstream: plugin/pkg/admission/serviceaccount,
 * v1.36. A missing account is refused only if all accounts are known. Not modeled: the token volume.
 */
import { mirrorPod, mountableSecrets } from "../annotation-keys.ts";
import { parseBool } from "../go/parse-bool.ts";
import type { ApiError } from "../meta.ts";
import type { Mutable } from "../mutable.ts";
import { containersOf } from "../pod-containers.ts";
import type { RequestContext } from "../request-context.ts";
import { defaultServiceAccount } from "../service-account.ts";
import type { Container, Pod, PodSpec, ServiceAccount, Volume } from "../types.ts";
import { forbidden } from "./forbidden.ts";

export function setServiceAccount(
  pod: Mutable<Pod>,
  { cluster, knowsServiceAccounts = false }: RequestContext,
): ApiError | undefined {
  const refuse = (why: string | undefined): ApiError | undefined =>
    why === undefined ? undefined : forbidden(pod, why);
  // The kubelet deletes a mirror pod that differs from its own.
  if (pod.metadata.annotations?.[mirrorPod] !== undefined) return refuse(mirrorComplaint(pod.spec));
  const { spec } = pod;
  const { serviceAccountName: given = "" } = spec;
  const name = given === "" ? defaultServiceAccount : given;
  if (given === "") {
    spec.serviceAccountName = name;
    spec.serviceAccount = name;
  }
  const { namespace } = pod.metadata;
  const account = cluster.get("ServiceAccount", namespace, name);
  if (account === undefined) {
    // The plugin retries ten times for the default account, which is created with its namespace.
    const isMissing = knowsServiceAccounts && name !== defaultServiceAccount;
    return refuse(isMissing ? missingAccount(`${namespace}/${name}`, name) : undefined);
  }
  addPullSecrets(spec, account);
  const isLimited = parseBool(account.metadata.annotations?.[mountableSecrets] ?? "") === true;
  return isLimited ? refuse(secretComplaint(spec, account)) : undefined;
}

function missingAccount(called: string, name: string): string {
  return `error looking up service account ${called}: serviceaccount "${name}" not found`;
}

function addPullSecrets(spec: Mutable<PodSpec>, { imagePullSecrets = [] }: ServiceAccount): void {
  if (imagePullSecrets.length === 0 || (spec.imagePullSecrets ?? []).length > 0) return;
  spec.imagePullSecrets = imagePullSecrets.map(({ name = "" }) => ({ name }));
}

function mirrorComplaint(spec: PodSpec): string | undefined {
  if ((spec.serviceAccountName ?? "") !== "")
    return "a mirror pod may not reference service accounts";
  if (namesSecret(spec)) return "a mirror pod may not reference secrets";
  const sources = spec.volumes?.flatMap(({ projected }) => projected?.sources ?? []);
  return sources?.some(({ serviceAccountToken }) => serviceAccountToken !== undefined) === true
    ? "a mirror pod may not use ServiceAccountToken volume projections"
    : undefined;
}

/** Upstream: podutil.VisitPodSecretNames. */
function namesSecret(spec: PodSpec): boolean {
  const names = [
    ...(spec.imagePullSecrets ?? []).map(({ name }) => name),
    ...containersOf(spec).flatMap((container) => secretsOf(container)),
    ...(spec.volumes ?? []).flatMap(secretsOfVolume),
  ];
  return names.some((name) => name !== undefined && name !== "");
}

function secretsOf({ env, envFrom }: Container): readonly (string | undefined)[] {
  return [
    ...(env ?? []).map(({ valueFrom }) => valueFrom?.secretKeyRef?.name),
    ...(envFrom ?? []).map(({ secretRef }) => secretRef?.name),
  ];
}

interface AnySource {
  readonly secretName?: string;
  readonly secretRef?: { readonly name?: string };
  readonly nodePublishSecretRef?: { readonly name?: string };
}

function secretsOfVolume(volume: Volume): readonly (string | undefined)[] {
  const { name: _, projected, ...others } = volume;
  const sources = Object.values(others) as readonly AnySource[];
  return [
    ...sources.flatMap(({ secretName, secretRef, nodePublishSecretRef }) => [
      secretName,
      secretRef?.name,
      nodePublishSecretRef?.name,
    ]),
    ...(projected?.sources ?? []).map(({ secret }) => secret?.name),
  ];
}

/** Upstream: limitSecretReferences. Secrets of projected volumes and CSI drivers are not checked. */
function secretComplaint(spec: PodSpec, account: ServiceAccount): string | undefined {
  const { name } = account.metadata;
  const mountable = new Set(account.secrets?.map((secret) => secret.name));
  const notAllowed = (where: string, secret: string): string =>
    `${where} secret.secretName="${secret}" is not allowed because service account ${name} does not reference that secret`;
  for (const { secret } of spec.volumes ?? []) {
    if (secret !== undefined && !mountable.has(secret.secretName ?? ""))
      return notAllowed("volume with", secret.secretName ?? "");
  }
  for (const [what, containers] of [
    ["init container", spec.initContainers],
    ["container", spec.containers],
  ] as const) {
    for (const container of containers ?? []) {
      const foreign = foreignSecret(container, mountable);
      if (foreign !== undefined)
        return notAllowed(
          `${what} ${container.name} with ${foreign.where} referencing`,
          foreign.name,
        );
    }
  }
  const pullable = new Set(account.imagePullSecrets?.map((secret) => secret.name ?? ""));
  for (const [index, { name: secret = "" }] of (spec.imagePullSecrets ?? []).entries()) {
    if (!pullable.has(secret))
      return `imagePullSecrets[${index}].name="${secret}" is not allowed because service account ${name} does not reference that imagePullSecret`;
  }
  return undefined;
}

function foreignSecret(
  { env, envFrom }: Container,
  mountable: ReadonlySet<string | undefined>,
): { readonly where: string; readonly name: string } | undefined {
  for (const { name, valueFrom } of env ?? []) {
    const secret = valueFrom?.secretKeyRef;
    if (secret !== undefined && !mountable.has(secret.name ?? ""))
      return { where: `envVar ${name}`, name: secret.name ?? "" };
  }
  for (const { secretRef } of envFrom ?? []) {
    if (secretRef !== undefined && !mountable.has(secretRef.name ?? ""))
      return { where: "envFrom", name: secretRef.name ?? "" };
  }
  return undefined;
}
