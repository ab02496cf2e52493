/**
 * Pods that can never run where their claim's volume or class is, whatever nodes the cluster has: the same findings as from the
 * prediction, but for any nodes, not only known ones.
 */
import {
  type Fields,
  fieldsAt,
  itemsOf,
  podSpecOf,
  textAt,
} from "../../workspace/manifest-fields.ts";
import { type ClaimFacts, type ClaimUse, claimIndex, driverBasis } from "../facts/claim-facts.ts";
import { expressionsOf, isUnsatisfiable, termsOf } from "../facts/node-terms.ts";
import type { EnvironmentRule, ObjectReport, RelatedReport } from "../rule.ts";

/** At least one of these lists of expressions has to hold. */
type Alternatives = readonly (readonly Fields[])[];

export const affinityExcludesVolume: EnvironmentRule = {
  id: "affinity-pod-conflict",
  severity: "error",
  scope: "environment",
  explainsOutcome: true,
  *check(context) {
    for (const use of claimIndex(context).uses) {
      const { volume } = use.claim;
      if (volume === undefined) continue;
      const path = ["spec", "nodeAffinity"];
      yield* conflict(
        use,
        termsOf(volume.object).map((term) => expressionsOf(term).map(({ fields }) => fields)),
        { entry: volume, path, message: "The nodes that reach the volume" },
        "No node that the Pod asks for reaches its volume: node(s) didn't match PersistentVolume's node affinity",
      );
    }
  },
};

export const selectorExcludesTopology: EnvironmentRule = {
  id: "class-topology-pod-conflict",
  severity: "error",
  scope: "environment",
  explainsOutcome: true,
  *check(context) {
    for (const use of claimIndex(context).uses) {
      const { classEntry, volume, spec } = use.claim;
      if (classEntry === undefined || volume !== undefined || spec["volumeName"] !== undefined)
        continue;
      const terms = itemsOf(classEntry.object.value["allowedTopologies"], []);
      yield* conflict(
        use,
        terms.map(({ fields }) =>
          itemsOf(fields["matchLabelExpressions"], []).map((label) => ({
            ...label.fields,
            operator: "In",
          })),
        ),
        {
          entry: classEntry,
          path: ["allowedTopologies"],
          message: "Where the class provisions volumes",
        },
        "No node satisfies both the Pod and the class's allowedTopologies",
      );
    }
  },
};

export const nodeNamePassesScheduler: EnvironmentRule = {
  id: "class-wffc-pod-nodename",
  severity: "error",
  scope: "environment",
  explainsOutcome: true,
  *check(context) {
    const { uses, usesOf } = claimIndex(context);
    for (const use of uses) {
      const { claim, workload } = use;
      const path = nodeNamePath(use);
      // If any pod of the claim is scheduled, it gets the claim its volume, for the others, too.
      const users = usesOf.get(claim) ?? [];
      if (path === undefined || users.some((other) => nodeNamePath(other) === undefined)) continue;
      if (!waitsForConsumer(claim)) continue;
      yield {
        entry: workload,
        path,
        message: `The scheduler is bypassed, so no node is selected for the claim of “${use.volumeName}”; Pod and claim wait forever. Use nodeSelector kubernetes.io/hostname`,
        related: [{ entry: workload, path: use.path, message: "The claim" }],
        ...driverBasis(claim),
      };
    }
  },
};

function waitsForConsumer({ storageClass, volume, spec }: ClaimFacts): boolean {
  const isBound = volume !== undefined || spec["volumeName"] !== undefined;
  return !isBound && storageClass?.["volumeBindingMode"] === "WaitForFirstConsumer";
}

function nodeNamePath({ workload: { object } }: ClaimUse): ObjectReport["path"] | undefined {
  const pod = podSpecOf(object);
  const isNamed = pod !== undefined && (textAt(pod.fields, "nodeName") ?? "") !== "";
  return isNamed ? [...pod.path, "nodeName"] : undefined;
}

/** Reports a conflict if each alternative of the pod excludes each alternative on the other side. */
function* conflict(
  use: ClaimUse,
  others: Alternatives,
  other: RelatedReport,
  message: string,
): Iterable<ObjectReport> {
  const { workload, claim } = use;
  const pod = podSpecOf(workload.object);
  if (pod === undefined) return;
  const wanted = alternativesOf(use);
  const isConflict =
    wanted.length > 0 &&
    others.length > 0 &&
    wanted.every((a) => !isUnsatisfiable(a)) &&
    others.every((b) => !isUnsatisfiable(b)) &&
    wanted.every((a) => others.every((b) => isUnsatisfiable([...a, ...b])));
  if (!isConflict) return;
  const field = ["nodeSelector", "affinity"].find((name) => pod.fields[name] !== undefined);
  yield {
    entry: workload,
    path: [...pod.path, field ?? "containers"],
    message,
    related: [other],
    restsOn: [claim.entry, other.entry],
  };
}

/** The pod's nodeSelector combined with each term of its affinity; empty if it has neither. */
function alternativesOf({ workload: { object } }: ClaimUse): Alternatives {
  const selector = Object.entries(fieldsAt(podSpecOf(object)?.fields ?? {}, "nodeSelector")).map(
    ([key, value]): Fields => ({ key, operator: "In", values: [value] }),
  );
  const terms = termsOf(object).map((term) => expressionsOf(term).map(({ fields }) => fields));
  if (terms.length > 0) return terms.map((term) => [...selector, ...term]);
  return selector.length === 0 ? [] : [selector];
}
