/**
 * Services, as far as workloads with storage need them. Upstream: pkg/apis/core/validation ValidateService, v1.36.
 * Not modelled: address families, load balancer settings, allocation of cluster IPs and node ports.
 */
import { asJson, type FieldErrors } from "../field-error.ts";
import { type FieldPath, specPath } from "../field-path.ts";
import { checkLabel } from "../names.ts";
import type { Service, ServicePort, ServiceSpec } from "../types.ts";
import { validatePortNumber, validatePortNumberOrName } from "./handlers.ts";
import { validateLabels, validateMetaUpdate, validateObjectMeta } from "./object-meta.ts";

const protocols: readonly string[] = ["SCTP", "TCP", "UDP"];
const affinities: readonly string[] = ["ClientIP", "None"];
const types: readonly string[] = ["ClusterIP", "ExternalName", "LoadBalancer", "NodePort"];

export function validateService(service: Service, errors: FieldErrors): void {
  validateObjectMeta(service.metadata, checkLabel, errors);
  validateServiceSpec(service.spec ?? {}, errors);
}

export function validateServiceUpdate(next: Service, old: Service, errors: FieldErrors): void {
  validateMetaUpdate(next.metadata, old.metadata, errors);
  validateAddressKept(next.spec ?? {}, old.spec ?? {}, errors);
  validateServiceSpec(next.spec ?? {}, errors);
}

/** Unless it points outside the cluster before or after, a service keeps its address. */
function validateAddressKept(next: ServiceSpec, old: ServiceSpec, errors: FieldErrors): void {
  if (next.type === "ExternalName" || old.type === "ExternalName") return;
  const [address, before] = [next.clusterIPs?.[0], old.clusterIPs?.[0] ?? old.clusterIP];
  if (before === undefined || address === before) return;
  const detail =
    address === undefined ? "primary clusterIP can not be unset" : "may not change once set";
  errors.invalid(specPath.child("clusterIPs").index(0), asJson(next.clusterIPs ?? []), detail);
}

const addressPattern =
  /^((25[0-5]|2[0-4]\d|1?\d?\d)(\.(?!$)|$)){4}$|^[0-9a-fA-F:.]*:[0-9a-fA-F:.]*$/;

function validateAddresses(spec: ServiceSpec, errors: FieldErrors): void {
  spec.clusterIPs?.forEach((address, index) => {
    const path = specPath.child("clusterIPs").index(index);
    if (address === "None") {
      if (index > 0)
        errors.invalid(path, address, "must be empty string, 'None', or a valid IP address");
    } else if (!addressPattern.test(address)) {
      errors.invalid(
        path,
        address,
        "must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)",
      );
    }
  });
}

function validateServiceSpec(spec: ServiceSpec, errors: FieldErrors): void {
  const isHeadless = spec.clusterIP === "None";
  const ports = spec.ports ?? [];
  if (ports.length === 0 && !isHeadless && spec.type !== "ExternalName")
    errors.required(specPath.child("ports"));
  validatePorts(ports, isHeadless, specPath.child("ports"), errors);
  if (spec.selector !== undefined)
    validateLabels(spec.selector, specPath.child("selector"), errors);
  const { sessionAffinity = "", type = "" } = spec;
  if (!affinities.includes(sessionAffinity))
    errors.notSupported(specPath.child("sessionAffinity"), asJson(sessionAffinity), affinities);
  if (!types.includes(type)) errors.notSupported(specPath.child("type"), asJson(type), types);
  validateRepeatedPorts(ports, specPath.child("ports"), errors);
  validateAddresses(spec, errors);
}

function validatePorts(
  ports: readonly ServicePort[],
  isHeadless: boolean,
  path: FieldPath,
  errors: FieldErrors,
): void {
  const names = new Set<string>();
  ports.forEach((port, index) => {
    const at = path.index(index);
    const { name = "", protocol = "" } = port;
    if (name === "") {
      if (ports.length > 1) errors.required(at.child("name"));
    } else {
      errors.invalidEach(at.child("name"), name, checkLabel(name));
      if (names.has(name)) errors.duplicate(at.child("name"), name);
      names.add(name);
    }
    validatePortNumber(port.port, at.child("port"), errors);
    if (protocol === "") errors.required(at.child("protocol"));
    else if (!protocols.includes(protocol))
      errors.notSupported(at.child("protocol"), asJson(protocol), protocols);
    if (port.targetPort !== undefined)
      validatePortNumberOrName(port.targetPort, at.child("targetPort"), errors);
    if (isHeadless && port.targetPort === undefined) errors.required(at.child("targetPort"));
  });
}

function validateRepeatedPorts(
  ports: readonly ServicePort[],
  path: FieldPath,
  errors: FieldErrors,
): void {
  const seen = new Set<string>();
  ports.forEach(({ protocol = "", port }, index) => {
    const key = `${protocol}/${port}`;
    if (seen.has(key)) {
      errors.duplicate(
        path.index(index),
        asJson({
          Name: "",
          Protocol: protocol,
          AppProtocol: null,
          Port: port,
          TargetPort: 0,
          NodePort: 0,
        }),
      );
    }
    seen.add(key);
  });
}
