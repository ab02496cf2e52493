/**
 * Enforces the Pod Security Standards that a namespace names in its labels. Upstream: the PodSecurity plugin,
 * pod-security-admission v0.36 admission/admission.go, api/helpers.go. Not modeled: a configuration file.
 */
import { FieldErrors, invalidObject } from "../field-error.ts";
import { metadataPath } from "../field-path.ts";
import { compareText } from "../go/text-order.ts";
import { deepEqual } from "../json.ts";
import type { ApiError, KubeObject } from "../meta.ts";
import type { ClusterView, RequestContext } from "../request-context.ts";
import { podTemplateOf } from "../strategy/pod-fields.ts";
import type { Container, EphemeralContainer, ObjectMeta, PodSpec } from "../types.ts";
import { forbidden } from "./forbidden.ts";
import { type Level, reasonOf, violations } from "./pod-security-checks.ts";

interface Policy {
  readonly level: Level;
  /** As in messages: `latest` or `v1.25`. */
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

type Labels = Readonly<Record<string, string>>;

/**
 * The policy for a mode; undefined if it allows everything. An invalid level counts as restricted, except for warnings. If
 * `warn` has no level, it uses that of `enforce`. Upstream: PolicyToEvaluate.
 */
function policyOf(
  mode: Mode,
  labels: Labels | undefined,
  server: Context["version"],
): Policy | undefined {
  const named: Mode = labels?.[`${prefix}${mode}`] === undefined ? "enforce" : mode;
  const level = labels?.[`${prefix}${named}`];
  if (labels === undefined || level === undefined || level === "privileged") return undefined;
  if (!isLevel(level) && mode === "warn") return undefined;
  const version =
    labels[`${prefix}${mode}-version`] ?? labels[`${prefix}${named}-version`] ?? "latest";
  const minor = versionPattern.exec(version)?.[1];
  // A server knows no policies newer than itself.
  const newest = Number(server.slice("1.".length));
  return {
    level: isLevel(level) ? level : "restricted",
    version: minor === undefined ? "latest" : version,
    minor: Math.min(Number(minor ?? newest), newest),
  };
}

function labelsOf(namespace: string | undefined, cluster: ClusterView): Labels | undefined {
  return cluster.get("Namespace", undefined, namespace ?? "default")?.metadata.labels;
}

const podMakers: ReadonlySet<string> = new Set([
  "CronJob",
  "DaemonSet",
  "Deployment",
  "Job",
  "Pod",
  "PodTemplate",
  "ReplicaSet",
  "ReplicationController",
  "StatefulSet",
]);

/** True if a policy may apply to the object's pods. */
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
  if (found.length === 0) return undefined;
  return `violate PodSecurity "${level}:${version}": ${found.join(", ")}`;
}

/** `old` is undefined on create. */
export function checkPodSecurity(
  pod: KubeObject<"Pod">,
  old: KubeObject | undefined,
  { cluster, version }: Context,
): ApiError | undefined {
  if (old?.kind === "Pod" && !isSignificantUpdate(pod, old)) return undefined;
  const policy = policyOf("enforce", labelsOf(pod.metadata.namespace, cluster), version);
  if (policy === undefined) return undefined;
  const found = violation(policy, pod.metadata, pod.spec);
  return found === undefined ? undefined : forbidden(pod, found.replace("violate", "violates"));
}

/** True if an image changes. Upstream also: annotations for seccomp, as policies before v1.19 do. */
function isSignificantUpdate(pod: KubeObject<"Pod">, old: KubeObject<"Pod">): boolean {
  const changes = (
    now: readonly (Container | EphemeralContainer)[] = [],
    before: readonly (Container | EphemeralContainer)[] = [],
  ): boolean =>
    now.some(({ name, image }) => before.find((one) => one.name === name)?.image !== image);
  return (
    changes(pod.spec.containers, old.spec.containers) ||
    changes(pod.spec.initContainers, old.spec.initContainers) ||
    changes(pod.spec.ephemeralContainers, old.spec.ephemeralContainers)
  );
}

/** Refuses invalid labels of a namespace, unless the old one has the same errors. */
export function checkPodSecurityLabels(
  namespace: KubeObject<"Namespace">,
  old: KubeObject | undefined,
  { version }: Context,
): ApiError | undefined {
  const errors = labelErrors(namespace.metadata.labels, version);
  if (errors.none) return undefined;
  const before = labelErrors(old?.metadata.labels, version);
  if (deepEqual(errors.causes, before.causes)) return undefined;
  return invalidObject("Namespace", namespace.metadata.name, errors);
}

function labelErrors(labels: Labels | undefined, version: Context["version"]): FieldErrors {
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

/** Workloads are warned about their templates, but never refused. `old` is undefined on create. */
export function podSecurityWarnings(
  object: KubeObject,
  old: KubeObject | undefined,
  context: Context,
): readonly string[] {
  if (object.kind === "Namespace")
    return old?.kind === "Namespace" ? warningsOfPodsThere(object, old, context) : [];
  if (object.kind === "Pod" && old?.kind === "Pod" && !isSignificantUpdate(object, old)) return [];
  const template = object.kind === "Pod" ? object : podTemplateOf(object);
  if (template?.spec === undefined) return [];
  const labels = labelsOf(object.metadata.namespace, context.cluster);
  const policy = policyOf("warn", labels, context.version);
  if (policy === undefined) return [];
  const found = violation(policy, template.metadata, template.spec);
  return found === undefined ? [] : [`would ${found}`];
}

/** How many existing pods are checked against a namespace's new level. Upstream: defaultNamespaceMaxPodsToCheck. */
const podsToCheckMax = 3000;

/** Existing pods stay when their namespace becomes stricter. Upstream: ValidateNamespace, EvaluatePodsInNamespace. */
function warningsOfPodsThere(
  { metadata }: KubeObject<"Namespace">,
  old: KubeObject<"Namespace">,
  { cluster, version }: Context,
): readonly string[] {
  const policy = policyOf("enforce", metadata.labels, version);
  if (policy === undefined) return [];
  const before = policyOf("enforce", old.metadata.labels, version);
  const isStricter = levels.indexOf(policy.level) > levels.indexOf(before?.level ?? "privileged");
  if (policy.version === (before?.version ?? "latest") && !isStricter) return [];
  const pods = cluster.list("Pod", metadata.name);
  const names = new Map<string, string[]>();
  for (const pod of pods.slice(0, podsToCheckMax)) {
    const found = violations(policy.level, policy.minor, pod.metadata.annotations, pod.spec);
    if (found.length === 0) continue;
    const reasons = found.map(reasonOf).join(", ");
    const alike = names.get(reasons);
    if (alike === undefined) names.set(reasons, [pod.metadata.name]);
    else alike.push(pod.metadata.name);
  }
  const warnings: string[] = [];
  if (pods.length > podsToCheckMax)
    warnings.push(
      `new PodSecurity enforce level only checked against the first ${podsToCheckMax} of ${pods.length} existing pods`,
    );
  if (names.size > 0)
    warnings.push(
      `existing pods in namespace "${metadata.name}" violate the new PodSecurity enforce level "${policy.level}:${policy.version}"`,
    );
  const told = [...names].map(([reasons, alike]) => `${namedPods(alike)}: ${reasons}`);
  return [...warnings, ...told.sort(compareText)];
}

/** The first name in order, and how many others there are. */
function namedPods(names: readonly string[]): string {
  const [first = ""] = [...names].sort(compareText);
  const others = names.length - 1;
  if (others === 0) return first;
  return `${first} (and ${others} other pod${others === 1 ? "" : "s"})`;
}
