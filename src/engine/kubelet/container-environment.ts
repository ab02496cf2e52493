/**
 * Builds a container's environment, or says why that is impossible. Upstream: pkg/kubelet/kubelet_pods.go
 * makeEnvironmentVariables v1.36. Not modeled: values of files, service variables.
 */
import { textOfBase64 } from "../api/decoding/base64.ts";
import { containersAtCreation } from "../api/pod-containers.ts";
import { quantityCeiling, quantityMilliValue, quantityOrZero } from "../api/quantity.ts";
import type { Container, EnvVarSource, Pod, ResourceFieldSelector } from "../api/types.ts";
import type { ObjectCache } from "./object-cache.ts";

export type Environment =
  | { readonly ok: true; readonly values: ReadonlyMap<string, string> }
  | { readonly ok: false; readonly error: string };

type Value =
  | { readonly ok: true; readonly value: string | undefined }
  | { readonly ok: false; readonly error: string };

/** What a pod's environment can tell of where it runs: addresses for its status fields, and what its node can allocate. */
export interface Place {
  readonly podIps: readonly string[];
  readonly hostIp: string;
  readonly allocatable: Readonly<Record<string, string>>;
}

/** `fileError` returns why a file of a volume cannot be read; undefined if it can. */
export function environmentOf(
  objects: ObjectCache,
  pod: Pod,
  container: Container,
  place: Place,
  fileError: (volumeName: string) => string | undefined,
): Environment {
  const values = new Map<string, string>();
  for (const { prefix = "", configMapRef, secretRef } of container.envFrom ?? []) {
    const name = configMapRef?.name ?? secretRef?.name ?? "";
    const kind = configMapRef === undefined ? "Secret" : "ConfigMap";
    const found = objects.get(kind, pod, name);
    const optional = configMapRef?.optional ?? secretRef?.optional ?? false;
    if (found === undefined && !optional) {
      return { ok: false, error: `${kind.toLowerCase()} "${name}" not found` };
    }
    for (const [key, data] of Object.entries(found?.data ?? {}))
      values.set(prefix + key, textOf(data, kind));
  }
  for (const { name, value, valueFrom } of container.env ?? []) {
    if (valueFrom === undefined) {
      values.set(name, expand(value ?? "", values).text);
      continue;
    }
    const { fileKeyRef } = valueFrom;
    const unreadable = fileKeyRef === undefined ? undefined : fileError(fileKeyRef.volumeName);
    if (unreadable !== undefined) return { ok: false, error: unreadable };
    const taken = environmentValue(objects, pod, container, valueFrom, place);
    if (!taken.ok) return taken;
    if (taken.value !== undefined) values.set(name, taken.value);
  }
  return { ok: true, values };
}

function environmentValue(
  objects: ObjectCache,
  pod: Pod,
  container: Container,
  source: EnvVarSource,
  place: Place,
): Value {
  const { configMapKeyRef, secretKeyRef, fieldRef, resourceFieldRef } = source;
  if (resourceFieldRef !== undefined) {
    const { containerName: name = "" } = resourceFieldRef;
    const named = containersAtCreation(pod.spec).find((c) => c.name === name);
    const measured = name === "" ? container : named;
    if (measured === undefined) return { ok: false, error: `container ${name} not found` };
    const hasDefaults = name === "" || pod.spec.containers.includes(measured);
    const defaults = hasDefaults ? defaultLimits(pod, place) : {};
    return { ok: true, value: resourceValue(resourceFieldRef, measured, defaults) };
  }
  const { namespace } = pod.metadata;
  if (fieldRef !== undefined)
    return { ok: true, value: fieldValue(pod, fieldRef.fieldPath, place) };
  const reference = configMapKeyRef ?? secretKeyRef;
  if (reference === undefined) return { ok: true, value: "" };
  const kind = configMapKeyRef === undefined ? "Secret" : "ConfigMap";
  const { name = "", key, optional = false } = reference;
  const object = objects.get(kind, pod, name);
  const data = object?.data?.[key];
  if (data !== undefined) return { ok: true, value: textOf(data, kind) };
  if (optional) return { ok: true, value: undefined };
  if (object === undefined)
    return { ok: false, error: `${kind.toLowerCase()} "${name}" not found` };
  return { ok: false, error: `couldn't find key ${key} in ${kind} ${namespace}/${name}` };
}

function textOf(data: string, kind: "ConfigMap" | "Secret"): string {
  return kind === "Secret" ? textOfBase64(data) : data;
}

/**
 * The limits for containers without their own: the pod's, else the node's; huge pages have none. Upstream:
 * defaultPodLimitsForDownwardAPI.
 */
function defaultLimits({ spec }: Pod, { allocatable }: Place): Readonly<Record<string, string>> {
  const ofPod = spec.resources?.limits;
  const names = ["cpu", "memory", "ephemeral-storage"];
  return Object.fromEntries(
    names.flatMap((name) => {
      const limit = ofPod?.[name] ?? allocatable[name];
      return limit === undefined ? [] : [[name, limit]];
    }),
  );
}

/** Upstream: ExtractContainerResourceValue. */
function resourceValue(
  { resource, divisor }: ResourceFieldSelector,
  { resources }: Container,
  defaults: Readonly<Record<string, string>>,
): string {
  const isLimit = resource.startsWith("limits.");
  const name = resource.slice(resource.indexOf(".") + 1);
  const own = quantityOrZero((isLimit ? resources?.limits : resources?.requests)?.[name]);
  const amount = isLimit && own.nanos === 0n ? quantityOrZero(defaults[name]) : own;
  const unit = quantityOrZero(divisor);
  const count = name === "cpu" ? quantityMilliValue : quantityCeiling;
  const perUnit = count(unit.nanos === 0n ? quantityOrZero("1") : unit);
  return String(Math.ceil(Number(count(amount)) / Number(perUnit)));
}

/** Upstream: podFieldSelectorRuntimeValue. */
function fieldValue({ metadata, spec }: Pod, path: string, { podIps, hostIp }: Place): string {
  const key = /^metadata\.(labels|annotations)\['(.+)'\]$/.exec(path);
  if (key !== null)
    return (key[1] === "labels" ? metadata.labels : metadata.annotations)?.[key[2] ?? ""] ?? "";
  switch (path) {
    case "metadata.name":
      return metadata.name;
    case "metadata.namespace":
      return metadata.namespace ?? "";
    case "metadata.uid":
      return metadata.uid;
    case "spec.nodeName":
      return spec.nodeName ?? "";
    case "spec.serviceAccountName":
      return spec.serviceAccountName ?? "";
    case "status.podIP":
      return podIps[0] ?? "";
    case "status.podIPs":
      return podIps.join(",");
    case "status.hostIP":
    case "status.hostIPs":
      return hostIp;
    default:
      return "";
  }
}

/**
 * Replaces `$(NAME)`. Names without a value stay and are returned in `missing`. Upstream: third_party/forked/golang/expansion.
 */
export function expand(
  text: string,
  values: ReadonlyMap<string, string>,
): { readonly text: string; readonly missing: readonly string[] } {
  const missing: string[] = [];
  // No reference ends after the last `)`, so the rest is not searched.
  const end = text.lastIndexOf(")") + 1;
  const expanded = text
    .slice(0, end)
    .replace(/\$\$|\$\(([^)]*)\)/g, (whole, name: string | undefined) => {
      if (name === undefined) return "$";
      const value = values.get(name);
      if (value === undefined) missing.push(name);
      return value ?? whole;
    });
  return { text: expanded + text.slice(end).replaceAll("$$", "$"), missing };
}
