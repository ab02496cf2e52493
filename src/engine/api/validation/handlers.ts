/** Probes and lifecycle hooks. Upstream: pkg/apis/core/validation validateProbe, validateHandler and neighbors, v1.36. */
import { allowsSleepOfZero } from "../../version-differences.ts";
import { asJson, type FieldErrors } from "../field-error.ts";
import type { FieldPath } from "../field-path.ts";
import { byteLength } from "../go/text.ts";
import type { Container, HTTPGetAction, Lifecycle, LifecycleHandler, Probe } from "../types.ts";

const portNamePattern = /^[-a-z0-9]+$/;
const plainPortNamePattern = /^[a-z]+(?:-[a-z0-9]+)*$/;
const none: readonly string[] = [];
const portRange = "must be between 1 and 65535, inclusive";

/** Upstream: IsValidPortName. */
export function checkPortName(name: string): readonly string[] {
  if (name.length <= 15 && plainPortNamePattern.test(name)) return none;
  const complaints: string[] = [];
  if (byteLength(name) > 15) complaints.push("must be no more than 15 characters");
  if (!portNamePattern.test(name))
    complaints.push("must contain only alpha-numeric characters (a-z, 0-9), and hyphens (-)");
  if (!/[a-z]/.test(name)) complaints.push("must contain at least one letter (a-z)");
  if (name.includes("--")) complaints.push("must not contain consecutive hyphens");
  if (name.startsWith("-") || name.endsWith("-"))
    complaints.push("must not begin or end with a hyphen");
  return complaints;
}

export function validatePortNumber(port: number, path: FieldPath, errors: FieldErrors): void {
  if (port < 1 || port > 65535) errors.invalid(path, port, portRange);
}

export function validatePortNumberOrName(
  port: number | string,
  path: FieldPath,
  errors: FieldErrors,
): void {
  if (typeof port === "number") validatePortNumber(port, path, errors);
  else errors.invalidEach(path, port, checkPortName(port));
}

export function validateProbes(container: Container, path: FieldPath, errors: FieldErrors): void {
  const { livenessProbe, readinessProbe, startupProbe } = container;
  validateProbe(livenessProbe, path.child("livenessProbe"), errors);
  validateSuccessThreshold(livenessProbe, path.child("livenessProbe"), errors);
  validateProbe(readinessProbe, path.child("readinessProbe"), errors);
  if (readinessProbe?.terminationGracePeriodSeconds !== undefined) {
    const at = path.child("readinessProbe").child("terminationGracePeriodSeconds");
    errors.invalid(
      at,
      readinessProbe.terminationGracePeriodSeconds,
      "must not be set for readinessProbes",
    );
  }
  validateProbe(startupProbe, path.child("startupProbe"), errors);
  validateSuccessThreshold(startupProbe, path.child("startupProbe"), errors);
}

function validateSuccessThreshold(
  probe: Probe | undefined,
  path: FieldPath,
  errors: FieldErrors,
): void {
  if (probe?.successThreshold !== undefined && probe.successThreshold !== 1) {
    errors.invalid(path.child("successThreshold"), probe.successThreshold, "must be 1");
  }
}

const amounts = [
  "initialDelaySeconds",
  "timeoutSeconds",
  "periodSeconds",
  "successThreshold",
  "failureThreshold",
] as const;

function validateProbe(probe: Probe | undefined, path: FieldPath, errors: FieldErrors): void {
  if (probe === undefined) return;
  validateHandler(probe, path, errors);
  for (const field of amounts) {
    const value = probe[field] ?? 0;
    if (value < 0) errors.invalid(path.child(field), value, "must be greater than or equal to 0");
  }
  const grace = probe.terminationGracePeriodSeconds;
  if (grace !== undefined && grace <= 0) {
    errors.invalid(path.child("terminationGracePeriodSeconds"), grace, "must be greater than 0");
  }
}

export function validateLifecycle(
  lifecycle: Lifecycle | undefined,
  graceSeconds: number,
  path: FieldPath,
  errors: FieldErrors,
): void {
  if (lifecycle === undefined) return;
  for (const hook of ["postStart", "preStop"] as const) {
    const handler = lifecycle[hook];
    if (handler !== undefined) validateHandler(handler, path.child(hook), errors, graceSeconds);
  }
}

/** The end of the message before 1.33. */
const sleepOfZeroHelp =
  ". Enable AllowPodLifecycleSleepActionZeroValue feature gate for zero sleep.";

/** Exactly one type of handler must be specified. */
function validateHandler(
  handler: Probe | LifecycleHandler,
  path: FieldPath,
  errors: FieldErrors,
  graceSeconds = 0,
): void {
  let found = false;
  const choose = (name: string, validate: (at: FieldPath) => void): void => {
    if (found) errors.forbidden(path.child(name), "may not specify more than 1 handler type");
    else validate(path.child(name));
    found = true;
  };
  const { exec, httpGet, tcpSocket } = handler;
  if (exec !== undefined) {
    choose("exec", (at) => {
      if ((exec.command ?? []).length === 0) errors.required(at.child("command"));
    });
  }
  if (httpGet !== undefined) choose("httpGet", (at) => validateHttpGet(httpGet, at, errors));
  if (tcpSocket !== undefined)
    choose("tcpSocket", (at) => validatePortNumberOrName(tcpSocket.port, at.child("port"), errors));
  if ("grpc" in handler && handler.grpc !== undefined) {
    const { port } = handler.grpc;
    choose("grpc", (at) => validatePortNumber(port, at.child("port"), errors));
  }
  if ("sleep" in handler && handler.sleep !== undefined) {
    const { seconds } = handler.sleep;
    choose("sleep", (at) => {
      const mayBeZero = allowsSleepOfZero(errors.version);
      if (seconds >= (mayBeZero ? 0 : 1) && seconds <= graceSeconds) return;
      const least = mayBeZero ? "non-negative" : "greater than 0";
      const help = mayBeZero ? "" : sleepOfZeroHelp;
      const detail = `must be ${least} and less than terminationGracePeriodSeconds (${graceSeconds})${help}`;
      errors.invalid(at, seconds, detail);
    });
  }
  if (!found) errors.required(path, "must specify a handler type");
}

const schemes: readonly string[] = ["HTTP", "HTTPS"];
const headerNamePattern = /^[-A-Za-z0-9]+$/;

function validateHttpGet(action: HTTPGetAction, path: FieldPath, errors: FieldErrors): void {
  validatePortNumberOrName(action.port, path.child("port"), errors);
  const { scheme = "" } = action;
  if (!schemes.includes(scheme)) errors.notSupported(path.child("scheme"), asJson(scheme), schemes);
  action.httpHeaders?.forEach(({ name }) => {
    if (headerNamePattern.test(name)) return;
    const detail =
      "a valid HTTP header must consist of alphanumeric characters or '-' (e.g. 'X-Header-Name', regex used for validation is '[-A-Za-z0-9]+')";
    errors.invalid(path.child("httpHeaders"), name, detail);
  });
}
