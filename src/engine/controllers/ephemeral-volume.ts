/**
 * Creates the claims of pods' generic ephemeral volumes. The garbage collector deletes them.
 * Upstream: pkg/controller/volume/ephemeral/controller.go v1.36.
 */
import { type Draft, type Key, makeKey, refOf } from "../api/meta.ts";
import type { PersistentVolumeClaim, Pod, Volume } from "../api/types.ts";
import {
  claimKeysOf,
  ephemeralClaimName,
  isClaimForPod,
  podsByClaim,
} from "../matching/pod-claims.ts";
import type { Component } from "../runtime/component.ts";
import { create, event, type Task } from "../runtime/effects.ts";
import { done, type Reconcile, retry } from "../runtime/outcome.ts";

const workerCount = 5;

export const ephemeralVolume: Component = {
  name: "ephemeral-volume",
  source: "ephemeral_volume",
  start(context) {
    const pods = context.informer("Pod");
    const claims = context.informer("PersistentVolumeClaim");
    pods.index(podsByClaim, claimKeysOf);
    const queue = context.queue({ workers: workerCount, sync });
    const enqueue = (pod: Pod): void => {
      const hasEphemeral =
        pod.spec.volumes?.some((volume) => volume.ephemeral !== undefined) === true;
      if (hasEphemeral && pod.metadata.deletionTimestamp === undefined) {
        queue.add(makeKey(pod.metadata.namespace, pod.metadata.name));
      }
    };
    pods.on({ add: enqueue });
    claims.on({
      delete: (claim) => {
        const key = makeKey(claim.metadata.namespace, claim.metadata.name);
        for (const pod of pods.byIndex(podsByClaim, key)) enqueue(pod);
      },
    });

    function* sync(key: Key): Reconcile {
      const pod = pods.get(key);
      if (pod === undefined) return done("Gone");
      if (pod.metadata.deletionTimestamp !== undefined) return done("BeingDeleted");
      for (const volume of pod.spec.volumes ?? []) {
        const claim = claims.get(makeKey(pod.metadata.namespace, ephemeralClaimName(pod, volume)));
        const error = yield* handleVolume(pod, volume, claim);
        if (error !== undefined) {
          // The first error stops the pod's other volumes.
          const message = `ephemeral volume ${volume.name}: ${error}`;
          yield* event(refOf(pod), "Warning", "FailedBinding", message);
          return retry(message);
        }
      }
      return done("Created");
    }
  },
};

/** Creates the volume's claim if it is missing. Returns why it could not, or that the claim is not the pod's. */
function* handleVolume(
  pod: Pod,
  volume: Volume,
  existing: PersistentVolumeClaim | undefined,
): Task<string | undefined> {
  const template = volume.ephemeral?.volumeClaimTemplate;
  if (template === undefined) return undefined;
  const { namespace = "", name: podName, uid } = pod.metadata;
  const name = ephemeralClaimName(pod, volume);
  if (existing !== undefined) {
    return isClaimForPod(existing, pod)
      ? undefined
      : `PVC ${namespace}/${name} was not created for pod ${namespace}/${podName} (pod is not owner)`;
  }
  const { labels, annotations } = template.metadata ?? {};
  const draft: Draft<"PersistentVolumeClaim"> = {
    apiVersion: "v1",
    kind: "PersistentVolumeClaim",
    metadata: {
      name,
      namespace,
      ...(labels !== undefined && { labels }),
      ...(annotations !== undefined && { annotations }),
      ownerReferences: [
        {
          apiVersion: "v1",
          kind: "Pod",
          name: podName,
          uid,
          controller: true,
          blockOwnerDeletion: true,
        },
      ],
    },
    spec: template.spec,
  };
  const created = yield* create<"PersistentVolumeClaim">(draft);
  return created.ok ? undefined : `create PVC ${name}: ${created.error.message}`;
}
