/** For a mount of a volume that the pod does not have: offers the pod's unmounted volumes, or adds one. */
import { unknownVolume, unmountedVolumes } from "../diagnostics/facts/meant-value.ts";
import type { Diagnostic } from "../diagnostics/rule.ts";
import { targetAt } from "../features/target.ts";
import { type Fields, podSpecOf } from "../workspace/manifest-fields.ts";
import type { WorkspaceObject } from "../workspace/workspace-object.ts";
import {
  type ActionContext,
  type CodeAction,
  type FileEdit,
  offer,
  statementOf,
} from "./code-action.ts";
import { fieldEdit, fieldsEdit, itemEdit } from "./field-edit.ts";

/** The added volume is the claim, ConfigMap or Secret of that name if there is one, else an emptyDir. */
export function volumeForMount(
  { analysis, file }: ActionContext,
  diagnostic: Diagnostic,
): readonly CodeAction[] {
  const words = statementOf(diagnostic);
  const name = unknownVolume(words);
  const target = targetAt(analysis.environment, file, diagnostic.start);
  if (name === undefined || target === undefined) return [];
  const { built: entry, path } = target;
  const action = (title: string, edit: FileEdit | undefined): readonly CodeAction[] =>
    offer(title, [edit], diagnostic);
  const others = unmountedVolumes(entry.object).flatMap((other) =>
    action(`Change to “${other}”`, fieldEdit(entry, path, other)),
  );
  const { namespace } = entry.object;
  const isThere = (kind: "PersistentVolumeClaim" | "ConfigMap" | "Secret"): boolean =>
    analysis.names.has(kind, namespace, name);
  const add = (what: string, source: Fields): readonly CodeAction[] =>
    action(`Add volume “${name}”: ${what}`, added(entry, { name, ...source }));
  if (isThere("PersistentVolumeClaim"))
    return [
      ...others,
      ...add("the claim of that name", { persistentVolumeClaim: { claimName: name } }),
    ];
  // Only a claim can provide a device.
  if (words.includes(".volumeDevices[")) return others;
  if (isThere("ConfigMap"))
    return [...others, ...add("the ConfigMap of that name", { configMap: { name } })];
  if (isThere("Secret"))
    return [...others, ...add("the Secret of that name", { secret: { secretName: name } })];
  return [...others, ...add("an empty directory", { emptyDir: {} })];
}

function added(entry: WorkspaceObject, volume: Fields): FileEdit | undefined {
  const pod = podSpecOf(entry.object);
  if (pod === undefined || entry.patched !== undefined) return undefined;
  if (pod.fields["volumes"] === undefined)
    return fieldsEdit(entry, pod.path, { volumes: [volume] });
  return itemEdit(entry, [...pod.path, "volumes"], volume);
}
