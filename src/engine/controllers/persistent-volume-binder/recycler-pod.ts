/**
 * Runs the pod that empties a volume, then deletes it. Upstream: pkg/volume/util/recyclerclient/recycler_client.go,
 * pkg/volume/util.go NewPersistentVolumeRecyclerPodTemplate, CalculateTimeoutForVolume v1.36.
 */
import { type Draft, keyOf, refOf } from "../../api/meta.ts";
import { quantityBytes } from "../../api/quantity.ts";
import type { PersistentVolume, Pod, Volume } from "../../api/types.ts";
import { create, event, isNotFound, remove, suspend, type Task } from "../../runtime/effects.ts";
import type { Binder } from "./binder.ts";
import type { Attempt, Recycler } from "./volume-plugins.ts";

const namespace = "default";
const gibibyte = 1024n ** 3n;

export function recycler(binder: Binder, volume: PersistentVolume): Recycler {
  return {
    run: (source, deadline) => {
      const gibibytes = quantityBytes(volume.spec.capacity?.["storage"]) / gibibyte;
      const seconds = Math.max(
        deadline.minimumSeconds,
        Number(gibibytes) * deadline.secondsPerGibibyte,
      );
      return runPod(binder, volume, recyclerPod(volume.metadata.name, source, seconds));
    },
  };
}

function* runPod(binder: Binder, volume: PersistentVolume, draft: Draft<"Pod">): Task<Attempt> {
  const name = draft.metadata.name ?? "";
  const created = yield* create<"Pod">(draft);
  if (!created.ok && created.error.reason === "AlreadyExists") {
    // Left from before a restart of this controller. It may have emptied something else, so it is not waited for.
    const removed = yield* remove("Pod", namespace, name);
    return removed.ok
      ? { ok: false, error: "old recycler pod found, will retry later" }
      : {
          ok: false,
          error: `failed to delete old recycler pod ${namespace}/${name}: ${removed.error.message}`,
        };
  } else if (!created.ok) {
    return {
      ok: false,
      error: `unexpected error creating recycler pod:  ${created.error.message}`,
    };
  } else {
    const ended = yield* endOfPod(binder, volume, created.object);
    const removed = yield* remove("Pod", namespace, name);
    if (!ended.ok) return { ok: false, error: `failed to recycle volume: ${ended.error}` };
    if (removed.ok || isNotFound(removed.error)) return { ok: true };
    return { ok: false, error: `failed to delete recycler pod: ${removed.error.message}` };
  }
}

/**
 * Waits until the pod has ended. Meanwhile repeats on the volume each event about a pod of this name, including old events
 * about earlier pods. Upstream: waitForPod.
 */
function* endOfPod(binder: Binder, volume: PersistentVolume, pod: Pod): Task<Attempt> {
  const { context, recyclerPods } = binder;
  const stop = context.onEvents(refOf(pod), ({ eventType, message }) => {
    const repeated = event(refOf(volume), eventType, "RecyclerPod", `Recycler pod: ${message}`);
    context.go(repeated);
  });
  const ended = yield* suspend<Attempt>((resume) => recyclerPods.set(keyOf(pod), resume));
  recyclerPods.delete(keyOf(pod));
  stop();
  return ended;
}

/** Returns how the pod ended; undefined if it has not. */
export function endOf(pod: Pod): Attempt | undefined {
  const { phase, message = "" } = pod.status ?? {};
  if (phase === "Succeeded") return { ok: true };
  if (phase !== "Failed") return undefined;
  return { ok: false, error: message === "" ? "pod failed, pod.Status.Message unknown" : message };
}

/** Upstream: NewPersistentVolumeRecyclerPodTemplate. */
function recyclerPod(
  volumeName: string,
  source: Omit<Volume, "name">,
  deadlineSeconds: number,
): Draft<"Pod"> {
  return {
    apiVersion: "v1",
    kind: "Pod",
    metadata: { name: `recycler-for-${volumeName}`, namespace },
    spec: {
      activeDeadlineSeconds: deadlineSeconds,
      restartPolicy: "Never",
      volumes: [{ name: "vol", ...source }],
      containers: [
        {
          name: "pv-recycler",
          image: "registry.k8s.io/build-image/debian-base:bookworm-v1.0.6",
          command: ["/bin/sh"],
          args: [
            "-c",
            'test -e /scrub && find /scrub -mindepth 1 -delete && test -z "$(ls -A /scrub)" || exit 1',
          ],
          volumeMounts: [{ name: "vol", mountPath: "/scrub" }],
        },
      ],
    },
  };
}
