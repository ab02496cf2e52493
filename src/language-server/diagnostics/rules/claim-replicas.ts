/** Several pods of one workload, and a claim that only one node or one pod can use. */
import { fieldsAt, textAt } from "../../workspace/manifest-fields.ts";
import { podCountOf } from "../../workspace/pod-count.ts";
import type { WorkspaceObject } from "../../workspace/workspace-object.ts";
import { type ClaimUse, claimIndex, driverBasis } from "../facts/claim-facts.ts";
import {
  isForOneNode,
  isForOnePod,
  isMovingDisk,
  spreadsPods,
  useReport,
} from "../facts/single-node-claim.ts";
import { isPinnedToNode } from "../facts/workload-facts.ts";
import type { EnvironmentContext, EnvironmentRule, FieldFix, Severity } from "../rule.ts";

const multiAttach =
  "ReadWriteOnce allows one node; Pods on other nodes hang with a Multi-Attach error";

export const rwoReplicas: EnvironmentRule = useRule(
  "rwo-replicas",
  "warning",
  ["Deployment", "ReplicaSet", "ReplicationController"],
  `${multiAttach}. Use a StatefulSet with volumeClaimTemplates, ReadWriteMany, or one replica`,
  (context, use) =>
    isMovingDisk(context.environment, use.claim) &&
    (spreadsPods(use) ||
      (isScaledOut(context, use.workload) && !isPinnedToNode(use.workload.object))),
);

export const jobParallelRwo: EnvironmentRule = useRule(
  "job-parallel-rwo",
  "warning",
  ["Job"],
  `${multiAttach}. Use ReadWriteMany or an ephemeral volume`,
  (context, use) => isMovingDisk(context.environment, use.claim) && spreadsPods(use),
);

export const daemonsetRwo: EnvironmentRule = {
  ...useRule(
    "daemonset-rwo",
    "error",
    ["DaemonSet"],
    "One Pod per node cannot share a single-node volume; use hostPath, an ephemeral volume or ReadWriteMany",
    (context, use) =>
      (isForOnePod(use.claim) || isMovingDisk(context.environment, use.claim)) &&
      !isPinnedToNode(use.workload.object),
  ),
  explainsOutcome: true,
};

export const cronjobConcurrentRwo: EnvironmentRule = useRule(
  "cronjob-concurrent-rwo",
  "warning",
  ["CronJob"],
  "Overlapping runs fight for the volume; set concurrencyPolicy to Forbid",
  (_, { claim, workload }) =>
    (isForOneNode(claim) || isForOnePod(claim)) &&
    (textAt(workload.object.value, "spec", "concurrencyPolicy") ?? "Allow") === "Allow",
  {
    title: "Set concurrencyPolicy to Forbid",
    path: ["spec", "concurrencyPolicy"],
    value: "Forbid",
  },
);

export const statefulsetDirectClaim: EnvironmentRule = useRule(
  "statefulset-direct-claim",
  "warning",
  ["StatefulSet"],
  "All replicas share this one volume; use volumeClaimTemplates for a volume each",
  (_, use) => isForOneNode(use.claim) && podCountOf(use.workload.object).count > 1,
);

/** At each direct use of a claim by a workload of these kinds. */
function useRule(
  id: string,
  severity: Severity,
  kinds: readonly string[],
  message: string,
  matches: (context: EnvironmentContext, use: ClaimUse) => boolean,
  fix?: FieldFix,
): EnvironmentRule {
  return {
    id,
    severity,
    scope: "environment",
    *check(context) {
      for (const use of claimIndex(context).uses) {
        if (!use.isDirect || !kinds.includes(use.workload.object.kind)) continue;
        if (!matches(context, use)) continue;
        const report = { ...useReport(use, message), ...driverBasis(use.claim) };
        yield fix === undefined ? report : { ...report, fix };
      }
    },
  };
}

/** Whether an autoscaler may make several pods of a workload. */
export function isScaledOut(context: EnvironmentContext, { object }: WorkspaceObject): boolean {
  return scaledOut(context).has(`${object.kind}/${object.namespace}/${object.name}`);
}

function scaledOut(context: EnvironmentContext): ReadonlySet<string> {
  const known = scaled.get(context);
  if (known !== undefined) return known;
  const found = new Set<string>();
  for (const { object } of context.environment.objects) {
    if (object.kind !== "HorizontalPodAutoscaler") continue;
    const spec = fieldsAt(object.value, "spec");
    const { kind, name } = fieldsAt(spec, "scaleTargetRef");
    const { maxReplicas } = spec;
    if (typeof maxReplicas === "number" && maxReplicas > 1)
      found.add(`${kind}/${object.namespace}/${name}`);
  }
  scaled.set(context, found);
  return found;
}

const scaled = new WeakMap<EnvironmentContext, ReadonlySet<string>>();
