/**
 * Takes over the volumes of a pod that runs when the simulation begins: its kubelet has them mounted and knows it. The code
 * that mounts runs for this, in no time and without a trace. Upstream: none; a real kubelet remembers.
 */
import { makeKey, notFound, type Result } from "../../api/meta.ts";
import type { Pod } from "../../api/types.ts";
import { usedVolumes } from "../../matching/used-volumes.ts";
import type { Effect, Task } from "../../runtime/effects.ts";
import { isBlockVolume, type VolumeHost } from "../volumes/plugin.ts";
import { pluginFor, uniqueNameOf } from "../volumes/plugins.ts";
import { resolveSpec } from "../volumes/volume-spec.ts";
import type { ActualState, ActualVolume } from "./actual-state.ts";
import type { DesiredPod } from "./desired-state.ts";
import { linkDevice } from "./map-operation.ts";

/** Leaves out a volume that cannot be resolved; one whose mount would fail today counts as mounted all the same. */
export function takeOverMounts(host: VolumeHost, actual: ActualState, pod: Pod): void {
  const earlier: VolumeHost = { ...host, isRegistered: () => true };
  for (const { volume, kind } of usedVolumes(pod)) {
    const resolved = atOnce(host, resolveSpec(pod, volume, kind));
    const plugin = resolved.ok ? pluginFor(resolved.spec) : undefined;
    if (!resolved.ok || plugin === undefined) continue;
    const { spec, claimSize } = resolved;
    const isBlock = isBlockVolume(spec);
    const attached = actual.attach({
      uniqueName: uniqueNameOf(host, plugin, spec, pod.metadata.uid),
      plugin,
      isAttachable: plugin.isAttachable(host, spec),
      specName: spec.name,
      isBlock,
      isReconstructed: false,
      claimSize,
    });
    const mounted = { pod, spec, podVolumeNames: [volume.name] };
    atOnce(host, isBlock ? map(earlier, attached, mounted) : mount(earlier, attached, mounted));
    actual.markMounted(attached, mounted);
  }
}

function* mount(host: VolumeHost, attached: ActualVolume, pod: DesiredPod): Task {
  const { plugin } = attached;
  if (plugin.isDeviceMountable(pod.spec) && attached.device !== "GloballyMounted") {
    yield* plugin.mountDevice?.(host, pod) ?? [];
    attached.device = "GloballyMounted";
  }
  yield* plugin.setUp(host, pod);
}

function* map(host: VolumeHost, attached: ActualVolume, pod: DesiredPod): Task {
  const { plugin } = attached;
  const { block } = plugin;
  if (block === undefined) return;
  if (attached.device !== "GloballyMounted") {
    yield* block.setUpDevice(host, pod);
    attached.device = "GloballyMounted";
  }
  yield* block.mapPodDevice(host, pod);
  yield* linkDevice(host, plugin, block.globalMapDirectory(pod.spec), pod);
}

/** Runs a task to its end, answering reads and calls at once and dropping its events. */
function atOnce<T>(host: VolumeHost, task: Task<T>): T {
  for (let next = task.next(); ; ) {
    if (next.done === true) return next.value;
    next = task.next(answerTo(host, next.value));
  }
}

function answerTo({ context }: VolumeHost, effect: Effect): unknown {
  if (effect.type === "get") {
    const { kind, namespace, name } = effect;
    const object = context.informer(kind).get(makeKey(namespace, name));
    const answer: Result<unknown> =
      object === undefined ? { ok: false, error: notFound(kind, name) } : { ok: true, object };
    return answer;
  }
  if (effect.type === "call") {
    const { driver, node, call, request } = effect;
    return context.drivers.begin(driver, node, call, request, context.now).finish(context.now)
      .result;
  }
  return undefined;
}
