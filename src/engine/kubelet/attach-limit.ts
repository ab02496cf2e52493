/**
 * Rejects a pod whose volume cannot be attached because the node is full, so that its owner can make another one.
 * Upstream: volume_manager.go VolumeAttachLimitExceededError, pkg/volume/csi csi_plugin.go VerifyExhaustedResource v1.36.
 */
import type { Pod } from "../api/types.ts";
import { getLive, type Task } from "../runtime/effects.ts";
import { rejectsPodsOfFullNodes } from "../version-differences.ts";
import { attachmentName } from "../volume/volume-names.ts";
import type { VolumeManager } from "./volume-manager/volume-manager.ts";
import type { WaitFailure } from "./volume-manager/volume-waits.ts";
import { csiDriverObject, csiSource } from "./volumes/csi-source.ts";
import type { VolumeHost } from "./volumes/plugin.ts";

/** The number of gRPC's code ResourceExhausted. */
const resourceExhausted = 8;

/** Returns the message of the rejection; undefined if the pod goes on waiting. */
export function* attachLimitRejection(
  host: VolumeHost,
  volumes: VolumeManager,
  pod: Pod,
  failure: WaitFailure,
): Task<string | undefined> {
  if (!rejectsPodsOfFullNodes(host.context.version) || failure.unattached.length === 0)
    return undefined;
  const { uid } = pod.metadata;
  for (const name of volumes.desired.volumesOf(uid)) {
    const desired = volumes.desired.volumes.get(name)?.pods.get(uid);
    if (
      desired === undefined ||
      !desired.podVolumeNames.some((n) => failure.unattached.includes(n))
    )
      continue;
    const source = csiSource(desired.spec);
    if (source === undefined) continue;
    const driver = csiDriverObject(host, source.driver);
    if (driver?.spec.nodeAllocatableUpdatePeriodSeconds === undefined) continue;
    const attachment = attachmentName(source.volumeHandle, source.driver, host.nodeName);
    const found = yield* getLive("VolumeAttachment", undefined, attachment);
    if (!found.ok || found.object.status?.attachError?.errorCode !== resourceExhausted) continue;
    host.askLimit(source.driver);
    return `Node has reached its volume attachment limit, rejecting pod. ${failure.error}`;
  }
  return undefined;
}
