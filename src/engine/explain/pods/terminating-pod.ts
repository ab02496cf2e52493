/** What keeps a pod that is being deleted: its node, a volume that cannot be unmounted, a claim, or a finalizer. */
import { type KubeObject, refOf } from "../../api/meta.ts";
import { finalizer, hasFinalizer } from "../../matching/annotations.ts";
import { isNodeReady, isOutOfService } from "../../matching/node-state.ts";
import { isPodShutDown } from "../../matching/pod-state.ts";
import { foreignFinalizers, keptByFinalizers } from "../kept-by-finalizers.ts";
import { makeVerdict } from "../make-verdict.ts";
import type { RunFacts } from "../run-facts.ts";
import type { Verdict } from "../verdict.ts";
import { linksToVolumes } from "./decided-volumes.ts";

type Pod = KubeObject<"Pod">;

/** True for the finalizer that the job controller removes once it has counted the pod. */
function isOfJob(name: string): boolean {
  return name === "batch.kubernetes.io/job-tracking";
}

export function terminatingPod(facts: RunFacts, pod: Pod): Verdict {
  const node = facts.get("Node", undefined, pod.spec.nodeName ?? "");
  if (node !== undefined && !isNodeReady(node) && !facts.isKubeletUp(node.metadata.name))
    return onSilentNode(pod, node);
  const decision = facts.lastDecision(refOf(pod), "kubelet");
  if (decision?.reason === "UnmountFailed") {
    return makeVerdict(pod, "fails", "stays Terminating: a volume cannot be unmounted", {
      message: decision.text,
      chain: linksToVolumes(decision, "is still mounted"),
    });
  }
  const claim = claimInCircle(facts, pod);
  if (claim !== undefined) return inCircle(pod, claim);
  const held = foreignFinalizers(pod, isOfJob);
  if (held.length > 0 && isPodShutDown(pod)) return keptByFinalizers(pod, held);
  const event = facts.lastEvent(refOf(pod), (e) => e.eventType === "Warning");
  return makeVerdict(pod, "will-happen", "is being deleted", { event });
}

/** Upstream: podgc gc_controller.go gcPeriod v1.36. */
const collectedWithinMs = 20_000;

function onSilentNode(pod: Pod, node: KubeObject<"Node">): Verdict {
  const ref = refOf(node);
  if (isOutOfService(node))
    return makeVerdict(pod, "will-happen", "is being deleted: its node is out of service", {
      withinMs: collectedWithinMs,
      chain: [{ ref, text: "is marked as out of service" }],
    });
  const headline = `stays Terminating: node ${node.metadata.name} does not answer, and only its kubelet can end the pod`;
  const off =
    "taint the node node.kubernetes.io/out-of-service=nodeshutdown:NoExecute once it is certain that it is off";
  return makeVerdict(pod, "waits-for-you", headline, {
    root: { ref },
    chain: [{ ref, text: "is not ready" }],
    fixes: [
      { text: off },
      { text: "bring the node back, or delete the Node object of a machine that is gone for good" },
    ],
  });
}

function inCircle(pod: Pod, claim: KubeObject<"PersistentVolumeClaim">): Verdict {
  const at = { ref: refOf(pod), field: "metadata.finalizers" };
  const headline = `stays Terminating: it waits for claim "${claim.metadata.name}", and that for the pod`;
  const why = "is to go before its owner, the pod, and stays while a pod names it";
  const text = `remove the finalizer foregroundDeletion from pod "${pod.metadata.name}"`;
  return makeVerdict(pod, "stuck", headline, {
    root: at,
    chain: [{ ref: refOf(claim), text: why }],
    fixes: [{ text, at }],
  });
}

/**
 * A claim that has to go before its owner, the pod, but stays as long as the pod names it: a deadlock. It arises where a
 * StatefulSet made pods the owners of their claims (whenScaled: Delete) and is deleted in the foreground. Upstream:
 * garbagecollector.go processDeletingDependentsItem, pvc_protection_controller.go podUsesPVC, which excepts only the claims of
 * ephemeral volumes.
 */
function claimInCircle(facts: RunFacts, pod: Pod): KubeObject<"PersistentVolumeClaim"> | undefined {
  const { metadata, spec } = pod;
  if (metadata.finalizers?.includes("foregroundDeletion") !== true) return undefined;
  return spec.volumes
    ?.map((volume) => volume.persistentVolumeClaim?.claimName)
    .flatMap((name) => facts.get("PersistentVolumeClaim", metadata.namespace, name ?? "") ?? [])
    .find((claim) => isBlockedBy(claim, pod) && hasFinalizer(claim, finalizer.claimProtection));
}

function isBlockedBy({ metadata }: KubeObject<"PersistentVolumeClaim">, owner: Pod): boolean {
  return (metadata.ownerReferences ?? []).some(
    ({ uid, blockOwnerDeletion }) => uid === owner.metadata.uid && blockOwnerDeletion === true,
  );
}
