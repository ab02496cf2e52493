/**
 * Growth of a file system on the node, while the volume is mounted for a pod. Upstream: operation_generator.go
 * expandVolumeDuringMount, node_expander.go v1.36.
 */
import type { Task } from "../../runtime/effects.ts";
import type { VolumeHost } from "../volumes/plugin.ts";
import type { ActualVolume } from "./actual-state.ts";
import type { DesiredPod } from "./desired-state.ts";

/** Why the mount fails with the expansion; undefined where it does not. */
// biome-ignore lint/correctness/useYield: nothing is expanded yet.
export function* expandAtMount(
  _host: VolumeHost,
  _volume: ActualVolume,
  _pod: DesiredPod,
): Task<string | undefined> {
  return undefined;
}
