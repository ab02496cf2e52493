/** A volume for one node that pods on another node use: which pods, and how a waiting pod could get it. */
import { controllerOf, type KubeObject } from "../../api/meta.ts";
import { isPodTerminated } from "../../matching/pod-state.ts";
import { haveSameMaker } from "../maker-of.ts";
import { podsUsingVolume } from "../pods-using.ts";
import type { RunFacts } from "../run-facts.ts";
import type { Fix } from "../verdict.ts";

type Pod = KubeObject<"Pod">;

/** Upstream: attachdetach reconciler.go, reportMultiAttachError. */
const multiAttach =
  /^Multi-Attach error for volume "([^"]+)" Volume is already (?:used by pod\(s\) (.+)|exclusively attached)/;

export interface HeldVolume {
  readonly volume: string;
  /** Pods on other nodes that the message names or that use the volume's claim, staying or not. */
  readonly users: readonly Pod[];
}

/** The volume of a Multi-Attach error and its users; undefined for other messages. */
export function heldVolume(facts: RunFacts, pod: Pod, message: string): HeldVolume | undefined {
  const [, volume, named = ""] = multiAttach.exec(message) ?? [];
  if (volume === undefined) return undefined;
  const { namespace } = pod.metadata;
  const byName = named.split(/, | and /).flatMap((name) => facts.get("Pod", namespace, name) ?? []);
  const users = [...new Set([...byName, ...podsUsingVolume(facts, volume)])].filter(
    ({ spec }) => spec.nodeName !== undefined && spec.nodeName !== pod.spec.nodeName,
  );
  return { volume, users };
}

/** True if the pod is neither being deleted nor terminated. */
export function isStaying(pod: Pod): boolean {
  return pod.metadata.deletionTimestamp === undefined && !isPodTerminated(pod);
}

/** Fixes for pods that never make room for each other; undefined if the pod replaces the holder: the usual advice applies. */
export function apartFixes(
  facts: RunFacts,
  pod: Pod,
  { users }: HeldVolume,
): readonly Fix[] | undefined {
  const controller = controllerOf(pod);
  if (controller?.kind === "DaemonSet") return oneForEachNode;
  const holder = users.find(isStaying);
  if (holder === undefined) return undefined;
  if (controller?.kind === "Job" || !haveSameMaker(facts, pod, holder)) return besideTheOther;
  return revisionOf(pod) === revisionOf(holder) ? oneForEachPod : undefined;
}

const ofManyNodes: Fix = { text: "use ReadWriteMany if the driver supports it" };

/** A DaemonSet's pods never make room for each other. */
const oneForEachNode: readonly Fix[] = [
  { text: "give each pod a claim of its own: a generic ephemeral volume; or use hostPath" },
  ofManyNodes,
];

/** Pods of one revision of a workload run side by side. */
const oneForEachPod: readonly Fix[] = [
  {
    text: "run one pod, or give each a volume of its own: a StatefulSet with volumeClaimTemplates",
  },
  ofManyNodes,
];

/** The pod of another workload does not make room either. */
const besideTheOther: readonly Fix[] = [
  {
    text: "run it on the node of the pod that has the volume: podAffinity to that pod's labels, with topologyKey kubernetes.io/hostname",
  },
  ofManyNodes,
];

function revisionOf({ metadata: { labels = {} } }: Pod): string | undefined {
  return labels["pod-template-hash"] ?? labels["controller-revision-hash"];
}
