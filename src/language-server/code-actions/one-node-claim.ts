/** Pods on several nodes, and a claim that only one node or one pod can use: one pod, a claim for several nodes, or one for each pod. */
import { betaStorageClassAnnotation } from "../../engine/api/storage-class-name.ts";
import {
  type ClaimFacts,
  type ClaimUse,
  claimIndex,
  isProvisioned,
} from "../diagnostics/facts/claim-facts.ts";
import type { Diagnostic } from "../diagnostics/rule.ts";
import {
  daemonsetRwo,
  isScaledOut,
  jobParallelRwo,
  rwoReplicas,
  statefulsetDirectClaim,
} from "../diagnostics/rules/claim-replicas.ts";
import { surgeOf } from "../diagnostics/rules/rolling-update-claim.ts";
import { rwopReplicas, sharedRwoClaim } from "../diagnostics/rules/shared-claim.ts";
import { targetAt } from "../features/target.ts";
import { fieldsAt } from "../workspace/manifest-fields.ts";
import { podCountOf } from "../workspace/pod-count.ts";
import { printPath } from "../yaml/field-path.ts";
import { type ActionContext, type CodeAction, type FileEdit, ruleContext } from "./code-action.ts";
import { fieldEdit, replacementEdit } from "./field-edit.ts";
import { makesVolumes, provisioningClasses } from "./provisioning-class.ts";
import { mending } from "./written-manifest.ts";

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

/** What keeps the volume that may be there first, then what needs a new one. */
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
  ].map((action) => mending(action, diagnostic));
}

function action(title: string, edits: readonly (FileEdit | undefined)[]): readonly CodeAction[] {
  const made = edits.filter((edit) => edit !== undefined);
  return made.length < edits.length ? [] : [{ title, kind: "quickfix", edits: made }];
}

const manyNodes = "ReadWriteMany";

/**
 * Of its class where the driver can make such volumes, else of another class; nothing where a volume is there already, or for
 * raw devices, which no two nodes write without a program that is made for it.
 */
function forManyNodes(context: ActionContext, claim: ClaimFacts): readonly CodeAction[] {
  const { entry, path, spec, modes, name, volumeMode } = claim;
  if (modes.length !== 1 || volumeMode !== "Filesystem") return [];
  // The API server would refuse the change of one that is there.
  if (context.analysis.environment.imported?.byRef.has(entry.object.ref ?? "")) return [];
  if (!isProvisioned(claimIndex(ruleContext(context)), claim)) return [];
  const mode = fieldEdit(entry, [...path, "accessModes", 0], manyNodes);
  const title = `Let several nodes use claim “${name}”: ${manyNodes}`;
  const anew = "(make the claim anew)";
  const classes = provisioningClasses(context).filter(
    (one) => makesVolumes(context, one, volumeMode, manyNodes) === true,
  );
  if (classes.some((one) => one.name === claim.className))
    return action(`${title} ${anew}`, [mode]);
  // A copy has to be of its source's driver, and attributes are of one driver.
  const isTied = ["dataSource", "dataSourceRef", "volumeAttributesClassName"].some(
    (field) => spec[field] !== undefined,
  );
  const annotations = fieldsAt(entry.object.value, "metadata", "annotations");
  if (isTied || annotations[betaStorageClassAnnotation] !== undefined) return [];
  return classes.flatMap((one) =>
    action(`${title} of class “${one.name}” ${anew}`, [
      mode,
      fieldEdit(entry, [...path, "storageClassName"], one.name),
    ]),
  );
}

/** Which a Deployment ends before it starts the next one. */
function onePod(context: ActionContext, { workload }: ClaimUse): readonly CodeAction[] {
  const { object } = workload;
  const { count, path } = podCountOf(object);
  if (path === undefined || count < 2 || isScaledOut(ruleContext(context), workload)) return [];
  const surge = surgeOf(object);
  const field = String(path.at(-1));
  if (surge === undefined) return action(`Run one Pod (${field})`, [fieldEdit(workload, path, 1)]);
  const { fix } = surge;
  if (fix === undefined) return [];
  return action(`Run one Pod, and end it before the next one starts (${field}, strategy)`, [
    fieldEdit(workload, path, 1),
    fieldEdit(workload, fix.path, fix.value),
  ]);
}

const kindsOfPassingPods: ReadonlySet<string> = new Set(["DaemonSet", "Job"]);

/** For pods that are not meant to keep anything: as the claim is, but deleted with its pod. */
function claimForEach(
  context: ActionContext,
  { workload, path, readOnly, claim }: ClaimUse,
): readonly CodeAction[] {
  if (!kindsOfPassingPods.has(workload.object.kind) || readOnly) return [];
  if (!isProvisioned(claimIndex(ruleContext(context)), claim)) return [];
  const { spec } = claim;
  return action("Give each Pod a volume of its own, deleted with it (ephemeral)", [
    replacementEdit(workload, path.slice(0, -1), { ephemeral: { volumeClaimTemplate: { spec } } }),
  ]);
}
