/**
 * Containers of pods and pod templates. Upstream: pkg/apis/core/validation validateContainers, validateInitContainers,
 * validateContainerCommon, validateContainerPorts, v1.36.
 */
import { asJson, type FieldErrors } from "../field-error.ts";
import type { FieldPath } from "../field-path.ts";
import { checkLabel } from "../names/names.ts";
import { isSidecar } from "../pod-containers.ts";
import { TextSet } from "../text-set.ts";
import type { Container, ContainerPort, EphemeralContainer, PodSpec } from "../types.ts";
import { validateEnv, validateEnvFrom } from "./environment.ts";
import {
  checkPortName,
  validateLifecycle,
  validatePortNumber,
  validateProbes,
} from "./handlers.ts";
import type { UsableVolumes } from "./pod-volumes.ts";
import { validateInitResizePolicy, validateResizePolicy } from "./resize-policy.ts";
import { validateContainerResources } from "./resource-requirements.ts";
import { validateRestarts } from "./restart-rules.ts";
import { validateContainerSecurityContext } from "./security-context.ts";
import { validateVolumeDevices, validateVolumeMounts } from "./volume-mounts.ts";

const pullPolicies: readonly string[] = ["Always", "IfNotPresent", "Never"];
const messagePolicies: readonly string[] = ["File", "FallbackToLogsOnError"];
const protocols: readonly string[] = ["SCTP", "TCP", "UDP"];

export function validateContainers(
  spec: PodSpec,
  volumes: UsableVolumes,
  path: FieldPath,
  errors: FieldErrors,
): void {
  const containers = spec.containers ?? [];
  if (containers.length === 0) {
    errors.required(path);
    return;
  }
  const names = new TextSet();
  containers.forEach((container, index) => {
    const at = path.index(index);
    validateCommon(container, spec, volumes, at, errors);
    if (names.has(container.name)) errors.duplicate(at.child("name"), container.name);
    names.add(container.name);
    validateLifecycle(
      container.lifecycle,
      spec.terminationGracePeriodSeconds ?? 0,
      at.child("lifecycle"),
      errors,
    );
    validateProbes(container, at, errors);
    validateRestarts(container, at, errors);
  });
  validateHostPorts(containers, path, errors);
}

/** Init containers run one by one, so host ports are compared only within each of them. */
export function validateInitContainers(
  spec: PodSpec,
  volumes: UsableVolumes,
  path: FieldPath,
  errors: FieldErrors,
): void {
  if (spec.initContainers === undefined) return;
  const names = new Set((spec.containers ?? []).map((container) => container.name));
  spec.initContainers.forEach((container, index) => {
    const at = path.index(index);
    validateCommon(container, spec, volumes, at, errors);
    validateRestarts(container, at, errors, true);
    if (names.has(container.name)) errors.duplicate(at.child("name"), container.name);
    else if (container.name !== "") names.add(container.name);
    validateHostPorts([container], path, errors);
    if (isSidecar(container)) {
      validateLifecycle(
        container.lifecycle,
        spec.terminationGracePeriodSeconds ?? 0,
        at.child("lifecycle"),
        errors,
      );
      validateProbes(container, at, errors);
    } else {
      for (const field of [
        "lifecycle",
        "livenessProbe",
        "readinessProbe",
        "startupProbe",
      ] as const) {
        if (container[field] === undefined) continue;
        errors.forbidden(
          at.child(field),
          "may not be set for init containers without restartPolicy=Always",
        );
      }
      validateInitResizePolicy(container, at.child("resizePolicy"), errors);
    }
  });
}

/** Rules for all kinds of containers. Upstream: validateContainerCommon. */
export function validateCommon(
  container: Container,
  spec: PodSpec,
  volumes: UsableVolumes,
  path: FieldPath,
  errors: FieldErrors,
): void {
  const { name, image = "", imagePullPolicy = "", terminationMessagePolicy = "" } = container;
  if (name === "") errors.required(path.child("name"));
  else errors.invalidEach(path.child("name"), name, checkLabel(name));
  if (image === "") errors.required(path.child("image"));
  if (!messagePolicies.includes(terminationMessagePolicy)) {
    errors.notSupported(
      path.child("terminationMessagePolicy"),
      asJson(terminationMessagePolicy),
      messagePolicies,
    );
  }
  validatePorts(container.ports ?? [], path.child("ports"), errors);
  validateEnv(container.env ?? [], path.child("env"), errors);
  validateEnvFrom(container.envFrom ?? [], path.child("envFrom"), errors);
  validateVolumeMounts(container, volumes, path.child("volumeMounts"), errors);
  validateVolumeDevices(container, volumes, path.child("volumeDevices"), errors);
  if (!pullPolicies.includes(imagePullPolicy)) {
    errors.notSupported(path.child("imagePullPolicy"), asJson(imagePullPolicy), pullPolicies);
  }
  validateContainerResources(
    container.resources,
    spec.resourceClaims,
    path.child("resources"),
    errors,
  );
  validateResizePolicy(
    container.resizePolicy,
    spec.restartPolicy,
    path.child("resizePolicy"),
    errors,
  );
  validateContainerSecurityContext(
    container.securityContext,
    spec,
    path.child("securityContext"),
    errors,
  );
}

/** Refuses padded images in pods; templates may hold placeholders. Upstream: validateContainersOnlyForPod. */
export function validateImages(
  containers: readonly Container[] | undefined,
  path: FieldPath,
  errors: FieldErrors,
): void {
  containers?.forEach((container, index) => {
    validateImage(container, path.index(index), errors);
  });
}

export function validateImage(
  { image = "" }: Container | EphemeralContainer,
  path: FieldPath,
  errors: FieldErrors,
): void {
  if (image === image.trim()) return;
  errors.invalid(path.child("image"), image, "must not have leading or trailing whitespace");
}

function validatePorts(
  ports: readonly ContainerPort[],
  path: FieldPath,
  errors: FieldErrors,
): void {
  const names = new TextSet();
  ports.forEach(({ name = "", containerPort, hostPort = 0, protocol = "" }, index) => {
    const at = path.index(index);
    if (name !== "") {
      const complaints = checkPortName(name);
      errors.invalidEach(at.child("name"), name, complaints);
      if (complaints.length === 0) {
        if (names.has(name)) errors.duplicate(at.child("name"), name);
        names.add(name);
      }
    }
    if (containerPort === 0) errors.required(at.child("containerPort"));
    else validatePortNumber(containerPort, at.child("containerPort"), errors);
    if (hostPort !== 0) validatePortNumber(hostPort, at.child("hostPort"), errors);
    if (!protocols.includes(protocol))
      errors.notSupported(at.child("protocol"), asJson(protocol), protocols);
  });
}

/** Upstream: AccumulateUniqueHostPorts. */
function validateHostPorts(
  containers: readonly Container[],
  path: FieldPath,
  errors: FieldErrors,
): void {
  const taken = new TextSet();
  containers.forEach((container, index) => {
    container.ports?.forEach(({ protocol, hostIP = "", hostPort = 0 }, position) => {
      if (hostPort === 0) return;
      const port = `${protocol}/${hostIP}/${hostPort}`;
      if (taken.has(port))
        errors.duplicate(path.index(index).child("ports").index(position).child("hostPort"), port);
      taken.add(port);
    });
  });
}
