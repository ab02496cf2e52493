/**
 * Security contexts. Upstream: pkg/apis/core/validation validatePodSpecSecurityContext, ValidateSecurityContext, v1.36.
 * Not modeled: SELinux options' contents, sysctl name patterns beyond their characters.
 */
import { asJson, type FieldErrors } from "../field-error.ts";
import type { FieldPath } from "../field-path.ts";
import { goStruct } from "../go/struct.ts";
import { byteLength } from "../go/text.ts";
import { sysctlWithDots } from "../names/sysctl.ts";
import { TextSet } from "../text-set.ts";
import type {
  AppArmorProfile,
  PodSpec,
  SeccompProfile,
  SecurityContext,
  Sysctl,
} from "../types.ts";
import { validateDescendingPath } from "./volume-sources.ts";
import { validateWindowsOptions } from "./windows-options.ts";

const idMax = 2_147_483_647;
const idRange = `must be between 0 and ${idMax}, inclusive`;
const fsGroupChangePolicies: readonly string[] = ["Always", "OnRootMismatch"];
const supplementalGroupsPolicies: readonly string[] = ["Merge", "Strict"];
const seLinuxChangePolicies: readonly string[] = ["MountOption", "Recursive"];
/** All that a new pod may ask for as long as the gate SELinuxMount is off. */
const seLinuxChangePoliciesOfNewPods: readonly string[] = ["Recursive"];
const profileTypes: readonly string[] = ["Localhost", "RuntimeDefault", "Unconfined"];
const profileBytesMax = 4095;
const procMounts: readonly string[] = ["Default", "Unmasked"];

export function validateId(id: number | undefined, path: FieldPath, errors: FieldErrors): void {
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
  if (context.sysctls !== undefined)
    validateSysctls(context.sysctls, spec, path.child("sysctls"), errors);
  validateChoice(
    context.fsGroupChangePolicy,
    fsGroupChangePolicies,
    path.child("fsGroupChangePolicy"),
    errors,
  );
  validateSeccomp(context.seccompProfile, path.child("seccompProfile"), errors);
  validateWindowsOptions(context.windowsOptions, path.child("windowsOptions"), errors);
  validateAppArmor(context.appArmorProfile, path.child("appArmorProfile"), errors);
  validateChoice(
    context.supplementalGroupsPolicy,
    supplementalGroupsPolicies,
    path.child("supplementalGroupsPolicy"),
    errors,
  );
  validateChoice(
    context.seLinuxChangePolicy,
    errors.flaws.has("seLinuxChangePolicy")
      ? seLinuxChangePolicies
      : seLinuxChangePoliciesOfNewPods,
    path.child("seLinuxChangePolicy"),
    errors,
  );
}

const sysctlPattern =
  /^([a-z0-9]([-_a-z0-9]*[a-z0-9])?[./])*[a-z0-9][-_a-z0-9]*[a-z0-9]$|^([a-z0-9]([-_a-z0-9]*[a-z0-9])?[./])*[a-z0-9]$/;

function validateSysctls(
  sysctls: readonly Sysctl[],
  spec: PodSpec,
  path: FieldPath,
  errors: FieldErrors,
): void {
  const names = new TextSet();
  sysctls.forEach(({ name }, index) => {
    const at = path.index(index).child("name");
    if (name === "") errors.required(at);
    else if (name.length > 253 || !sysctlPattern.test(name)) {
      const detail =
        "must have at most 253 characters and match regex ^([a-z0-9]([-_a-z0-9]*[a-z0-9])?[\\./])*[a-z0-9]([-_a-z0-9]*[a-z0-9])?$";
      errors.invalid(at, name, detail);
    } else if (names.has(name)) errors.duplicate(at, name);
    if (!errors.flaws.has("hostSysctls")) validateHostSysctl(name, spec, at, errors);
    names.add(name);
  });
}

/** A pod in a namespace of the host cannot set sysctls of that namespace. Upstream: ValidateHostSysctl. */
export function validateHostSysctl(
  sysctl: string,
  spec: PodSpec,
  path: FieldPath,
  errors: FieldErrors,
): void {
  const name = sysctlWithDots(sysctl);
  if (spec.hostNetwork === true && name.startsWith("net."))
    errors.invalid(path, sysctl, "may not be specified when 'hostNetwork' is true");
  else if (spec.hostIPC === true && /^(kernel\.(sem$|shm|msg)|fs\.mqueue\.)/.test(name))
    errors.invalid(path, sysctl, "may not be specified when 'hostIPC' is true");
}

/** Localhost needs a path; other types must not have one. */
function validateSeccomp(
  profile: SeccompProfile | undefined,
  path: FieldPath,
  errors: FieldErrors,
): void {
  if (profile === undefined) return;
  const { type, localhostProfile } = profile;
  if (type === "")
    errors.required(path.child("type"), "type is required when seccompProfile is set");
  else validateChoice(type, profileTypes, path.child("type"), errors);
  const at = path.child("localhostProfile");
  if (type === "Localhost") {
    if (localhostProfile === undefined)
      errors.required(at, "must be set when seccomp type is Localhost");
    else validateDescendingPath(localhostProfile, at, errors);
  } else if (localhostProfile !== undefined) {
    errors.invalid(
      at,
      asJson(goStruct("SeccompProfile", profile)),
      "can only be set when seccomp type is Localhost",
    );
  }
}

export function validateAppArmor(
  profile: AppArmorProfile | undefined,
  path: FieldPath,
  errors: FieldErrors,
): void {
  if (profile === undefined) return;
  const { type, localhostProfile } = profile;
  const at = path.child("localhostProfile");
  if (type === "Localhost") validateAppArmorName(localhostProfile, at, errors);
  else if (type === "")
    errors.required(path.child("type"), "type is required when appArmorProfile is set");
  else if (!profileTypes.includes(type))
    errors.notSupported(path.child("type"), asJson(type), profileTypes);
  else if (localhostProfile !== undefined)
    errors.invalid(at, localhostProfile, "can only be set when AppArmor type is Localhost");
}

function validateAppArmorName(
  name: string | undefined,
  path: FieldPath,
  errors: FieldErrors,
): void {
  const missing = "must be set when AppArmor type is Localhost";
  if (name === undefined) {
    errors.required(path, missing);
    return;
  }
  if (name.trim() !== name) errors.invalid(path, name, "must not be padded with whitespace");
  else if (name === "") errors.required(path, missing);
  if (byteLength(name) > profileBytesMax) errors.tooLong(path, profileBytesMax);
}

export function validateContainerSecurityContext(
  context: SecurityContext | undefined,
  spec: PodSpec,
  path: FieldPath,
  errors: FieldErrors,
): void {
  if (context === undefined) return;
  validateId(context.runAsUser, path.child("runAsUser"), errors);
  validateId(context.runAsGroup, path.child("runAsGroup"), errors);
  validateChoice(context.procMount, procMounts, path.child("procMount"), errors);
  if (context.procMount === "Unmasked" && spec.hostUsers !== false) {
    errors.invalid(
      path.child("procMount"),
      context.procMount,
      "`hostUsers` must be false to use `Unmasked`",
    );
  }
  validateSeccomp(context.seccompProfile, path.child("seccompProfile"), errors);
  if (context.allowPrivilegeEscalation === false) {
    if (context.privileged === true) {
      errors.invalid(
        path,
        asJson(goStruct("SecurityContext", context)),
        "cannot set `allowPrivilegeEscalation` to false and `privileged` to true",
      );
    }
    for (const capability of context.capabilities?.add ?? []) {
      if (capability !== "CAP_SYS_ADMIN") continue;
      const detail =
        "cannot set `allowPrivilegeEscalation` to false and `capabilities.Add` CAP_SYS_ADMIN";
      errors.invalid(path, asJson(goStruct("SecurityContext", context)), detail);
    }
  }
  validateWindowsOptions(context.windowsOptions, path.child("windowsOptions"), errors);
  validateAppArmor(context.appArmorProfile, path.child("appArmorProfile"), errors);
}
