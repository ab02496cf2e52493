/** A set whose ControllerRevision is refused: it makes no pods from its template, counts none, and there is no event. */
import { type KubeObject, refOf } from "../../api/meta.ts";
import { exceededQuota } from "../exceeded-quota.ts";
import { makeVerdict } from "../make-verdict.ts";
import type { RunFacts } from "../run-facts.ts";
import type { Verdict } from "../verdict.ts";

/** The verdict; undefined once the controller has observed the template. `text` says how far the set has come. */
export function refusedRevision(
  facts: RunFacts,
  set: KubeObject<"DaemonSet" | "StatefulSet">,
  text: string,
): Verdict | undefined {
  const { generation = 1, namespace } = set.metadata;
  if ((set.status?.observedGeneration ?? 0) >= generation) return undefined;
  const controller = set.kind === "DaemonSet" ? "daemonset-controller" : "statefulset-controller";
  const decision = facts.lastDecision(refOf(set), controller);
  if (decision?.reason !== "RevisionRefused") return undefined;
  const { text: message = "" } = decision;
  const headline = `${text}: it cannot create a ControllerRevision`;
  return makeVerdict(set, "fails", headline, { message, ...exceededQuota(namespace, message) });
}
