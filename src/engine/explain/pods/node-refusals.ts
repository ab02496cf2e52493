/** Why no node takes a pod: its claim gets no volume, the nodes that reach its volume refuse it, or each has its own reason. */
import type { KubeObject } from "../../api/meta.ts";
import type { Decision } from "../../trace/decision.ts";
import type { RunFacts } from "../run-facts.ts";
import { nothingToBind } from "./nothing-to-bind.ts";
import { outOfReach } from "./out-of-reach.ts";
import { type NodeRefusal, ownReasons } from "./own-reasons.ts";

/** The reason why no node takes the pod; undefined if no node failed a rule in the decision. */
export function nodeRefusal(
  facts: RunFacts,
  pod: KubeObject<"Pod">,
  decision: Decision | undefined,
): NodeRefusal | undefined {
  const nodes = (decision?.candidates ?? []).filter(({ failed }) => failed.length > 0);
  return (
    nothingToBind(facts, pod, nodes) ?? outOfReach(facts, pod, nodes) ?? ownReasons(pod, nodes)
  );
}
