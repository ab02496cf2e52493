/**
 * Containers of pods and pod templates. Upstream: pkg/apis/core/validation validateContainers, validateInitContainers,
 * validateContainerCommon, validateContainerPorts, ValidateContainerResourceRequirements, v1.36.
 */
import { asJson, type FieldErrors } from "../field-error.ts";
import type { FieldPath } from "../field-path.ts";
import { checkLabel } from "../names.ts";
import { compareQuantities, quantityOrZero } from "../quantity.ts";
import { compareText } from "../text-order.ts";
import type { Container, ContainerPort, PodSpec, ResourceRequirements } from "../types.ts";
import { validateEnv, validateEnvFrom } from "./environment.ts";
import {
  checkPortName,
  validateLifecycle,
  validatePortNumber,
  validateProbes,
} from "./handlers.ts";
import type { UsableVolumes } from "./pod-volumes.ts";
import { checkResourceName, quantityValue, validateNonNegativeQuantity } from "./resources.ts";
import { validateContainerSecurityContext } from "./security-context.ts";
import { validateVolumeDevices, validateVolumeMounts } from "./volume-mounts.ts";

const pullPolicies: readonly string[] = ["Always", "IfNotPresent", "Never"];
const messagePolicies: readonly string[] = ["File", "FallbackToLogsOnError"];
const protocols: readonly string[] = ["SCTP", "TCP", "UDP"];
const containerRestartPolicies: readonly string[] = ["Always", "Never", "OnFailure"];

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
  const names = new Set<string>();
  containers.forEach((container, index) => {
    const at = path.index(index);
    validateCommon(container, volumes, at, errors);
    if (names.has(container.name)) errors.duplicate(at.child("name"), container.name);
    names.add(container.name);
    validateLifecycle(
      container.lifecycle,
      spec.terminationGracePeriodSeconds ?? 0,
      at.child("lifecycle"),
      errors,
    );
    validateProbes(container, at, errors);
    validateRestartPolicy(container.restartPolicy, at.child("restartPolicy"), errors);
  });
  validateHostPorts(containers, path, errors);
}

/** Init containers run one by one, so only the ports of one are compared with each other. */
export function validateInitContainers(
  spec: PodSpec,
  volumes: UsableVolumes,
  path: FieldPath,
  errors: FieldErrors,
): void {
  const names = new Set((spec.containers ?? []).map((container) => container.name));
  spec.initContainers?.forEach((container, index) => {
    const at = path.index(index);
    validateRestartPolicy(container.restartPolicy, at.child("restartPolicy"), errors);
    validateCommon(container, volumes, at, errors);
    if (names.has(container.name)) errors.duplicate(at.child("name"), container.name);
    else if (container.name !== "") names.add(container.name);
    validateHostPorts([container], path, errors);
    if (container.restartPolicy === "Always") {
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
    }
  });
}

function validateRestartPolicy(
  policy: string | undefined,
  path: FieldPath,
  errors: FieldErrors,
): void {
  if (policy !== undefined && !containerRestartPolicies.includes(policy)) {
    errors.notSupported(path, asJson(policy), containerRestartPolicies);
  }
}

function validateCommon(
  container: Container,
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
  validateEnv(container.env ?? [], volumes, path.child("env"), errors);
  validateEnvFrom(container.envFrom ?? [], path.child("envFrom"), errors);
  validateVolumeMounts(container, volumes, path.child("volumeMounts"), errors);
  validateVolumeDevices(container, volumes, path.child("volumeDevices"), errors);
  if (!pullPolicies.includes(imagePullPolicy)) {
    errors.notSupported(path.child("imagePullPolicy"), asJson(imagePullPolicy), pullPolicies);
  }
  validateResources(container.resources, path.child("resources"), errors);
  validateContainerSecurityContext(
    container.securityContext,
    path.child("securityContext"),
    errors,
  );
}

/** Templates may hold placeholders, pods may not. Upstream: validateContainersOnlyForPod. */
export function validateImages(
  containers: readonly Container[] | undefined,
  path: FieldPath,
  errors: FieldErrors,
): void {
  containers?.forEach(({ image = "" }, index) => {
    if (image === image.trim()) return;
    errors.invalid(
      path.index(index).child("image"),
      image,
      "must not have leading or trailing whitespace",
    );
  });
}

function validatePorts(
  ports: readonly ContainerPort[],
  path: FieldPath,
  errors: FieldErrors,
): void {
  const names = new Set<string>();
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
    if (protocol === "") errors.required(at.child("protocol"));
    else if (!protocols.includes(protocol))
      errors.notSupported(at.child("protocol"), asJson(protocol), protocols);
  });
}

/** Upstream: AccumulateUniqueHostPorts. */
function validateHostPorts(
  containers: readonly Container[],
  path: FieldPath,
  errors: FieldErrors,
): void {
  const taken = new Set<string>();
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

const containerResources: ReadonlySet<string> = new Set(["cpu", "memory", "ephemeral-storage"]);

export function checkContainerResourceName(name: string): readonly string[] {
  const complaints = checkResourceName(name);
  if (name.includes("/") || containerResources.has(name) || name.startsWith("hugepages-"))
    return complaints;
  return [...complaints, "must be a standard resource for containers"];
}

/** Extended resources and huge pages cannot be asked for below their limit. */
export function mayOvercommit(name: string): boolean {
  return (!name.includes("/") || name.includes("kubernetes.io/")) && !name.startsWith("hugepages-");
}

export function validateResources(
  resources: ResourceRequirements | undefined,
  path: FieldPath,
  errors: FieldErrors,
): void {
  if (resources === undefined) return;
  const { limits, requests } = resources;
  for (const name of Object.keys(limits ?? {}).sort(compareText))
    validateAmount(name, limits?.[name], path.child("limits").key(name), errors);
  for (const name of Object.keys(requests ?? {}).sort(compareText)) {
    validateAmount(name, requests?.[name], path.child("requests").key(name), errors);
    validateWithinLimit(name, resources, path, errors);
  }
}

function validateAmount(
  name: string,
  text: string | undefined,
  path: FieldPath,
  errors: FieldErrors,
): void {
  errors.invalidEach(path, name, checkContainerResourceName(name));
  const quantity = quantityOrZero(text);
  validateNonNegativeQuantity(quantity, path, errors);
  if (
    !containerResources.has(name) &&
    name.includes("/") &&
    quantity.nanos % 1_000_000_000n !== 0n
  ) {
    errors.invalid(path, quantityValue(quantity), "must be an integer");
  }
}

function validateWithinLimit(
  name: string,
  { limits, requests }: ResourceRequirements,
  path: FieldPath,
  errors: FieldErrors,
): void {
  const limit = limits?.[name];
  const request = quantityOrZero(requests?.[name]);
  if (limit === undefined) {
    if (!mayOvercommit(name))
      errors.required(path.child("limits"), "Limit must be set for non overcommitable resources");
    return;
  }
  const order = compareQuantities(request, quantityOrZero(limit));
  if (order !== 0 && !mayOvercommit(name)) {
    errors.invalid(
      path.child("requests"),
      request.text,
      `must be equal to ${name} limit of ${limit}`,
    );
  } else if (order > 0) {
    errors.invalid(
      path.child("requests"),
      request.text,
      `must be less than or equal to ${name} limit of ${limit}`,
    );
  }
}
