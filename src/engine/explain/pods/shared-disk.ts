/** A network disk written in the specs of several pods: a node's kubelet mounts it for the first of them only. */
import { type KubeObject, nameOfRef, namespaceOfRef, refOf } from "../../api/meta.ts";
import { makeVerdict } from "../make-verdict.ts";
import type { RunFacts } from "../run-facts.ts";
import type { Place, Verdict } from "../verdict.ts";
import { volumeNamedIn } from "./mount-cause.ts";
import { isStaying } from "./multi-attach.ts";

type Pod = KubeObject<"Pod">;

/** The verdict on a pod whose disk another pod of the node has; undefined if the pod waits for something else. */
export function sharedDisk(facts: RunFacts, pod: Pod, node: string): Verdict | undefined {
  const decision = facts.lastDecision(refOf(pod), "kubelet");
  if (decision?.reason !== "MountPanicked" || pod.status?.phase === "Running") return undefined;
  const { because = [], text = "" } = decision;
  const stays = because.some((ref) => {
    const user = facts.get("Pod", namespaceOfRef(ref), nameOfRef(ref));
    return user !== undefined && isStaying(user);
  });
  const chain = because.map((ref) => ({ ref, text: `has the disk mounted on ${node}` }));
  if (!stays)
    return makeVerdict(pod, "will-happen", `waits on ${node} until its disk is unmounted`, {
      message: text,
      chain,
    });
  return makeVerdict(pod, "fails", `does not start on ${node}: another pod there has its disk`, {
    message: text,
    root: diskOf(pod, text),
    chain,
    fixes: [
      {
        text: "write a PersistentVolume for the disk, and let all pods use one claim: a disk that is written in the pods themselves is mounted for one of them on each node",
      },
    ],
  });
}

function diskOf(pod: Pod, text: string): Place {
  const { volumes = [] } = pod.spec;
  const index = volumes.findIndex(({ name }) => name === volumeNamedIn(text));
  const type = volumes[index]?.iscsi === undefined ? "fc" : "iscsi";
  return { ref: refOf(pod), field: `spec.volumes[${index}].${type}` };
}
