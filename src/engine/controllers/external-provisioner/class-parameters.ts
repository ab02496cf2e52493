/**
 * Parameters of a StorageClass that are meant for the sidecars, not for the driver; Secrets are in matching/class-secret.ts.
 * Upstream: external-provisioner v6.3 pkg/controller/controller.go removePrefixedParameters.
 */
import { compareText } from "../../api/go/text-order.ts";
import {
  type Checked,
  type Parameters,
  sidecarPrefix as prefix,
  prefixedFsType,
  secretKeys,
  sidecarKeys,
} from "../../csi/catalogue/sidecar-parameters.ts";

/** Returns the file system type; "" if the class names none. */
export function fsTypeOf(parameters: Parameters): Checked<string> {
  const keys = Object.keys(parameters).filter(
    (key) => key.toLowerCase() === "fstype" || key === prefixedFsType,
  );
  const [key] = keys;
  if (keys.length > 1) {
    const error = `fstype specified in parameters with both "fstype" and "${prefixedFsType}" keys`;
    return { ok: false, error };
  }
  return { ok: true, value: key === undefined ? "" : (parameters[key] ?? "") };
}

/** Upstream knows these from 6.2 on; here every provisioner from 6.0 on does. */
const modifyKeys: ReadonlySet<string> = new Set([
  ...secretKeys.controllerModify.names,
  ...secretKeys.controllerModify.namespaces,
]);

/** Returns the driver's parameters; fails for an unknown key with the reserved prefix. */
export function driverParameters(
  parameters: Parameters,
  knowsModifySecret: boolean,
): Checked<Parameters> {
  const isKnown = (key: string): boolean =>
    sidecarKeys.has(key) && (knowsModifySecret || !modifyKeys.has(key));
  const kept: Record<string, string> = {};
  for (const key of Object.keys(parameters).sort(compareText)) {
    if (!key.startsWith(prefix)) kept[key] = parameters[key] ?? "";
    else if (!isKnown(key)) {
      const error = `failed to strip CSI Parameters of prefixed keys: found unknown parameter key "${key}" with reserved namespace ${prefix}`;
      return { ok: false, error };
    }
  }
  return { ok: true, value: kept };
}
