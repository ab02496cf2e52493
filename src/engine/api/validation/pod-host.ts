/**
 * What a pod shares with its node, its hostname and operating system. Upstream: pkg/apis/core/validation
 * validatePodHostNetworkDeps, validateHostUsers, validatePodHostName, validateOS, validateLinux, validateWindows, v1.36.
 */
import { forbidsDevicesInUserNamespaces } from "../../version-differences.ts";
import { asJson, type FieldErrors } from "../field-error.ts";
import type { FieldPath } from "../field-path.ts";
import { byteLength } from "../go/text.ts";
import { untyped } from "../json.ts";
import { checkSubdomain } from "../names/names.ts";
import { visitContainers } from "../pod-containers.ts";
import type { PodSpec } from "../types.ts";

/** In the host's network, hostPort and containerPort must be the same; in templates hostPort may be missing. */
export function validateHostNetwork(
  spec: PodSpec,
  isTemplate: boolean,
  path: FieldPath,
  errors: FieldErrors,
): void {
  if (spec.hostNetwork !== true) return;
  spec.containers?.forEach((container, index) => {
    container.ports?.forEach(({ hostPort = 0, containerPort }, position) => {
      if (hostPort === containerPort || (isTemplate && hostPort === 0)) return;
      errors.invalid(
        path.child("containers").index(index).child("ports").index(position).child("hostPort"),
        hostPort,
        "must match `containerPort` when `hostNetwork` is true",
      );
    });
  });
}

/** A pod with a user namespace of its own cannot use other namespaces of the host. */
export function validateHostUsers(spec: PodSpec, path: FieldPath, errors: FieldErrors): void {
  if (spec.hostUsers !== false) return;
  const detail = "when `hostUsers` is false";
  if (spec.hostNetwork === true) errors.forbidden(path.child("hostNetwork"), detail);
  if (spec.hostPID === true) errors.forbidden(path.child("HostPID"), detail);
  if (spec.hostIPC === true) errors.forbidden(path.child("HostIPC"), detail);
  if (!forbidsDevicesInUserNamespaces(errors.version)) return;
  if (errors.flaws.has("devicesInUserNamespace")) return;
  visitContainers(spec, path, ({ volumeDevices = [] }, at) => {
    if (volumeDevices.length > 0) errors.forbidden(at.child("volumeDevices"), detail);
  });
}

const hostNameBytesMax = 64;

/** The hostname that overrides all others. */
export function validateHostName(spec: PodSpec, path: FieldPath, errors: FieldErrors): void {
  const { hostnameOverride: name, setHostnameAsFQDN, hostNetwork } = spec;
  if (name === undefined) return;
  if (setHostnameAsFQDN === true)
    errors.forbidden(path, "may not be specified when setHostnameAsFQDN is true");
  if (hostNetwork === true) errors.forbidden(path, "may not be specified when hostNetwork is true");
  if (byteLength(name) > hostNameBytesMax) errors.tooLong(path, hostNameBytesMax);
  errors.invalidEach(path, name, checkSubdomain(name));
}

const systems: readonly string[] = ["linux", "windows"];

export function validateOperatingSystem(spec: PodSpec, path: FieldPath, errors: FieldErrors): void {
  if (spec.os === undefined) return;
  const { name } = spec.os;
  if (name === "") errors.required(path.child("os").child("name"));
  else if (!systems.includes(name)) errors.notSupported(path.child("os"), asJson(name), systems);
  else if (name === "linux") validateLinux(spec, path, errors);
  else validateWindows(spec, path, errors);
}

type SecurityContextVisitor = (context: Readonly<Record<string, unknown>>, path: FieldPath) => void;

function visitContexts(spec: PodSpec, path: FieldPath, visit: SecurityContextVisitor): void {
  visitContainers(spec, path, ({ securityContext }, at) => {
    if (securityContext === undefined) return;
    visit(securityContext as Readonly<Record<string, unknown>>, at.child("securityContext"));
  });
}

function validateLinux(spec: PodSpec, path: FieldPath, errors: FieldErrors): void {
  const check: SecurityContextVisitor = (context, at) => {
    if (context["windowsOptions"] === undefined) return;
    errors.forbidden(at.child("windowsOptions"), "windows options cannot be set for a linux pod");
  };
  check({ ...spec.securityContext }, path.child("securityContext"));
  visitContexts(spec, path, check);
}

/** In the order in which the server checks them; fields of the pod spec itself start with a dot. */
const notForWindowsPods: readonly string[] = [
  "appArmorProfile",
  "seLinuxOptions",
  ".hostUsers",
  ".hostPID",
  ".hostIPC",
  "seccompProfile",
  "fsGroup",
  "fsGroupChangePolicy",
  "sysctls",
  ".shareProcessNamespace",
  "runAsUser",
  "runAsGroup",
  "supplementalGroups",
  "supplementalGroupsPolicy",
  "seLinuxChangePolicy",
];
const notForWindowsContainers: readonly string[] = [
  "appArmorProfile",
  "seLinuxOptions",
  "seccompProfile",
  "capabilities",
  "readOnlyRootFilesystem",
  "privileged",
  "allowPrivilegeEscalation",
  "procMount",
  "runAsUser",
  "runAsGroup",
];

function isSetForWindows(field: string, value: unknown): boolean {
  if (field === "hostPID" || field === "hostIPC") return value === true;
  return (
    value !== undefined && !(field === "sysctls" && (value as readonly unknown[]).length === 0)
  );
}

function validateWindows(spec: PodSpec, path: FieldPath, errors: FieldErrors): void {
  const detail = "cannot be set for a windows pod";
  const own = untyped(spec);
  const context = { ...spec.securityContext } as Readonly<Record<string, unknown>>;
  for (const entry of notForWindowsPods) {
    const isOwn = entry.startsWith(".");
    const field = isOwn ? entry.slice(1) : entry;
    const value = isOwn ? own[field] : context[field];
    if (!isSetForWindows(field, value)) continue;
    errors.forbidden((isOwn ? path : path.child("securityContext")).child(field), detail);
  }
  visitContexts(spec, path, (given, at) => {
    for (const field of notForWindowsContainers)
      if (given[field] !== undefined) errors.forbidden(at.child(field), detail);
  });
}
