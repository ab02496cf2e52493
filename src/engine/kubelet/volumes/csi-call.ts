/** What calls to a node plugin share. Upstream: pkg/volume/csi/csi_client.go, csi_util.go v1.36. */
import { errorText, isFinalCode } from "../../csi/rpc.ts";
import { type CallResult, callDriver, type Task } from "../../runtime/effects.ts";
import { doubtsUnansweredPlugins } from "../../version-differences.ts";
import { final, uncertain, type VolumeHost, type VolumeResult } from "./plugin.ts";

/** The timeout of every call to a node plugin. */
export const csiCallLimitMs = 120_000;

/**
 * Classifies a failed call as final or uncertain; undefined if it succeeded. Upstream: volumetypes.IsFinalError and csi's own
 * isFinalError.
 */
export function callFailure(result: CallResult, prefix = ""): VolumeResult {
  if (result.code === "OK") return undefined;
  const error = `${prefix}${errorText(result)}`;
  return isFinalCode(result.code) ? final(error) : uncertain(error);
}

/**
 * Upstream asks for the plugin's capabilities before most calls. The answer is known here, so only a plugin with a fault is
 * asked. A `prefix` wraps the error, which makes it final. Upstream: nodeGetCapabilities.
 */
export function* capabilitiesError(
  host: VolumeHost,
  driver: string,
  prefix = "",
): Task<VolumeResult> {
  const call = "NodeGetCapabilities";
  const { nodeName } = host;
  if (!host.context.drivers.isDisturbed(driver, nodeName, call)) return undefined;
  const result = yield* callDriver(driver, nodeName, call, {}, csiCallLimitMs);
  const failure = callFailure(result, prefix);
  const mayBeUncertain = prefix === "" && doubtsUnansweredPlugins(host.context.version);
  return failure === undefined || mayBeUncertain ? failure : final(failure.error);
}

export function unregistered(host: VolumeHost, driver: string): string | undefined {
  if (host.isRegistered(driver)) return undefined;
  return `driver name ${driver} not found in the list of registered CSI drivers`;
}

export function nonEmpty(
  field: string,
  value: Readonly<Record<string, string>> | undefined,
): Readonly<Record<string, unknown>> {
  return value === undefined || Object.keys(value).length === 0 ? {} : { [field]: value };
}
