/**
 * Hover. On an object's name and on a name of another object: what becomes of that object in the assumed cluster, every
 * candidate with the rules it fails, and what to change. On a field: what the API says of it.
 */
import type { Kind, KubeObject } from "../../engine/api/meta.ts";
import { isDefaultClass } from "../../engine/api/storage-class-name.ts";
import type { Analysis } from "../analysis.ts";
import { fieldAt, kindDescription } from "../field-schema.ts";
import type { Prediction } from "../prediction/predictor.ts";
import { printRef } from "../prediction/print-ref.ts";
import { isBuiltIn } from "../workspace/known-drivers.ts";
import type { Reference } from "../workspace/references.ts";
import type { WorkspaceFile } from "../workspace/workspace.ts";
import type { Span } from "../yaml/locate.ts";
import { escapeMarkdown, explain, hoverLimits, linkTo } from "./explanation.ts";
import { refOfReference, type Target, targetAt } from "./target.ts";

export interface Hover {
  /** Markdown. */
  readonly text: string;
  /** Offsets in the file. */
  readonly span: Span;
}

/** Undefined where there is nothing to say. */
export function hover(
  analysis: Analysis,
  prediction: Prediction | undefined,
  file: WorkspaceFile,
  offset: number,
): Hover | undefined {
  const target = targetAt(analysis, file, offset);
  if (target === undefined) return undefined;
  const texts = [outcomeAt(analysis, prediction, target), fieldText(target)].filter(
    (text) => text !== undefined,
  );
  return texts.length === 0 ? undefined : { text: texts.join("\n\n---\n\n"), span: target.span };
}

function outcomeAt(
  analysis: Analysis,
  prediction: Prediction | undefined,
  target: Target,
): string | undefined {
  if (prediction === undefined) return undefined;
  if (target.reference !== undefined) return referenceText(analysis, prediction, target.reference);
  const { path, entry } = target;
  const [first, second] = path;
  const template =
    path[1] === "volumeClaimTemplates" && typeof path[2] === "number" && path.length <= 5
      ? path[2]
      : undefined;
  if (template !== undefined) return templateText(prediction, target, template);
  const isName =
    path.length === 0 ||
    first === "kind" ||
    first === "apiVersion" ||
    (first === "metadata" && (second === undefined || second === "name"));
  return isName && entry.object.ref !== undefined
    ? objectText(prediction, entry.object.ref)
    : undefined;
}

function referenceText(
  { names }: Analysis,
  prediction: Prediction,
  reference: Reference,
): string | undefined {
  const ref = refOfReference(reference);
  const { kind, namespace, name } = reference;
  if (prediction.facts.objects.has(ref)) return objectText(prediction, ref);
  // What Kubernetes does itself, and provisioners that are no CSI drivers, have no object.
  if (names.has(kind, namespace, name) || isBuiltIn(name)) return undefined;
  return `**${printRef(ref)} does not exist** · ${prediction.assumed.cluster.name}`;
}

/** What becomes of an object; for a class, who uses it. */
function objectText(prediction: Prediction, ref: string): string | undefined {
  const verdict = prediction.verdictOf.get(ref);
  if (verdict !== undefined) return explain(prediction, verdict, hoverLimits);
  const object = prediction.facts.objects.get(ref);
  return object?.kind === "StorageClass" ? classText(prediction, object) : undefined;
}

const userCountMax = 5;

function classText(prediction: Prediction, storageClass: KubeObject<"StorageClass">): string {
  const { name } = storageClass.metadata;
  const users = prediction.facts
    .list("PersistentVolumeClaim")
    .filter(({ spec }) => spec.storageClassName === name);
  const bound = users.filter(({ status }) => status?.phase === "Bound").length;
  const isDefault = isDefaultClass(storageClass) ? ", the default class" : "";
  const lines = [
    `**Class ${name}: ${bound} of ${users.length} claims bound**${isDefault} · ${prediction.assumed.cluster.name}`,
    `Provisioner \`${storageClass.provisioner}\`, ${storageClass.volumeBindingMode ?? "Immediate"}, reclaim policy ${storageClass.reclaimPolicy ?? "Delete"}`,
  ];
  const refs = users.map(
    ({ metadata }) => `PersistentVolumeClaim/${metadata.namespace ?? ""}/${metadata.name}`,
  );
  const shown = refs
    .sort()
    .slice(0, userCountMax)
    .map((ref) => {
      const headline = prediction.verdictOf.get(ref)?.headline ?? "";
      return `- ${linkTo(prediction, ref)} ${escapeMarkdown(headline)}`;
    });
  if (refs.length > userCountMax) shown.push(`- and ${refs.length - userCountMax} more`);
  if (shown.length > 0) lines.push(shown.join("\n"));
  return lines.join("\n\n");
}

/** What becomes of the claims that a StatefulSet makes of one of its templates. */
function templateText(
  prediction: Prediction,
  { entry }: Target,
  index: number,
): string | undefined {
  const { object } = entry;
  const spec = object.value["spec"] as {
    readonly volumeClaimTemplates?: readonly { readonly metadata?: { readonly name?: unknown } }[];
  };
  const prefix = `${String(spec.volumeClaimTemplates?.[index]?.metadata?.name)}-${object.name}-`;
  const kind: Kind = "PersistentVolumeClaim";
  const refs = [...prediction.verdictOf.keys()].filter((ref) =>
    ref.startsWith(`${kind}/${object.namespace}/${prefix}`),
  );
  const worst = prediction.verdicts.find(({ ref }) => refs.includes(ref));
  if (worst === undefined) return undefined;
  const others = refs.length > 1 ? `\n\nThe worst of ${refs.length} claims of this template.` : "";
  return explain(prediction, worst, hoverLimits) + others;
}

function fieldText({ entry, path, part }: Target): string | undefined {
  if (part !== "key") return undefined;
  const { kind, served } = entry.object;
  if (!served) return undefined;
  if (path.length === 1 && path[0] === "kind")
    return escapeMarkdown(kindDescription(kind)) || undefined;
  const field = fieldAt(kind, path);
  if (field === undefined || field.description === "") return undefined;
  return `\`${field.name}\`: ${field.type}\n\n${escapeMarkdown(field.description)}`;
}
