/** What keeps a pod that is being deleted: its node, or a volume that cannot be unmounted. */
import { type KubeObject, refOf } from "../api/meta.ts";
import { isNodeReady } from "../matching/node-state.ts";
import { linksToVolumes } from "./decided-volumes.ts";
import { makeVerdict } from "./make-verdict.ts";
import type { RunFacts } from "./run-facts.ts";
import type { Verdict } from "./verdict.ts";

type Pod = KubeObject<"Pod">;

export function terminatingPod(facts: RunFacts, pod: Pod): Verdict {
  const node = facts.get("Node", undefined, pod.spec.nodeName ?? "");
  if (node !== undefined && !isNodeReady(node)) {
    return makeVerdict(
      pod,
      "waits-for-you",
      `stays Terminating: node ${node.metadata.name} does not answer, and only its kubelet can end the pod`,
      {
        root: { ref: refOf(node) },
        chain: [{ ref: refOf(node), text: "is not ready" }],
        fixes: [
          {
            text: `taint the node node.kubernetes.io/out-of-service=nodeshutdown:NoExecute once it is certain that it is off`,
          },
          { text: "bring the node back, or delete the Node object" },
        ],
      },
    );
  }
  const decision = facts.lastDecision(refOf(pod), "kubelet");
  if (decision?.reason === "UnmountFailed") {
    return makeVerdict(pod, "fails", "stays Terminating: a volume cannot be unmounted", {
      message: decision.text,
      chain: linksToVolumes(decision, "is still mounted"),
    });
  }
  const event = facts.lastEvent(refOf(pod), (e) => e.eventType === "Warning");
  return makeVerdict(pod, "will-happen", "is being deleted", { event });
}
