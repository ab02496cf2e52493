/**
 * A pod with everything that the plugins need to know of it, computed once.
 * Upstream: kube-scheduler v1.36 pkg/scheduler/framework/types.go PodInfo.
 */
import { type Key, keyOf, makeKey, type Ref, refOf } from "../../api/meta.ts";
import { isSidecar } from "../../api/pod-containers.ts";
import type { Affinity, Container, ContainerPort, Pod } from "../../api/types.ts";
import { claimKeysOf } from "../../matching/pod-claims.ts";
import { type AffinityTerm, affinityTerm } from "./affinity-term.ts";
import {
  podRequests,
  podRequestsForScore,
  type Resources,
  type ScoredAmounts,
} from "./resources.ts";

export interface WeightedTerm {
  readonly term: AffinityTerm;
  readonly weight: number;
}

export interface PodInfo {
  /** Replaced by newer versions of a pod on a node, as long as no other field here would change. */
  pod: Pod;
  readonly uid: string;
  readonly key: Key;
  readonly ref: Ref;
  readonly priority: number;
  readonly requests: Resources;
  readonly requestsForScore: ScoredAmounts;
  /** Container ports with a hostPort. */
  readonly hostPorts: readonly ContainerPort[];
  readonly requiredAffinity: readonly AffinityTerm[];
  readonly requiredAntiAffinity: readonly AffinityTerm[];
  readonly preferredAffinity: readonly WeightedTerm[];
  readonly preferredAntiAffinity: readonly WeightedTerm[];
  /** Keys of the claims that persistentVolumeClaim volumes name; claims of ephemeral volumes are not among them. */
  readonly claimKeys: readonly Key[];
  /** Keys of all claims behind its volumes, with those of ephemeral volumes. */
  readonly allClaimKeys: readonly Key[];
}

export function podInfo(pod: Pod): PodInfo {
  const namespace = pod.metadata.namespace ?? "";
  const terms = pod.spec.affinity === undefined ? noTerms : termsOf(pod.spec.affinity, namespace);
  return {
    pod,
    uid: pod.metadata.uid,
    key: keyOf(pod),
    ref: refOf(pod),
    priority: pod.spec.priority ?? 0,
    requests: podRequests(pod.spec),
    requestsForScore: podRequestsForScore(pod.spec),
    hostPorts: hostPorts(pod),
    requiredAffinity: terms.requiredAffinity,
    requiredAntiAffinity: terms.requiredAntiAffinity,
    preferredAffinity: terms.preferredAffinity,
    preferredAntiAffinity: terms.preferredAntiAffinity,
    claimKeys: plainClaimKeys(pod, namespace),
    allClaimKeys: claimKeysOf(pod),
  };
}

type PodTerms = Pick<
  PodInfo,
  "requiredAffinity" | "requiredAntiAffinity" | "preferredAffinity" | "preferredAntiAffinity"
>;

const noTerms: PodTerms = {
  requiredAffinity: [],
  requiredAntiAffinity: [],
  preferredAffinity: [],
  preferredAntiAffinity: [],
};

function termsOf({ podAffinity, podAntiAffinity }: Affinity, namespace: string): PodTerms {
  const term = (t: Parameters<typeof affinityTerm>[0]): AffinityTerm => affinityTerm(t, namespace);
  const weighted = (t: {
    readonly podAffinityTerm: Parameters<typeof affinityTerm>[0];
    readonly weight: number;
  }): WeightedTerm => ({ term: term(t.podAffinityTerm), weight: t.weight });
  return {
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
  };
}

function plainClaimKeys({ spec }: Pod, namespace: string): readonly Key[] {
  const keys: Key[] = [];
  for (const { persistentVolumeClaim } of spec.volumes ?? [])
    if (persistentVolumeClaim !== undefined)
      keys.push(makeKey(namespace, persistentVolumeClaim.claimName));
  return keys;
}

/** Returns the info for a newer version of the pod; recomputes it only if a part that it depends on has changed. */
export function updatedPodInfo(known: PodInfo, pod: Pod): PodInfo {
  const { spec, metadata } = known.pod;
  const isSame =
    spec.containers === pod.spec.containers &&
    spec.initContainers === pod.spec.initContainers &&
    spec.affinity === pod.spec.affinity &&
    spec.volumes === pod.spec.volumes &&
    spec.overhead === pod.spec.overhead &&
    spec.resources === pod.spec.resources &&
    spec.priority === pod.spec.priority &&
    metadata.uid === pod.metadata.uid;
  return isSame ? { ...known, pod } : podInfo(pod);
}

/**
 * Sidecars hold their ports like containers; ordinary init containers give theirs back. Upstream: pkg/scheduler/util
 * GetHostPorts.
 */
export function hostPorts({ spec }: Pod): readonly ContainerPort[] {
  let found: ContainerPort[] | undefined;
  const take = ({ ports = [] }: Container): void => {
    for (const port of ports) if ((port.hostPort ?? 0) > 0) (found ??= []).push(port);
  };
  for (const container of spec.containers) take(container);
  for (const container of spec.initContainers ?? []) if (isSidecar(container)) take(container);
  return found ?? noPorts;
}

const noPorts: readonly ContainerPort[] = [];
