/**
 * NodeExpandVolume. Upstream: pkg/volume/csi/expander.go nodeExpandWithClient v1.36.
 */
import { quantityBytes } from "../../api/quantity.ts";
import { errorText } from "../../csi/rpc.ts";
import { callDriver, type Task } from "../../runtime/effects.ts";
import { csiPluginName } from "../../volume/volume-names.ts";
import { capabilitiesError, csiCallLimitMs, unregistered } from "./csi-call.ts";
import { csiSource, hasNodeCapability, readSecrets, volumeCapability } from "./csi-source.ts";
import {
  csiBlockPublishPath,
  csiBlockStagingPath,
  csiStagingPath,
  podVolumeDirectory,
} from "./paths.ts";
import { isBlockVolume, type NodeExpansion, type VolumeHost, type VolumeSpec } from "./plugin.ts";

const infeasibleCodes: ReadonlySet<string> = new Set(["InvalidArgument", "OutOfRange", "NotFound"]);

export function* expandOnNode(
  host: VolumeHost,
  spec: VolumeSpec,
  podUid: string,
  size: string,
): Task<NodeExpansion> {
  const source = csiSource(spec);
  if (source === undefined) return { type: "ok" };
  const { driver, volumeHandle } = source;
  const missing = unregistered(host, driver);
  if (missing !== undefined) return { type: "unregistered", error: missing };
  const asking = "Expander.NodeExpand failed to check if node supports expansion : ";
  const unanswered = yield* capabilitiesError(host, driver, asking);
  if (unanswered !== undefined) return { type: "failed", error: unanswered.error };
  if (!hasNodeCapability(host, driver, "EXPAND_VOLUME")) {
    const error = `NodeExpand is not supported by the CSI driver ${driver}`;
    return { type: "unsupported", error };
  }
  const step = "expander.NodeExpand failed to get NodeExpandSecretRef";
  const read = yield* readSecrets(step, source.nodeExpandSecretRef);
  if (!read.ok) return { type: "failed", error: read.error };
  const isBlock = isBlockVolume(spec);
  const stages = hasNodeCapability(host, driver, "STAGE_UNSTAGE_VOLUME");
  const staging = isBlock ? csiBlockStagingPath(spec.name) : csiStagingPath(driver, volumeHandle);
  const request = {
    volume_id: volumeHandle,
    volume_path: isBlock
      ? csiBlockPublishPath(spec.name, podUid)
      : `${podVolumeDirectory(podUid, csiPluginName, spec.name)}/mount`,
    capacity_range: { required_bytes: String(quantityBytes(size)) },
    ...((stages || !isBlock) && { staging_target_path: staging }),
    volume_capability: volumeCapability(host, spec),
    ...read.field,
  };
  const call = "NodeExpandVolume";
  const result = yield* callDriver(driver, host.nodeName, call, request, csiCallLimitMs);
  if (result.code === "OK") return { type: "ok" };
  const prefix = "Expander.NodeExpand failed to expand the volume";
  if (infeasibleCodes.has(result.code)) {
    return { type: "infeasible", error: `${prefix} ${errorText(result)}` };
  }
  const error = `${prefix} : ${errorText(result)}`;
  return { type: result.code === "FailedPrecondition" ? "in-use" : "failed", error };
}
