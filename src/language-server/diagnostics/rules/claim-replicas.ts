/** Several pods of one workload that share a claim which only one node or one pod can use. */
import { fieldsAt, textAt } from "../../workspace/manifest-fields.ts";
import { podCountOf } from "../../workspace/objects/pod-count.ts";
import type { WorkspaceObject } from "../../workspace/workspace-object.ts";
import {
  type ClaimFacts,
  type ClaimUse,
  claimIndex,
  driverBasis,
  mayBindStatically,
} from "../facts/claim-facts.ts";
import {
  hasOneNode,
  isForOneNode,
  isForOnePod,
  isMovingDisk,
  spreadsPods,
  useReport,
} from "../facts/single-node-claim.ts";
import { isPinnedToNode } from "../facts/workload-facts.ts";
import type { EnvironmentContext, EnvironmentRule, FieldFix, RelatedReport } from "../rule.ts";

const multiAttach =
  "ReadWriteOnce allows one node; Pods on other nodes hang with a Multi-Attach error";

export const rwoReplicas: EnvironmentRule = useRule({
  id: "rwo-replicas",
  severity: "warning",
  explainsOutcome: "of-field",
  kinds: ["Deployment", "ReplicaSet", "ReplicationController"],
  message: `${multiAttach}. Use a StatefulSet with volumeClaimTemplates, ReadWriteMany, or one replica`,
  matches: (context, use) => isMovingDisk(context, use.claim) && runsSeveral(context, use),
  unsure: {
    message:
      "ReadWriteOnce allows one node; where the cluster's class makes disks, Pods on other nodes hang with a Multi-Attach error",
    matches: (context, use) =>
      isOfUnknownClass(context, use.claim) && isForOneNode(use.claim) && runsSeveral(context, use),
  },
});

function runsSeveral(context: EnvironmentContext, use: ClaimUse): boolean {
  const { workload } = use;
  if (hasOneNode(context)) return false;
  return (
    spreadsPods(use) ||
    (autoscalerOf(context, workload) !== undefined && !isPinnedToNode(workload.object))
  );
}

/** True if nothing is known of the claim's volume except that a class of the cluster provisions it. */
function isOfUnknownClass(context: EnvironmentContext, claim: ClaimFacts): boolean {
  const isProvisioned = claim.driver === undefined && claim.className !== "";
  return isProvisioned && !mayBindStatically(claimIndex(context), claim);
}

export const jobParallelRwo: EnvironmentRule = useRule({
  id: "job-parallel-rwo",
  severity: "warning",
  explainsOutcome: "of-field",
  kinds: ["Job"],
  message: `${multiAttach}. Use ReadWriteMany or an ephemeral volume`,
  matches: (context, use) => isMovingDisk(context, use.claim) && spreadsPods(use),
});

export const daemonsetRwo: EnvironmentRule = useRule({
  id: "daemonset-rwo",
  severity: "error",
  explainsOutcome: true,
  kinds: ["DaemonSet"],
  message:
    "One Pod per node cannot share a single-node volume; use hostPath, an ephemeral volume or ReadWriteMany",
  matches: (context, use) =>
    (isForOnePod(use.claim) || isMovingDisk(context, use.claim)) &&
    !hasOneNode(context) &&
    !isPinnedToNode(use.workload.object),
});

export const cronjobConcurrentRwo: EnvironmentRule = useRule({
  id: "cronjob-concurrent-rwo",
  severity: "warning",
  kinds: ["CronJob"],
  message: "Overlapping runs fight for the volume; set concurrencyPolicy to Forbid",
  matches: (_, { claim, workload }) =>
    (isForOneNode(claim) || isForOnePod(claim)) &&
    (textAt(workload.object.value, "spec", "concurrencyPolicy") ?? "Allow") === "Allow",
  fix: {
    title: "Set concurrencyPolicy to Forbid",
    path: ["spec", "concurrencyPolicy"],
    value: "Forbid",
  },
});

export const statefulsetDirectClaim: EnvironmentRule = useRule({
  id: "statefulset-direct-claim",
  severity: "warning",
  kinds: ["StatefulSet"],
  message: "All replicas share this one volume; use volumeClaimTemplates for a volume each",
  matches: (_, use) => isForOneNode(use.claim) && podCountOf(use.workload.object).count > 1,
});

interface UseRule extends Pick<EnvironmentRule, "id" | "severity" | "explainsOutcome"> {
  readonly kinds: readonly string[];
  readonly message: string;
  readonly matches: (context: EnvironmentContext, use: ClaimUse) => boolean;
  readonly fix?: FieldFix;
  /** The message, as information, if the finding depends on a class that no file has. */
  readonly unsure?: Pick<UseRule, "message" | "matches">;
}

/** A rule on direct uses of claims by workloads of these kinds. */
function useRule({ kinds, message, matches, fix, unsure, ...rule }: UseRule): EnvironmentRule {
  return {
    ...rule,
    scope: "environment",
    *check(context) {
      for (const use of claimIndex(context).uses) {
        if (!use.isDirect || !kinds.includes(use.workload.object.kind)) continue;
        if (!matches(context, use)) {
          if (unsure?.matches(context, use))
            yield {
              ...useReport(use, unsure.message, scaledBy(context, use.workload)),
              severity: "information",
            };
          continue;
        }
        const report = {
          ...useReport(use, message, scaledBy(context, use.workload)),
          ...driverBasis(use.claim),
        };
        yield fix === undefined ? report : { ...report, fix };
      }
    },
  };
}

/** The autoscaler that may give the workload several pods. */
export function autoscalerOf(
  context: EnvironmentContext,
  { object }: WorkspaceObject,
): WorkspaceObject | undefined {
  return scaledOut(context).get(`${object.kind}/${object.namespace}/${object.name}`);
}

function scaledOut(context: EnvironmentContext): ReadonlyMap<string, WorkspaceObject> {
  const known = scaled.get(context);
  if (known !== undefined) return known;
  const found = new Map<string, WorkspaceObject>();
  for (const entry of context.environment.objects) {
    const { object } = entry;
    if (object.kind !== "HorizontalPodAutoscaler") continue;
    const spec = fieldsAt(object.value, "spec");
    const { kind, name } = fieldsAt(spec, "scaleTargetRef");
    const { maxReplicas } = spec;
    if (typeof maxReplicas === "number" && maxReplicas > 1)
      found.set(`${kind}/${object.namespace}/${name}`, entry);
  }
  scaled.set(context, found);
  return found;
}

const scaled = new WeakMap<EnvironmentContext, ReadonlyMap<string, WorkspaceObject>>();

/** The autoscaler, as the place from which more pods come. */
function scaledBy(
  context: EnvironmentContext,
  workload: WorkspaceObject,
): readonly RelatedReport[] {
  const entry = autoscalerOf(context, workload);
  if (entry === undefined) return [];
  const message = "An autoscaler may create up to this many pods";
  return [{ entry, path: ["spec", "maxReplicas"], message }];
}
