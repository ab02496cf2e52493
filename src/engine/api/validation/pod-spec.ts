/**
 * Pods and pod templates. Upstream: pkg/apis/core/validation ValidatePodCreate, ValidatePodSpec, ValidatePodTemplateSpec, v1.36.
 */
import { mirrorPod } from "../annotation-keys.ts";
import { asJson, type FieldErrors } from "../field-error.ts";
import { type FieldPath, metadataPath, specPath } from "../field-path.ts";
import { checkLabel, checkLabelKey, checkSubdomain } from "../names/names.ts";
import { TextSet } from "../text-set.ts";
import type { ObjectMeta, Pod, PodSpec, PodTemplateSpec } from "../types.ts";
import { validateAddress } from "./addresses.ts";
import { validateContainers, validateImages, validateInitContainers } from "./containers.ts";
import { validateDnsConfig } from "./dns-config.ts";
import { validateFileVolumes } from "./environment.ts";
import { validateEphemeralContainers } from "./ephemeral-containers.ts";
import { validateAnnotations, validateLabels, validateObjectMeta } from "./object-meta.ts";
import { validatePodAnnotations, validateProfilesMatch } from "./pod-annotations.ts";
import {
  validateHostName,
  validateHostNetwork,
  validateHostUsers,
  validateOperatingSystem,
} from "./pod-host.ts";
import {
  refuseClaims,
  validateOverhead,
  validatePodClaims,
  validatePodResources,
} from "./pod-resources.ts";
import { validateVolumes } from "./pod-volumes.ts";
import { validateAffinity, validateTolerations, validateTopologySpread } from "./scheduling.ts";
import { validatePodSecurityContext } from "./security-context.ts";
import { validateHostProcess } from "./windows-options.ts";

const restartPolicies: readonly string[] = ["Always", "OnFailure", "Never"];
const dnsPolicies: readonly string[] = [
  "ClusterFirstWithHostNet",
  "ClusterFirst",
  "Default",
  "None",
];
const preemptionPolicies: readonly string[] = ["PreemptLowerPriority", "Never"];
const secondsMax = 2_147_483_647;

export function validatePodCreate(pod: Pod, errors: FieldErrors): void {
  validatePod(pod, errors);
  if ((pod.spec.ephemeralContainers ?? []).length > 0) {
    errors.forbidden(specPath.child("ephemeralContainers"), "cannot be set on create");
  }
  if ((pod.spec.nodeName ?? "") !== "" && (pod.spec.schedulingGates ?? []).length > 0) {
    errors.forbidden(
      specPath.child("nodeName"),
      "cannot be set until all schedulingGates have been cleared",
    );
  }
  validateProfilesMatch(pod.metadata.annotations ?? {}, pod.spec, specPath, errors);
}

/** Upstream: validatePodMetadataAndSpec. */
export function validatePod(pod: Pod, errors: FieldErrors): void {
  validateObjectMeta(pod.metadata, checkSubdomain, errors);
  const { annotations = {} } = pod.metadata;
  validatePodAnnotations(annotations, pod.spec, metadataPath.child("annotations"), errors);
  validatePodSpec(pod.spec, pod.metadata, specPath, errors);
  validateTokensHaveAccount(pod.spec, errors);
  validateImages(pod.spec.containers, specPath.child("containers"), errors);
  validateImages(pod.spec.initContainers, specPath.child("initContainers"), errors);
}

function validateTokensHaveAccount(spec: PodSpec, errors: FieldErrors): void {
  if ((spec.serviceAccountName ?? "") !== "") return;
  spec.volumes?.forEach((volume, index) => {
    volume.projected?.sources?.forEach((source, position) => {
      if (source.serviceAccountToken === undefined) return;
      const at = specPath
        .child("volumes")
        .index(index)
        .child("projected")
        .child("sources")
        .index(position);
      errors.forbidden(
        at.child("serviceAccountToken"),
        "must not be specified when serviceAccountName is not set",
      );
    });
  });
}

export function validatePodTemplate(
  template: PodTemplateSpec | undefined,
  path: FieldPath,
  errors: FieldErrors,
): void {
  validateLabels(template?.metadata?.labels, path.child("labels"), errors);
  validateAnnotations(template?.metadata?.annotations, path.child("annotations"), errors);
  if (template?.spec === undefined) return;
  const annotations = template.metadata?.annotations ?? {};
  validatePodAnnotations(annotations, template.spec, path.child("annotations"), errors);
  validatePodSpec(template.spec, undefined, path.child("spec"), errors);
  validateProfilesMatch(annotations, template.spec, path.child("spec"), errors);
  if ((template.spec.ephemeralContainers ?? []).length > 0) {
    errors.forbidden(
      path.child("spec").child("ephemeralContainers"),
      "ephemeral containers not allowed in pod template",
    );
  }
}

/** `metadata` is the pod's, undefined in templates. */
function validatePodSpec(
  spec: PodSpec,
  metadata: ObjectMeta | undefined,
  path: FieldPath,
  errors: FieldErrors,
): void {
  const volumes = validateVolumes(
    spec.volumes ?? [],
    metadata?.name,
    path.child("volumes"),
    errors,
  );
  if (metadata?.annotations?.[mirrorPod] === undefined)
    validatePodClaims(spec, path.child("resourceClaims"), errors);
  else refuseClaims(spec, errors);
  validateContainers(spec, volumes, path.child("containers"), errors);
  validateInitContainers(spec, volumes, path.child("initContainers"), errors);
  validateEphemeralContainers(spec, volumes, path.child("ephemeralContainers"), errors);
  validatePodResources(spec, path.child("resources"), errors);
  validateHostNetwork(spec, metadata === undefined, path, errors);
  const { restartPolicy = "", dnsPolicy = "" } = spec;
  if (!restartPolicies.includes(restartPolicy))
    errors.notSupported(path.child("restartPolicy"), asJson(restartPolicy), restartPolicies);
  if (!dnsPolicies.includes(dnsPolicy))
    errors.notSupported(path.child("dnsPolicy"), asJson(dnsPolicy), dnsPolicies);
  if (spec.nodeSelector !== undefined)
    validateLabels(spec.nodeSelector, path.child("nodeSelector"), errors);
  validatePodSecurityContext(spec, path, errors);
  validateAffinity(spec.affinity, path.child("affinity"), errors);
  validateDnsConfig(spec.dnsConfig, dnsPolicy, path.child("dnsConfig"), errors);
  validateGates(spec, path, errors);
  validateTopologySpread(
    spec.topologySpreadConstraints ?? [],
    path.child("topologySpreadConstraints"),
    errors,
  );
  validateHostProcess(spec, path, errors);
  validateHostUsers(spec, path, errors);
  validateHostName(spec, path.child("hostnameOverride"), errors);
  validateNames(spec, path, errors);
  validateTolerations(spec.tolerations ?? [], path.child("tolerations"), errors);
  validateHostAliases(spec, path.child("hostAliases"), errors);
  validatePriority(spec, path, errors);
  validateOverhead(spec.overhead, path.child("overhead"), errors);
  validateOperatingSystem(spec, path, errors);
  validateFileVolumes(spec, path, errors);
}

function validateGates(spec: PodSpec, path: FieldPath, errors: FieldErrors): void {
  spec.readinessGates?.forEach(({ conditionType }, index) => {
    errors.invalidEach(
      path.child("readinessGates").index(index).child("conditionType"),
      conditionType,
      checkLabelKey(conditionType),
    );
  });
  if (spec.schedulingGates === undefined) return;
  const seen = new TextSet();
  spec.schedulingGates.forEach(({ name }, index) => {
    const at = path.child("schedulingGates").index(index);
    errors.invalidEach(at, name, checkLabelKey(name));
    if (seen.has(name)) errors.duplicate(at, name);
    seen.add(name);
  });
}

function validateNames(spec: PodSpec, path: FieldPath, errors: FieldErrors): void {
  const {
    serviceAccountName = "",
    nodeName = "",
    activeDeadlineSeconds: deadline,
    hostname = "",
    subdomain = "",
  } = spec;
  if (serviceAccountName !== "")
    errors.invalidEach(
      path.child("serviceAccountName"),
      serviceAccountName,
      checkSubdomain(serviceAccountName),
    );
  if (nodeName !== "")
    errors.invalidEach(path.child("nodeName"), nodeName, checkSubdomain(nodeName));
  if (deadline !== undefined && (deadline < 1 || deadline > secondsMax)) {
    errors.invalid(
      path.child("activeDeadlineSeconds"),
      deadline,
      `must be between 1 and ${secondsMax}, inclusive`,
    );
  }
  if (hostname !== "") errors.invalidEach(path.child("hostname"), hostname, checkLabel(hostname));
  if (subdomain !== "")
    errors.invalidEach(path.child("subdomain"), subdomain, checkLabel(subdomain));
}

function validateHostAliases(spec: PodSpec, path: FieldPath, errors: FieldErrors): void {
  spec.hostAliases?.forEach(({ ip, hostnames = [] }, index) => {
    const at = path.index(index);
    validateAddress(ip, at.child("ip"), errors);
    hostnames.forEach((name, position) => {
      errors.invalidEach(at.child("hostnames").index(position), name, checkSubdomain(name));
    });
  });
}

function validatePriority(spec: PodSpec, path: FieldPath, errors: FieldErrors): void {
  const { priorityClassName = "", runtimeClassName, preemptionPolicy } = spec;
  if (priorityClassName !== "")
    errors.invalidEach(
      path.child("priorityClassName"),
      priorityClassName,
      checkSubdomain(priorityClassName),
    );
  if (runtimeClassName !== undefined)
    errors.invalidEach(
      path.child("runtimeClassName"),
      runtimeClassName,
      checkSubdomain(runtimeClassName),
    );
  if (preemptionPolicy === "") errors.required(path.child("preemptionPolicy"));
  else if (preemptionPolicy !== undefined && !preemptionPolicies.includes(preemptionPolicy)) {
    errors.notSupported(
      path.child("preemptionPolicy"),
      asJson(preemptionPolicy),
      preemptionPolicies,
    );
  }
}
