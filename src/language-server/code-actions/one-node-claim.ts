/**
 * For pods on several nodes that share a claim which only one node or pod can use: run one pod, let the claim be used by
 * several nodes, or give each pod its own claim.
 */
import { betaStorageClassAnnotation } from "../../engine/api/storage-class-name.ts";
import {
  type ClaimFacts,
  type ClaimUse,
  claimIndex,
  isProvisioned,
} from "../diagnostics/facts/claim-facts.ts";
import { surgeOf } from "../diagnostics/facts/surging-pod.ts";
import type { Diagnostic } from "../diagnostics/rule.ts";
import {
  autoscalerOf,
  daemonsetRwo,
  jobParallelRwo,
  rwoReplicas,
  statefulsetDirectClaim,
} from "../diagnostics/rules/claim-replicas.ts";
import { rwopReplicas, sharedRwoClaim } from "../diagnostics/rules/shared-claim.ts";
import { targetAt } from "../features/target.ts";
import { fieldsAt } from "../workspace/manifest-fields.ts";
import { podCountOf } from "../workspace/objects/pod-count.ts";
import { printPath } from "../yaml/field-path.ts";
import {
  type ActionContext,
  type CodeAction,
  type FileEdit,
  offer,
  ruleContext,
} from "./code-action.ts";
import { fieldEdit, replacementEdit } from "./field-edit.ts";
import { makesVolumes, provisioningClasses } from "./provisioning-class.ts";

const codes: ReadonlySet<string> = new Set(
  [
    rwoReplicas,
    jobParallelRwo,
    daemonsetRwo,
    statefulsetDirectClaim,
    sharedRwoClaim,
    rwopReplicas,
  ].map(({ id }) => id),
);

/** Ways that keep an existing volume come first. */
export function oneNodeClaim(
  context: ActionContext,
  diagnostic: Diagnostic,
): readonly CodeAction[] {
  if (!codes.has(diagnostic.code)) return [];
  const target = targetAt(context.analysis.environment, context.file, diagnostic.start);
  if (target === undefined) return [];
  const at = printPath(target.path);
  const use = claimIndex(ruleContext(context))
    .usesBy.get(target.built)
    ?.find(({ path }) => printPath(path) === at);
  if (use === undefined) return [];
  return [
    ...(diagnostic.code === sharedRwoClaim.id ? [] : onePod(context, use)),
    ...forManyNodes(context, use.claim),
    ...claimForEach(context, use),
  ].flatMap(({ title, edits }) => offer(title, edits, diagnostic));
}

/** One way to solve the problem, without the finding. */
interface Way {
  readonly title: string;
  readonly edits: readonly (FileEdit | undefined)[];
}

const manyNodes = "ReadWriteMany";

/**
 * ReadWriteMany: with the claim's class if its driver supports that, else with another class. Nothing if the claim is not
 * provisioned, or for raw devices, which two nodes can share only with software made for it.
 */
function forManyNodes(context: ActionContext, claim: ClaimFacts): readonly Way[] {
  const { entry, path, spec, modes, name, volumeMode } = claim;
  if (modes.length !== 1 || volumeMode !== "Filesystem") return [];
  // The API server refuses to change an existing claim.
  if (context.analysis.environment.imported?.byRef.has(entry.object.ref ?? "")) return [];
  if (!isProvisioned(claimIndex(ruleContext(context)), claim)) return [];
  const mode = fieldEdit(entry, [...path, "accessModes", 0], manyNodes);
  const title = `Let several nodes use claim “${name}”: ${manyNodes}`;
  const anew = "(recreate the claim)";
  const classes = provisioningClasses(context).filter(
    (one) => makesVolumes(context, one, volumeMode, manyNodes) === true,
  );
  if (classes.some((one) => one.name === claim.className))
    return [{ title: `${title} ${anew}`, edits: [mode] }];
  // A copy needs the driver of its source, and a VolumeAttributesClass belongs to one driver.
  const isTied = ["dataSource", "dataSourceRef", "volumeAttributesClassName"].some(
    (field) => spec[field] !== undefined,
  );
  const annotations = fieldsAt(entry.object.value, "metadata", "annotations");
  if (isTied || annotations[betaStorageClassAnnotation] !== undefined) return [];
  return classes.map((one) => ({
    title: `${title} of class “${one.name}” ${anew}`,
    edits: [mode, fieldEdit(entry, [...path, "storageClassName"], one.name)],
  }));
}

/** Scales to one pod; a Deployment also gets a strategy that ends the old pod before the new one starts. */
function onePod(context: ActionContext, { workload }: ClaimUse): readonly Way[] {
  const { object } = workload;
  const { count, path } = podCountOf(object);
  if (path === undefined || count < 2 || autoscalerOf(ruleContext(context), workload) !== undefined)
    return [];
  const surge = surgeOf(object);
  const field = String(path.at(-1));
  const one = fieldEdit(workload, path, 1);
  if (surge === undefined) return [{ title: `Run one Pod (${field})`, edits: [one] }];
  const { fix } = surge;
  if (fix === undefined) return [];
  const title = `Run one Pod, and end it before the next one starts (${field}, strategy)`;
  return [{ title, edits: [one, fieldEdit(workload, fix.path, fix.value)] }];
}

const kindsOfPassingPods: ReadonlySet<string> = new Set(["DaemonSet", "Job"]);

/** For pods that need not keep data: an ephemeral volume with the claim's spec, deleted with its pod. */
function claimForEach(
  context: ActionContext,
  { workload, path, readOnly, claim }: ClaimUse,
): readonly Way[] {
  if (!kindsOfPassingPods.has(workload.object.kind) || readOnly) return [];
  if (!isProvisioned(claimIndex(ruleContext(context)), claim)) return [];
  const ephemeral = { volumeClaimTemplate: { spec: claim.spec } };
  const edit = replacementEdit(workload, path.slice(0, -1), { ephemeral });
  const title = "Give each Pod a volume of its own, deleted with it (ephemeral)";
  return [{ title, edits: [edit] }];
}
