/**
 * Holds pods to the Pod Security Standard that their namespace names in its labels. Upstream: the PodSecurity plugin,
 * pod-security-admission v0.36 admission/admission.go, api/helpers.go. Not modelled: a configuration file, warnings of pods
 * that stand when a namespace is labelled, and a new look at a pod whose image changes.
 */
import { FieldErrors, invalidObject } from "../field-error.ts";
import { metadataPath } from "../field-path.ts";
import type { ApiError, KubeObject } from "../meta.ts";
import type { ClusterView, RequestContext } from "../request-context.ts";
import type { ObjectMeta, PodSpec } from "../types.ts";
import { forbidden } from "./forbidden.ts";
import { type Level, violations } from "./pod-security-checks.ts";

interface Policy {
  readonly level: Level;
  /** As a message says it: `latest` or `v1.25`. */
  readonly version: string;
  readonly minor: number;
}

type Mode = "enforce" | "warn";

const prefix = "pod-security.kubernetes.io/";
const levels: readonly string[] = ["privileged", "baseline", "restricted"];
const versionPattern = /^v1\.(0|[1-9]\d*)$/u;

function isLevel(text: string): text is Level {
  return levels.includes(text);
}

/** What admission needs to know of a request. */
type Context = Pick<RequestContext, "cluster" | "version">;

/** A level that is none counts as the strictest, except for warnings. Undefined where all is allowed. */
function policyOf(
  mode: Mode,
  namespace: string | undefined,
  { cluster, version: server }: Context,
): Policy | undefined {
  const labels = labelsOf(namespace, cluster);
  const level = labels?.[`${prefix}${mode}`];
  if (labels === undefined || level === undefined || level === "privileged") return undefined;
  if (!isLevel(level) && mode === "warn") return undefined;
  const version = labels[`${prefix}${mode}-version`] ?? "latest";
  const minor = versionPattern.exec(version)?.[1];
  return {
    level: isLevel(level) ? level : "restricted",
    version: minor === undefined ? "latest" : version,
    minor: Number(minor ?? server.slice("1.".length)),
  };
}

function labelsOf(
  namespace: string | undefined,
  cluster: ClusterView,
): Readonly<Record<string, string>> | undefined {
  return cluster.get("Namespace", undefined, namespace ?? "default")?.metadata.labels;
}

const podMakers: ReadonlySet<string> = new Set([
  "CronJob",
  "DaemonSet",
  "Deployment",
  "Job",
  "Pod",
  "ReplicaSet",
  "ReplicationController",
  "StatefulSet",
]);

/** True where there may be something to say of an object's pods. */
export function looksAtPods(kind: string, namespace: string, cluster: ClusterView): boolean {
  if (!podMakers.has(kind)) return false;
  const labels = labelsOf(namespace, cluster);
  return labels !== undefined && Object.keys(labels).some((key) => key.startsWith(prefix));
}

function violation(
  { level, version, minor }: Policy,
  metadata: ObjectMeta | undefined,
  spec: PodSpec,
): string | undefined {
  const found = violations(level, minor, metadata?.annotations, spec);
  return found === "" ? undefined : `violate PodSecurity "${level}:${version}": ${found}`;
}

export function checkPodSecurity(pod: KubeObject<"Pod">, context: Context): ApiError | undefined {
  const policy = policyOf("enforce", pod.metadata.namespace, context);
  if (policy === undefined) return undefined;
  const found = violation(policy, pod.metadata, pod.spec);
  return found === undefined ? undefined : forbidden(pod, found.replace("violate", "violates"));
}

/** What is wrong with the labels of a namespace itself; what was wrong before may stay. */
export function checkPodSecurityLabels(
  namespace: KubeObject<"Namespace">,
  old: KubeObject | undefined,
  { version }: Context,
): ApiError | undefined {
  const errors = labelErrors(namespace.metadata.labels, version);
  if (errors.none) return undefined;
  if (old !== undefined && !labelErrors(old.metadata.labels, version).none) return undefined;
  return invalidObject("Namespace", namespace.metadata.name, errors);
}

function labelErrors(
  labels: Readonly<Record<string, string>> | undefined,
  version: Context["version"],
): FieldErrors {
  const errors = new FieldErrors(version);
  const at = metadataPath.child("labels");
  for (const mode of ["enforce", "audit", "warn"]) {
    const key = `${prefix}${mode}`;
    const level = labels?.[key];
    const pinned = labels?.[`${key}-version`];
    if (level !== undefined && !isLevel(level))
      errors.invalid(at.key(key), level, `must be one of ${levels.join(", ")}`);
    if (pinned !== undefined && pinned !== "latest" && !versionPattern.test(pinned))
      errors.invalid(at.key(`${key}-version`), pinned, 'must be "latest" or "v1.x"');
  }
  return errors;
}

interface Template {
  readonly metadata?: ObjectMeta;
  readonly spec?: PodSpec;
}

/** The pod that an object is, or makes. */
function templateOf(object: KubeObject): Template | undefined {
  switch (object.kind) {
    case "Pod":
      return object;
    case "CronJob":
      return object.spec?.jobTemplate.spec?.template;
    case "DaemonSet":
    case "Deployment":
    case "Job":
    case "ReplicaSet":
    case "ReplicationController":
    case "StatefulSet":
      return object.spec?.template;
    default:
      return undefined;
  }
}

/** Workloads are never refused for their templates, but warned of. */
export function podSecurityWarning(object: KubeObject, context: Context): string | undefined {
  const template = templateOf(object);
  if (template?.spec === undefined) return undefined;
  const policy = policyOf("warn", object.metadata.namespace, context);
  if (policy === undefined) return undefined;
  const found = violation(policy, template.metadata, template.spec);
  return found === undefined ? undefined : `would ${found}`;
}
