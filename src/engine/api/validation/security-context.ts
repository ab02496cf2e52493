/**
 * Security contexts. Upstream: pkg/apis/core/validation validatePodSpecSecurityContext, ValidateSecurityContext, v1.36.
 * Not modelled: Windows options, SELinux options' contents, sysctl name patterns beyond their characters.
 */
import { asJson, type FieldErrors } from "../field-error.ts";
import type { FieldPath } from "../field-path.ts";
import { goStruct } from "../go-struct.ts";
import type {
  AppArmorProfile,
  PodSpec,
  SeccompProfile,
  SecurityContext,
  Sysctl,
} from "../types.ts";

const idMax = 2_147_483_647;
const idRange = `must be between 0 and ${idMax}, inclusive`;
const fsGroupChangePolicies: readonly string[] = ["Always", "OnRootMismatch"];
const supplementalGroupsPolicies: readonly string[] = ["Merge", "Strict"];
const seLinuxChangePolicies: readonly string[] = ["MountOption", "Recursive"];
const profileTypes: readonly string[] = ["Localhost", "RuntimeDefault", "Unconfined"];
const procMounts: readonly string[] = ["Default", "Unmasked"];

function validateId(id: number | undefined, path: FieldPath, errors: FieldErrors): void {
  if (id !== undefined && (id < 0 || id > idMax)) errors.invalid(path, id, idRange);
}

function validateChoice(
  value: string | undefined,
  supported: readonly string[],
  path: FieldPath,
  errors: FieldErrors,
): void {
  if (value !== undefined && !supported.includes(value))
    errors.notSupported(path, asJson(value), supported);
}

export function validatePodSecurityContext(
  spec: PodSpec,
  specPath: FieldPath,
  errors: FieldErrors,
): void {
  const context = spec.securityContext;
  const path = specPath.child("securityContext");
  if (spec.hostNetwork === true) validateHostNetwork(spec, specPath, errors);
  if (context === undefined) return;
  validateId(context.fsGroup, path.child("fsGroup"), errors);
  validateId(context.runAsUser, path.child("runAsUser"), errors);
  validateId(context.runAsGroup, path.child("runAsGroup"), errors);
  context.supplementalGroups?.forEach((group, index) => {
    validateId(group, path.child("supplementalGroups").index(index), errors);
  });
  if (spec.shareProcessNamespace === true && spec.hostPID === true) {
    errors.invalid(
      path.child("shareProcessNamespace"),
      true,
      "ShareProcessNamespace and HostPID cannot both be enabled",
    );
  }
  validateSysctls(context.sysctls ?? [], path.child("sysctls"), errors);
  validateChoice(
    context.fsGroupChangePolicy,
    fsGroupChangePolicies,
    path.child("fsGroupChangePolicy"),
    errors,
  );
  validateSeccomp(context.seccompProfile, path.child("seccompProfile"), errors);
  validateAppArmor(context.appArmorProfile, path.child("appArmorProfile"), errors);
  validateChoice(
    context.supplementalGroupsPolicy,
    supplementalGroupsPolicies,
    path.child("supplementalGroupsPolicy"),
    errors,
  );
  validateChoice(
    context.seLinuxChangePolicy,
    seLinuxChangePolicies,
    path.child("seLinuxChangePolicy"),
    errors,
  );
}

/** Ports of a pod on the host's network are the host's. */
function validateHostNetwork(spec: PodSpec, specPath: FieldPath, errors: FieldErrors): void {
  spec.containers?.forEach((container, index) => {
    container.ports?.forEach((port, position) => {
      if (port.hostPort === port.containerPort) return;
      const at = specPath
        .child("containers")
        .index(index)
        .child("ports")
        .index(position)
        .child("containerPort");
      errors.invalid(at, port.containerPort, "must match `hostPort` when `hostNetwork` is true");
    });
  });
}

const sysctlPattern =
  /^([a-z0-9]([-_a-z0-9]*[a-z0-9])?[./])*[a-z0-9][-_a-z0-9]*[a-z0-9]$|^([a-z0-9]([-_a-z0-9]*[a-z0-9])?[./])*[a-z0-9]$/;

function validateSysctls(sysctls: readonly Sysctl[], path: FieldPath, errors: FieldErrors): void {
  const names = new Set<string>();
  sysctls.forEach(({ name }, index) => {
    const at = path.index(index).child("name");
    if (name === "") errors.required(at);
    else if (name.length > 253 || !sysctlPattern.test(name)) {
      const detail =
        "must have at most 253 characters and match regex ^([a-z0-9]([-_a-z0-9]*[a-z0-9])?[\\./])*[a-z0-9]([-_a-z0-9]*[a-z0-9])?$";
      errors.invalid(at, name, detail);
    } else if (names.has(name)) errors.duplicate(at, name);
    names.add(name);
  });
}

/** Localhost needs a path, nothing else may have one. */
function validateSeccomp(
  profile: SeccompProfile | undefined,
  path: FieldPath,
  errors: FieldErrors,
): void {
  if (profile === undefined) return;
  const { type, localhostProfile } = profile;
  if (type === "")
    errors.required(path.child("type"), "type is required when seccompProfile is set");
  if (type === "Localhost") {
    if (localhostProfile === undefined) {
      errors.required(path.child("localhostProfile"), "must be set when seccomp type is Localhost");
    } else if (localhostProfile.startsWith("/")) {
      errors.invalid(path.child("localhostProfile"), localhostProfile, "must be a relative path");
    }
    return;
  }
  if (localhostProfile !== undefined) {
    errors.invalid(
      path.child("localhostProfile"),
      asJson(localhostProfile),
      "can only be set when seccomp type is Localhost",
    );
  }
  if (type !== "") validateChoice(type, profileTypes, path.child("type"), errors);
}

function validateAppArmor(
  profile: AppArmorProfile | undefined,
  path: FieldPath,
  errors: FieldErrors,
): void {
  if (profile === undefined) return;
  const { type, localhostProfile } = profile;
  if (type === "Localhost") {
    if (localhostProfile === undefined) {
      errors.required(
        path.child("localhostProfile"),
        "must be set when AppArmor type is Localhost",
      );
    }
    return;
  }
  if (type === "")
    errors.required(path.child("type"), "type is required when appArmorProfile is set");
  else validateChoice(type, profileTypes, path.child("type"), errors);
  if (localhostProfile !== undefined) {
    errors.invalid(
      path.child("localhostProfile"),
      asJson(localhostProfile),
      "can only be set when AppArmor type is Localhost",
    );
  }
}

export function validateContainerSecurityContext(
  context: SecurityContext | undefined,
  path: FieldPath,
  errors: FieldErrors,
): void {
  if (context === undefined) return;
  validateId(context.runAsUser, path.child("runAsUser"), errors);
  validateId(context.runAsGroup, path.child("runAsGroup"), errors);
  validateChoice(context.procMount, procMounts, path.child("procMount"), errors);
  validateSeccomp(context.seccompProfile, path.child("seccompProfile"), errors);
  if (context.allowPrivilegeEscalation === false) {
    if (context.privileged === true) {
      errors.invalid(
        path,
        asJson(goStruct("SecurityContext", context)),
        "cannot set `allowPrivilegeEscalation` to false and `privileged` to true",
      );
    }
    if (context.capabilities?.add?.includes("CAP_SYS_ADMIN") === true) {
      const detail =
        "cannot set `allowPrivilegeEscalation` to false and `capabilities.Add` CAP_SYS_ADMIN";
      errors.invalid(path, asJson(goStruct("SecurityContext", context)), detail);
    }
  }
  validateAppArmor(context.appArmorProfile, path.child("appArmorProfile"), errors);
}
