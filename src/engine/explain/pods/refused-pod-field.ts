/**
 * Which field of a pod the API server refuses because of other objects in the cluster, read from the messages of the admission
 * plugins PodSecurity (policy/check_*.go), ResourceQuota (evaluator/core/pods.go, Constraints), LimitRanger, Priority and
 * RuntimeClass (admission.go).
 */
import { FieldPath } from "../../api/field-path.ts";
import type { KubeObject } from "../../api/meta.ts";
import { visitContainers } from "../../api/pod-containers.ts";
import { parseQuantity } from "../../api/quantity.ts";
import { podSpecOf } from "../../api/strategy/pod-fields.ts";
import type { Container, EphemeralContainer, PodSpec } from "../../api/types.ts";

/** The field of a pod or workload; undefined for other messages, and if the message points at no field. */
export function refusedPodField(object: KubeObject, message: string): string | undefined {
  const spec = podSpecOf(object);
  if (spec === undefined) return undefined;
  const path = podSpecPath(object);
  const field =
    insecurePart(spec, path, message) ??
    unlimitedContainer(spec, path, message) ??
    amountOutOfBounds(spec, path, message) ??
    missingClass(path, message);
  return field?.toString();
}

export function podSpecPath({ kind }: KubeObject): FieldPath {
  const spec = new FieldPath("spec");
  if (kind === "Pod") return spec;
  const made = kind === "CronJob" ? spec.child("jobTemplate").child("spec") : spec;
  return made.child("template").child("spec");
}

/** What a violation names: the first volume or container, or a field of the pod itself. */
const named = /\b(volume|container)s? "([^"]+)"|\b(hostNetwork|hostPID|hostIPC)=true/;

/** The part of a message that lists the violations of a Pod Security level; undefined if there is none. */
export function podViolations(message: string): string | undefined {
  return /\bviolates? PodSecurity "[^"]+": (.+)/.exec(message)?.[1];
}

/** `… violate PodSecurity "baseline:latest": hostPath volumes (volume "data"), …`; the first violation with a name counts. */
function insecurePart(spec: PodSpec, path: FieldPath, message: string): FieldPath | undefined {
  const violations = podViolations(message);
  const [, list, name, field] = named.exec(violations ?? "") ?? [];
  if (field !== undefined) return path.child(field);
  if (list !== "volume") return containerWhere(spec, path, (container) => container.name === name);
  const index = spec.volumes?.findIndex((volume) => volume.name === name) ?? -1;
  return index < 0 ? undefined : path.child("volumes").index(index);
}

/** `failed quota: compute: must specify limits.memory for: app,side; …` */
function unlimitedContainer(
  spec: PodSpec,
  path: FieldPath,
  message: string,
): FieldPath | undefined {
  const name = /\bfailed quota: [^:]+: must specify [^:]+ for: ([^,;]+)/.exec(message)?.[1];
  return containerWhere(spec, path, (container) => container.name === name);
}

/** `no PriorityClass with name high was found`, `RuntimeClass "kata" not found` */
function missingClass(path: FieldPath, message: string): FieldPath | undefined {
  if (/\bno PriorityClass with name \S+ was found/.test(message))
    return path.child("priorityClassName");
  return /\bRuntimeClass "[^"]+" not found/.test(message)
    ? path.child("runtimeClassName")
    : undefined;
}

/** `maximum memory usage per Container is 1Gi, but limit is 2Gi`; undefined if the amount is a default, so in no field. */
function amountOutOfBounds(spec: PodSpec, path: FieldPath, message: string): FieldPath | undefined {
  const pattern = /imum (\S+) usage per Container is [^,]+, but (limit|request) is ([^\s,\]]+)/;
  const [, resource, what, amount] = pattern.exec(message) ?? [];
  if (resource === undefined) return undefined;
  // A container that has a limit and no request requests its limit.
  for (const list of what === "limit" ? (["limits"] as const) : (["requests", "limits"] as const)) {
    const isIt = ({ resources }: Container | EphemeralContainer): boolean =>
      parseQuantity(resources?.[list]?.[resource] ?? "")?.text === amount;
    const found = containerWhere(spec, path, isIt);
    if (found !== undefined) return found.child("resources").child(list).key(resource);
  }
  return undefined;
}

function containerWhere(
  spec: PodSpec,
  path: FieldPath,
  test: (container: Container | EphemeralContainer) => boolean,
): FieldPath | undefined {
  const found: FieldPath[] = [];
  visitContainers(spec, path, (container, at) => {
    if (test(container)) found.push(at);
  });
  return found[0];
}
