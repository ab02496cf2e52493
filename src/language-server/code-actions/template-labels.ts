/** Makes a workload's selector and the labels of its pod template agree. */
import { labelMismatch } from "../diagnostics/facts/own-causes.ts";
import type { Diagnostic } from "../diagnostics/rule.ts";
import { targetAt } from "../features/target.ts";
import { type Fields, fieldsAt, textAt } from "../workspace/manifest-fields.ts";
import type { WorkspaceObject } from "../workspace/workspace-object.ts";
import { type ActionContext, type CodeAction, type FileEdit, offer } from "./code-action.ts";
import { fieldEdit, fieldsEdit } from "./field-edit.ts";

/** Nothing if patches write the labels, or if the mismatch is not in matchLabels. */
export function templateLabels(
  { analysis, file }: ActionContext,
  diagnostic: Diagnostic,
): readonly CodeAction[] {
  const isMissing = diagnostic.message === "spec.selector: Required value";
  if (!isMissing && !diagnostic.message.endsWith(labelMismatch)) return [];
  const target = targetAt(analysis.environment, file, diagnostic.start);
  if (target === undefined || target.built.patched !== undefined) return [];
  const { entry } = target;
  const { value } = entry.object;
  const labels = fieldsAt(value, "spec", "template", "metadata", "labels");
  if (isMissing) {
    if (Object.keys(labels).length === 0) return [];
    const selector = { matchLabels: labels };
    const edit = fieldsEdit(entry, ["spec"], { selector });
    return offer("Select the Pods by the labels of the template", [edit], diagnostic);
  }
  const wanted = fieldsAt(value, "spec", "selector", "matchLabels");
  const differing = Object.keys(wanted).filter((key) => wanted[key] !== labels[key]);
  if (differing.length === 0) return [];
  const selected = differing.map((key) =>
    fieldEdit(entry, ["spec", "selector", "matchLabels", key], textAt(labels, key) ?? null),
  );
  const keepsOne = Object.keys(wanted).some((key) => labels[key] !== undefined);
  return [
    ...offer(
      "Give the Pods the labels of the selector",
      labelled(entry, wanted, differing),
      diagnostic,
    ),
    ...(keepsOne ? offer("Select the labels that the Pods have", selected, diagnostic) : []),
  ];
}

function labelled(
  entry: WorkspaceObject,
  wanted: Fields,
  differing: readonly string[],
): readonly (FileEdit | undefined)[] {
  const template = ["spec", "template"];
  const metadata = fieldsAt(entry.object.value, ...template, "metadata");
  const labels = fieldsAt(metadata, "labels");
  const missing = differing.filter((key) => labels[key] === undefined);
  const changed = differing
    .filter((key) => labels[key] !== undefined)
    .map((key) =>
      fieldEdit(entry, [...template, "metadata", "labels", key], textAt(wanted, key) ?? ""),
    );
  if (missing.length === 0) return changed;
  const fields = Object.fromEntries(missing.map((key) => [key, wanted[key]]));
  const [path, lacking] = hasFields(labels)
    ? [[...template, "metadata", "labels"], fields]
    : hasFields(metadata) && metadata["labels"] === undefined
      ? [[...template, "metadata"], { labels: fields }]
      : [template, { metadata: { labels: fields } }];
  return [...changed, fieldsEdit(entry, path, lacking)];
}

function hasFields(fields: Fields): boolean {
  return Object.keys(fields).length > 0;
}
