/**
 * References from environment variables and volumes to the pod's own fields and to ConfigMaps and Secrets.
 * Upstream: pkg/apis/core/validation validateObjectFieldSelector, validateContainerResourceFieldSelector and neighbors;
 * pkg/apis/core/pods ConvertDownwardAPIFieldLabel, v1.36.
 */
import type { FieldErrors } from "../field-error.ts";
import type { FieldPath } from "../field-path.ts";
import { checkConfigKey, checkLabelKey, checkSubdomain } from "../names/names.ts";
import type {
  ConfigMapKeySelector,
  ObjectFieldSelector,
  ResourceFieldSelector,
  SecretKeySelector,
} from "../types.ts";

const convertible: ReadonlySet<string> = new Set([
  "metadata.annotations",
  "metadata.labels",
  "metadata.name",
  "metadata.namespace",
  "metadata.uid",
  "spec.host",
  "spec.nodeName",
  "spec.restartPolicy",
  "spec.schedulerName",
  "spec.serviceAccountName",
  "status.hostIP",
  "status.hostIPs",
  "status.phase",
  "status.podIP",
  "status.podIPs",
]);

export const environmentFields: readonly string[] = [
  "metadata.name",
  "metadata.namespace",
  "metadata.uid",
  "spec.nodeName",
  "spec.serviceAccountName",
  "status.hostIP",
  "status.hostIPs",
  "status.podIP",
  "status.podIPs",
];
export const volumeFields: readonly string[] = [
  "metadata.annotations",
  "metadata.labels",
  "metadata.name",
  "metadata.namespace",
  "metadata.uid",
];

export function validateFieldSelector(
  selector: ObjectFieldSelector,
  allowed: readonly string[],
  path: FieldPath,
  errors: FieldErrors,
): void {
  const { apiVersion = "", fieldPath } = selector;
  const at = path.child("fieldPath");
  if (fieldPath === "") {
    errors.required(at);
    return;
  }
  const [base, subscript] = splitSubscript(fieldPath);
  const problem = conversionProblem(apiVersion, fieldPath, base);
  if (problem !== undefined)
    errors.invalid(at, fieldPath, `error converting fieldPath: ${problem}`);
  else if (base !== undefined && subscript !== undefined)
    validateSubscript(base, subscript, path, errors);
  else {
    const field = fieldPath === "spec.host" ? "spec.nodeName" : fieldPath;
    if (!allowed.includes(field)) errors.notSupported(at, field, allowed);
  }
}

/** Splits `metadata.labels['app']`; empty if there is no subscript. Upstream: fieldpath.SplitMaybeSubscriptedPath. */
function splitSubscript(fieldPath: string): readonly [base?: string, subscript?: string] {
  const end = fieldPath.length - "']".length;
  const start = fieldPath.indexOf("['");
  if (!fieldPath.endsWith("']") || start <= 0 || start + "['".length > end) return [];
  return [fieldPath.slice(0, start), fieldPath.slice(start + "['".length, end)];
}

function conversionProblem(
  apiVersion: string,
  fieldPath: string,
  base: string | undefined,
): string | undefined {
  if (apiVersion !== "v1") return `unsupported pod version: ${apiVersion}`;
  if (base === "metadata.annotations" || base === "metadata.labels" || convertible.has(fieldPath))
    return undefined;
  const problem = base === undefined ? "not supported" : "does not support subscript";
  return `field label ${problem}: ${fieldPath}`;
}

function validateSubscript(
  base: string,
  subscript: string,
  path: FieldPath,
  errors: FieldErrors,
): void {
  const key = base === "metadata.annotations" ? subscript.toLowerCase() : subscript;
  errors.invalidEach(path, key, checkLabelKey(key));
}

const resourceFields: readonly string[] = [
  "limits.cpu",
  "limits.ephemeral-storage",
  "limits.memory",
  "requests.cpu",
  "requests.ephemeral-storage",
  "requests.memory",
];
const byteDivisors: readonly string[] = [
  "1",
  "1k",
  "1M",
  "1G",
  "1T",
  "1P",
  "1E",
  "1Ki",
  "1Mi",
  "1Gi",
  "1Ti",
  "1Pi",
  "1Ei",
];

export function validateResourceFieldSelector(
  selector: ResourceFieldSelector,
  inVolume: boolean,
  path: FieldPath,
  errors: FieldErrors,
): void {
  const { containerName = "", resource } = selector;
  if (inVolume && containerName === "") errors.required(path.child("containerName"));
  else if (resource === "") errors.required(path.child("resource"));
  else if (!resourceFields.includes(resource) && !/^(limits|requests)\.hugepages-/.test(resource)) {
    errors.notSupported(path.child("resource"), resource, resourceFields);
  }
  validateDivisor(resource, selector.divisor ?? "0", path.child("divisor"), errors);
}

function validateDivisor(
  resource: string,
  divisor: string,
  path: FieldPath,
  errors: FieldErrors,
): void {
  const [, what] = /^(?:limits|requests)\.(.+)$/s.exec(resource) ?? [];
  if (divisor === "0" || what === undefined) return;
  if (what === "cpu") {
    if (divisor !== "1m" && divisor !== "1") {
      errors.invalid(
        path,
        resource,
        "only divisor's values 1m and 1 are supported with the cpu resource",
      );
    }
    return;
  }
  const named =
    what === "ephemeral-storage"
      ? "local ephemeral storage"
      : what.startsWith("hugepages-")
        ? "hugepages"
        : what;
  if ((named === "memory" || named !== what) && !byteDivisors.includes(divisor)) {
    errors.invalid(
      path,
      resource,
      `only divisor's values ${byteDivisors.join(", ")} are supported with the ${named} resource`,
    );
  }
}

/** A key in a ConfigMap or a Secret. */
export function validateKeySelector(
  selector: ConfigMapKeySelector | SecretKeySelector,
  path: FieldPath,
  errors: FieldErrors,
): void {
  const { name = "" } = selector;
  errors.invalidEach(path.child("name"), name, checkSubdomain(name));
  if (selector.key === "") errors.required(path.child("key"));
  else errors.invalidEach(path.child("key"), selector.key, checkConfigKey(selector.key));
}
