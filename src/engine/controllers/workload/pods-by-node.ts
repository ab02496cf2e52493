/** Finds the pods that are bound to a node. */
import type { KubeObject } from "../../api/meta.ts";
import type { Informer } from "../../runtime/informer.ts";

const name = "spec.nodeName";

export function indexPodsByNode(pods: Informer<"Pod">): void {
  pods.index(name, (pod) => (pod.spec.nodeName === undefined ? [] : [pod.spec.nodeName]));
}

export function podsOnNode(pods: Informer<"Pod">, node: string): readonly KubeObject<"Pod">[] {
  return pods.byIndex(name, node);
}
