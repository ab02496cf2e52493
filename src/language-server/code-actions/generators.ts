/** Manifests generated from an existing one, offered at the head of an object and at the field that lacks something. */
import { untyped } from "../../engine/api/json.ts";
import { makeRef } from "../../engine/api/meta.ts";
import { isKind } from "../diagnostics/predicted-outcome.ts";
import type { Diagnostic } from "../diagnostics/rule.ts";
import { isOfNoClass } from "../diagnostics/rules/claim-cause.ts";
import { pvcClassMissing, pvcClassTypo } from "../diagnostics/rules/pvc-class-missing.ts";
import { isHead, type Target, targetAt } from "../features/target.ts";
import { setPodNames } from "../names/made-names.ts";
import {
  containersOf,
  type Fields,
  fieldsAt,
  listAt,
  textAt,
} from "../workspace/manifest-fields.ts";
import type { WorkspaceObject } from "../workspace/workspace-object.ts";
import { isRecord, valueAt } from "../yaml/manifest.ts";
import type { Path } from "../yaml/place.ts";
import { type ActionContext, type CodeAction, offer, touched } from "./code-action.ts";
import { fieldEdit, fieldsEdit } from "./field-edit.ts";
import { missingClaim } from "./missing-claim.ts";
import { predictedCause } from "./quick-fixes.ts";
import { restoredClaim } from "./restored-claim.ts";
import { canFollow, documentsAfter } from "./written-manifest.ts";

export function generators(context: ActionContext): readonly CodeAction[] {
  const { file, range, analysis } = context;
  const target = targetAt(analysis.environment, file, range.start);
  if (target === undefined || !canFollow(target.entry)) return [];
  const { built: entry, reference } = target;
  // kustomize would also rename a new claim, but would update only references in pods and workloads.
  const isRenamed = target.entry.object.name !== entry.object.name;
  if (reference?.kind === "PersistentVolumeClaim")
    return isRenamed && containersOf(entry.object).length === 0
      ? []
      : missingClaim(context, entry, reference);
  if (entry.object.kind === "PersistentVolume") return nodeAffinity(context, target);
  if (entry.object.kind === "StatefulSet") return volumesOfTemplate(context, entry, target.path);
  if (entry.object.kind !== "PersistentVolumeClaim" || isRefused(context, entry)) return [];
  const lack = lackOf(context);
  const volumes = fittingVolume(context, entry, lack);
  const reserved = reservedVolumes(context, entry);
  if (!isHead(target)) return lack === undefined ? [] : [...volumes, ...reserved];
  const restored = isRenamed ? [] : restoredClaim(context, entry);
  return [...volumes, ...reserved, ...pinnedVolume(context, entry), ...restored];
}

/** A volume or snapshot is of no use to a refused claim, nor to one without a name. */
function isRefused({ prediction }: ActionContext, { object: { ref } }: WorkspaceObject): boolean {
  if (ref === undefined) return true;
  if (prediction === undefined) return false;
  return prediction.facts.refused.has(ref) && !prediction.facts.objects.has(ref);
}

const missingClasses: ReadonlySet<string> = new Set([pvcClassMissing.id, pvcClassTypo.id]);

/** The finding at the selection that says that a claim has no volume and that nothing will provision one. */
function lackOf(context: ActionContext): Diagnostic | undefined {
  const { prediction } = context;
  return touched(context).find((diagnostic) => {
    const verdict = predictedCause(context, diagnostic);
    if (verdict === undefined || prediction === undefined) return false;
    if (!isKind(verdict, "PersistentVolumeClaim"))
      return verdict.candidates.some(({ failed }) =>
        failed.some(({ rule }) => rule === "volume-to-bind"),
      );
    // Findings about a missing or misspelled class have fixes of their own.
    const lacksClass = !missingClasses.has(diagnostic.code) && isOfNoClass(verdict, prediction);
    return verdict.reason === "FailedBinding" || lacksClass;
  });
}

/** The spec that the API server stores, if the claim is predicted; else as written. */
function claimSpec({ prediction }: ActionContext, { object }: WorkspaceObject): Fields {
  const held = object.ref === undefined ? undefined : prediction?.facts.objects.get(object.ref);
  return held?.kind === "PersistentVolumeClaim"
    ? untyped(held.spec)
    : fieldsAt(object.value, "spec");
}

/** A volume for this claim; nothing if the volume that it asks for exists. */
function fittingVolume(
  context: ActionContext,
  entry: WorkspaceObject,
  lack: Diagnostic | undefined,
): readonly CodeAction[] {
  const { name, namespace, value } = entry.object;
  const asked = textAt(value, "spec", "volumeName") ?? "";
  if (context.analysis.names.has("PersistentVolume", "", asked)) return [];
  const volumeName = asked === "" ? `${namespace}-${name}` : asked;
  const volume = volumeFor(context, entry.object, claimSpec(context, entry), volumeName);
  const title = `Create a volume that fits claim “${name}”`;
  return offer(title, [documentsAfter(entry, [volume])], lack);
}

/** Nobody writes more than this by hand. */
const volumeCountMax = 20;

/** Volumes for the claims of a StatefulSet's template that get none. */
function volumesOfTemplate(
  context: ActionContext,
  entry: WorkspaceObject,
  path: Path,
): readonly CodeAction[] {
  const { object } = entry;
  const lack = path[1] === "volumeClaimTemplates" ? lackOf(context) : undefined;
  const template = valueAt(object.value, path.slice(0, 3));
  if (lack === undefined || !isRecord(template)) return [];
  const templateName = textAt(template, "metadata", "name") ?? "";
  const { namespace } = object;
  const names = setPodNames(object, volumeCountMax)
    .map((pod) => `${templateName}-${pod}`)
    .filter((name) => !isBound(context, namespace, name));
  const spec = fieldsAt(template, "spec");
  const volumes = names.map((name) =>
    volumeFor(context, { namespace, name }, spec, `${namespace}-${name}`),
  );
  const title = `Create volumes for the claims of template “${templateName}”`;
  return names.length === 0 ? [] : offer(title, [documentsAfter(entry, volumes)], lack);
}

function isBound({ prediction }: ActionContext, namespace: string, name: string): boolean {
  return (
    prediction?.facts.get("PersistentVolumeClaim", namespace, name)?.spec.volumeName !== undefined
  );
}

/** A volume reserved for the claim, so that no other claim takes it. */
function volumeFor(
  context: ActionContext,
  { namespace, name }: { readonly namespace: string; readonly name: string },
  spec: Fields,
  volumeName: string,
): Fields {
  const modes = listAt(spec, "accessModes");
  const labels = fieldsAt(spec, "selector", "matchLabels");
  return {
    apiVersion: "v1",
    kind: "PersistentVolume",
    metadata: { name: volumeName, ...(Object.keys(labels).length > 0 && { labels }) },
    spec: {
      capacity: { storage: textAt(spec, "resources", "requests", "storage") ?? "1Gi" },
      accessModes: modes.length > 0 ? modes : ["ReadWriteOnce"],
      persistentVolumeReclaimPolicy: "Retain",
      storageClassName: textAt(spec, "storageClassName") ?? "",
      claimRef: { name, namespace },
      ...sourceFor(context, spec, name),
    },
  };
}

/** A volume source that supports the claim's modes: hostPath and NFS cannot provide raw devices, hostPath no sharing. */
function sourceFor({ analysis }: ActionContext, spec: Fields, name: string): Fields {
  if (textAt(spec, "volumeMode") === "Block") {
    const [node = { name: "node-1" }] = analysis.assumed.cluster.nodes;
    const local = { path: `/dev/disk/by-id/${name}` };
    return { volumeMode: "Block", local, nodeAffinity: affinityTo(node.name) };
  }
  const isShared = listAt(spec, "accessModes").some(
    (mode) => mode === "ReadWriteMany" || mode === "ReadOnlyMany",
  );
  return isShared
    ? { nfs: { server: "nfs.example.com", path: `/exports/${name}` } }
    : { hostPath: { path: `/mnt/${name}` } };
}

function affinityTo(node: string): Fields {
  const here = { key: "kubernetes.io/hostname", operator: "In", values: [node] };
  return { required: { nodeSelectorTerms: [{ matchExpressions: [here] }] } };
}

/** Pins the claim to the volume that it is predicted to get. */
function pinnedVolume(context: ActionContext, entry: WorkspaceObject): readonly CodeAction[] {
  const { analysis } = context;
  const { name, namespace, value } = entry.object;
  const volumeName = textAt(claimSpec(context, entry), "volumeName");
  if (volumeName === undefined || textAt(value, "spec", "volumeName") !== undefined) return [];
  const [volume] =
    analysis.environment.byRef.get(makeRef("PersistentVolume", "", volumeName)) ?? [];
  if (volume === undefined || "claimRef" in fieldsAt(volume.object.value, "spec")) return [];
  return offer(`Bind to volume “${volumeName}” and no other (volumeName and claimRef)`, [
    fieldEdit(entry, ["spec", "volumeName"], volumeName),
    fieldsEdit(volume, ["spec"], { claimRef: { name, namespace } }),
  ]);
}

/** Volumes that would fit if another claim had not got them first. */
function reservedVolumes(context: ActionContext, entry: WorkspaceObject): readonly CodeAction[] {
  const { analysis, prediction } = context;
  const { ref, name, namespace } = entry.object;
  const verdict = ref === undefined ? undefined : prediction?.verdictOf.get(ref);
  return (verdict?.candidates ?? []).flatMap((candidate) => {
    const [first, ...more] = candidate.failed;
    const [volume] = analysis.environment.byRef.get(candidate.ref) ?? [];
    if (first?.rule !== "claim-ref" || more.length > 0 || volume === undefined) return [];
    if ("claimRef" in fieldsAt(volume.object.value, "spec")) return [];
    return offer(
      `Reserve volume “${volume.object.name}” for this claim in place of ${first.found} (volumeName and claimRef)`,
      [
        fieldEdit(entry, ["spec", "volumeName"], volume.object.name),
        fieldsEdit(volume, ["spec"], { claimRef: { name, namespace } }),
      ],
    );
  });
}

/** The API server's message for a local volume without node affinity. */
const affinityMissing = "Local volume requires node affinity";

/** A longer menu would be no help. */
const nodeCountMax = 5;

/** Says on which node a local volume is. */
function nodeAffinity(context: ActionContext, target: Target): readonly CodeAction[] {
  const spec = fieldsAt(target.entry.object.value, "spec");
  const lack = touched(context).find(({ message }) => message.endsWith(affinityMissing));
  const isAsked = isHead(target) || target.path[1] === "local" || lack !== undefined;
  if (!isAsked || !("local" in spec) || "nodeAffinity" in spec) return [];
  return context.analysis.assumed.cluster.nodes.slice(0, nodeCountMax).flatMap(({ name }) => {
    const edit = fieldsEdit(target.entry, ["spec"], { nodeAffinity: affinityTo(name) });
    return offer(`Say that the volume is on node “${name}” (nodeAffinity)`, [edit], lack);
  });
}
