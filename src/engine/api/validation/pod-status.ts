/**
 * The status of a pod. Upstream: pkg/apis/core/validation ValidatePodStatusUpdate, v1.36. Not modeled: the health of its
 * devices, claims for extended resources.
 */

import { isRestarted } from "../../matching/restart-policy.ts";
import { nominatesBeforeBinding } from "../../version-differences.ts";
import { asJson, type FieldErrors } from "../field-error.ts";
import { type FieldPath, metadataPath, statusPath } from "../field-path.ts";
import { checkLabelKey, checkSubdomain } from "../names/names.ts";
import { containersAtCreation } from "../pod-containers.ts";
import type { ContainerStatus, HostIP, Pod, PodIP, PodSpec, PodStatus } from "../types.ts";
import { isAddress, isIPv6, validateAddress } from "./addresses.ts";
import { validateAnnotationsKept, validatePodAnnotations } from "./pod-annotations.ts";
import { validateId } from "./security-context.ts";

const systemConditions: readonly string[] = ["PodScheduled", "Ready", "Initialized"];

export function validatePodStatus(next: Pod, old: Pod, errors: FieldErrors): void {
  const status: PodStatus = next.status ?? {};
  const before: PodStatus = old.status ?? {};
  const { annotations = {} } = next.metadata;
  const annotationsPath = metadataPath.child("annotations");
  validateAnnotationsKept(annotations, old.metadata.annotations ?? {}, annotationsPath, errors);
  validatePodAnnotations(annotations, old.spec, annotationsPath, errors);
  status.conditions?.forEach(({ type, observedGeneration }, index) => {
    const path = statusPath.child("conditions").index(index);
    validateGeneration(observedGeneration, path, errors);
    if (!systemConditions.includes(type))
      errors.invalidEach(path.child("Type"), type, checkLabelKey(type));
  });
  const { nominatedNodeName: node = "" } = status;
  if (node !== "" && node !== before.nominatedNodeName) {
    const path = statusPath.child("nominatedNodeName");
    errors.invalidEach(path, node, checkSubdomain(node));
    if (nominatesBeforeBinding(errors.version) && (old.spec.nodeName ?? "") !== "")
      errors.forbidden(path, "may not be set on pods that are already bound to a node");
  }
  validateGeneration(status.observedGeneration, statusPath, errors);
  if ((status.qosClass ?? "") !== (before.qosClass ?? ""))
    errors.invalid(
      statusPath.child("qosClass"),
      asJson(status.qosClass ?? ""),
      "field is immutable",
    );
  for (const list of lists) validateTransitions(status, before, list, old.spec, errors);
  validateClaimNames(status, old.spec, errors);
  validateAddresses(status.podIPs ?? [], before.podIPs ?? [], "podIPs", errors);
  validateHostAddresses(status, before, errors);
  for (const list of lists)
    status[list]?.forEach((container, index) => {
      validateUser(container, statusPath.child(list).index(index), old.spec, errors);
    });
}

function validateGeneration(
  generation: number | undefined,
  path: FieldPath,
  errors: FieldErrors,
): void {
  if (generation !== undefined && generation < 0)
    errors.invalid(path.child("observedGeneration"), generation, "must be a non-negative integer");
}

const containersOf = {
  containerStatuses: "containers",
  initContainerStatuses: "initContainers",
} as const;

const lists = ["containerStatuses", "initContainerStatuses", "ephemeralContainerStatuses"] as const;

/** A terminated container that is not restarted stays terminated. */
function validateTransitions(
  status: PodStatus,
  before: PodStatus,
  list: (typeof lists)[number],
  spec: PodSpec,
  errors: FieldErrors,
): void {
  const containers = list === "ephemeralContainerStatuses" ? undefined : spec[containersOf[list]];
  const isAnyRestartingAll = containersAtCreation(spec).some(({ restartPolicyRules }) =>
    restartPolicyRules?.some(({ action }) => action === "RestartAllContainers"),
  );
  if (containers !== undefined && isAnyRestartingAll) return;
  before[list]?.forEach(({ name, state }, index) => {
    const terminated = state?.terminated;
    if (terminated === undefined) return;
    const container = containers?.find((each) => each.name === name);
    if (container !== undefined && isRestarted(container, spec, terminated.exitCode)) return;
    const runsAgain = status[list]?.some(
      ({ name: other, state: next }) => other === name && next?.terminated === undefined,
    );
    if (runsAgain !== true) return;
    const path = statusPath.child(list).index(index).child("state");
    errors.forbidden(path, "may not be transitioned to non-terminated state");
  });
}

/** Upstream: validatePodResourceClaimStatuses. */
function validateClaimNames(
  { resourceClaimStatuses = [] }: PodStatus,
  { resourceClaims = [] }: PodSpec,
  errors: FieldErrors,
): void {
  const seen = new Set<string>();
  resourceClaimStatuses.forEach(({ name, resourceClaimName }, index) => {
    const at = statusPath.child("resourceClaimStatuses").index(index);
    const path = at.child("name");
    if (!resourceClaims.some((claim) => claim.name === name))
      errors.invalid(path, name, "must match the name of an entry in `spec.resourceClaims`");
    if (seen.has(name)) errors.duplicate(path, name);
    seen.add(name);
    if (resourceClaimName !== undefined)
      errors.invalidEach(
        at.child("resourceClaimName"),
        resourceClaimName,
        checkSubdomain(resourceClaimName),
      );
  });
}

/** Upstream: validateHostIPs. */
function validateHostAddresses(
  { hostIP = "", hostIPs = [] }: PodStatus,
  before: PodStatus,
  errors: FieldErrors,
): void {
  const first = hostIPs[0]?.ip;
  if (first !== undefined && first !== hostIP)
    errors.invalid(
      statusPath.child("hostIPs").index(0).child("ip"),
      first,
      "must be equal to `hostIP`",
    );
  validateAddresses(hostIPs, before.hostIPs ?? [], "hostIPs", errors);
}

/** At most one address of each family. Upstream: validatePodIPs, k8s.io/utils/net IsDualStackIPStrings. */
function validateAddresses(
  list: readonly (PodIP | HostIP)[],
  before: readonly (PodIP | HostIP)[],
  name: "podIPs" | "hostIPs",
  errors: FieldErrors,
): void {
  const path = statusPath.child(name);
  const addresses = list.map(({ ip }) => ip);
  const stored = before.map(({ ip }) => ip);
  addresses.forEach((ip, index) => {
    validateAddress(ip, path.index(index), errors, stored);
  });
  if (addresses.length < 2) return;
  const bad = addresses.findIndex((ip) => !isAddress(ip));
  if (bad >= 0)
    errors.raw(
      "InternalError",
      path.toString(),
      `Internal error: failed to check for dual stack with error:invalid IP[${bad}]: ${addresses[bad]}`,
    );
  const sixes = addresses.filter(isIPv6).length;
  if (bad >= 0 || addresses.length > 2 || sixes !== 1) {
    // The server's internal type, whose fields have no JSON names.
    const shown = asJson(addresses.map((ip) => ({ IP: ip })));
    errors.invalid(path, shown, "may specify no more than one IP for each IP family");
  }
}

/** Upstream: validateContainerStatusUsers. */
function validateUser(
  { user }: ContainerStatus,
  path: FieldPath,
  { os }: PodSpec,
  errors: FieldErrors,
): void {
  const linux = user?.linux;
  if (linux === undefined) return;
  const at = path.child("user").child("linux");
  if (os?.name === "windows") {
    errors.forbidden(at, "cannot be set for a windows pod");
    return;
  }
  validateId(linux.uid, at.child("uid"), errors);
  validateId(linux.gid, at.child("gid"), errors);
  linux.supplementalGroups?.forEach((group, index) => {
    validateId(group, at.child("supplementalGroups").index(index), errors);
  });
}
