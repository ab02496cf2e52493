/** Manifests that follow from one that is there: offered on an object's head, and on the field that lacks something. */
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
  // kustomize would rename a claim that is written here, too, but only pods and their makers would follow it.
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

/** What is made of a claim that the API server refuses would be refused, too; one without a name cannot be meant by others. */
function isRefused({ prediction }: ActionContext, { object: { ref } }: WorkspaceObject): boolean {
  if (ref === undefined) return true;
  if (prediction === undefined) return false;
  return prediction.facts.refused.has(ref) && !prediction.facts.objects.has(ref);
}

const missingClasses: ReadonlySet<string> = new Set([pvcClassMissing.id, pvcClassTypo.id]);

/** The finding that a claim is without a volume, and that nobody makes one. */
function lackOf(context: ActionContext): Diagnostic | undefined {
  const { prediction } = context;
  return touched(context).find((diagnostic) => {
    const verdict = predictedCause(context, diagnostic);
    if (verdict === undefined || prediction === undefined) return false;
    if (!isKind(verdict, "PersistentVolumeClaim"))
      return verdict.candidates.some(({ failed }) =>
        failed.some(({ rule }) => rule === "volume-to-bind"),
      );
    // Where no other finding says that the class is missing, or mistyped.
    const lacksClass = !missingClasses.has(diagnostic.code) && isOfNoClass(verdict, prediction);
    return verdict.reason === "FailedBinding" || lacksClass;
  });
}

/** The spec as the API server holds it where that is known, else as it is written. */
function claimSpec({ prediction }: ActionContext, { object }: WorkspaceObject): Fields {
  const held = object.ref === undefined ? undefined : prediction?.facts.objects.get(object.ref);
  return held?.kind === "PersistentVolumeClaim"
    ? (held.spec as unknown as Fields)
    : fieldsAt(object.value, "spec");
}

/** None where there is one of the name that the claim asks for. */
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
  const title = `Write a volume that fits claim “${name}”`;
  return offer(title, [documentsAfter(entry, [volume])], lack);
}

/** More of them nobody writes by hand. */
const volumeCountMax = 20;

/** Where the claims that a StatefulSet makes of a template find no volume: one for each that has none. */
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
  const title = `Write volumes for the claims of template “${templateName}”`;
  return names.length === 0 ? [] : offer(title, [documentsAfter(entry, volumes)], lack);
}

function isBound({ prediction }: ActionContext, namespace: string, name: string): boolean {
  return (
    prediction?.facts.get("PersistentVolumeClaim", namespace, name)?.spec.volumeName !== undefined
  );
}

/** Reserved for the claim, so that no other takes it. */
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

/** A source that the kubelet can set up in the claim's modes: hostPath and NFS cannot serve raw devices. */
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

/** The volume that the claim gets anyway, for it alone. */
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

/** The volumes that would fit, had not another claim got them first. */
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

/** What the API server says of a local volume without it. */
const affinityMissing = "Local volume requires node affinity";

/** A menu with more nodes than these is no help. */
const nodeCountMax = 5;

/** A local volume is on one node, which has to be said. */
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
