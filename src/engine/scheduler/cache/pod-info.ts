/**
 * A pod with what the plugins want to know of it, worked out once.
 * Upstream: kube-scheduler v1.36 pkg/scheduler/framework/types.go PodInfo.
 */
import { type Key, keyOf, makeKey, type Ref, refOf } from "../../api/meta.ts";
import type { ContainerPort, Pod } from "../../api/types.ts";
import { type AffinityTerm, affinityTerm } from "./affinity-term.ts";
import { podRequests, podRequestsForScore, type Resources } from "./resources.ts";

export interface WeightedTerm {
  readonly term: AffinityTerm;
  readonly weight: number;
}

export interface PodInfo {
  readonly pod: Pod;
  readonly uid: string;
  readonly key: Key;
  readonly ref: Ref;
  readonly priority: number;
  readonly requests: Resources;
  readonly requestsForScore: Resources;
  /** Ports on the node's own addresses. */
  readonly hostPorts: readonly ContainerPort[];
  readonly requiredAffinity: readonly AffinityTerm[];
  readonly requiredAntiAffinity: readonly AffinityTerm[];
  readonly preferredAffinity: readonly WeightedTerm[];
  readonly preferredAntiAffinity: readonly WeightedTerm[];
  /** Keys of the claims that its plain volumes name, without those made for the pod itself. */
  readonly claimKeys: readonly Key[];
}

export function podInfo(pod: Pod): PodInfo {
  const namespace = pod.metadata.namespace ?? "";
  const { podAffinity, podAntiAffinity } = pod.spec.affinity ?? {};
  const term = (t: Parameters<typeof affinityTerm>[0]): AffinityTerm => affinityTerm(t, namespace);
  const weighted = (t: {
    readonly podAffinityTerm: Parameters<typeof affinityTerm>[0];
    readonly weight: number;
  }): WeightedTerm => ({ term: term(t.podAffinityTerm), weight: t.weight });
  return {
    pod,
    uid: pod.metadata.uid,
    key: keyOf(pod),
    ref: refOf(pod),
    priority: pod.spec.priority ?? 0,
    requests: podRequests(pod.spec),
    requestsForScore: podRequestsForScore(pod.spec),
    hostPorts: hostPorts(pod),
    requiredAffinity: (podAffinity?.requiredDuringSchedulingIgnoredDuringExecution ?? []).map(term),
    requiredAntiAffinity: (
      podAntiAffinity?.requiredDuringSchedulingIgnoredDuringExecution ?? []
    ).map(term),
    preferredAffinity: (podAffinity?.preferredDuringSchedulingIgnoredDuringExecution ?? []).map(
      weighted,
    ),
    preferredAntiAffinity: (
      podAntiAffinity?.preferredDuringSchedulingIgnoredDuringExecution ?? []
    ).map(weighted),
    claimKeys: (pod.spec.volumes ?? []).flatMap((volume) => {
      const name = volume.persistentVolumeClaim?.claimName;
      return name === undefined ? [] : [makeKey(namespace, name)];
    }),
  };
}

/** Sidecars hold their ports like containers; an ordinary init container's are given back. */
function hostPorts(pod: Pod): readonly ContainerPort[] {
  const sidecars = (pod.spec.initContainers ?? []).filter((c) => c.restartPolicy === "Always");
  return [...pod.spec.containers, ...sidecars].flatMap((container) =>
    (container.ports ?? []).filter((port) => (port.hostPort ?? 0) > 0),
  );
}
