/** Mounts an emptyDir at each folder that the image writes to, because its root file system is read-only. */
import type { Diagnostic } from "../diagnostics/rule.ts";
import { foldersToWrite, rootReadOnly } from "../diagnostics/rules/root-read-only.ts";
import { targetAt } from "../features/target.ts";
import { type Fields, fieldsOf, podSpecOf, podVolumesOf } from "../workspace/manifest-fields.ts";
import type { WorkspaceObject } from "../workspace/workspace-object.ts";
import { valueAt } from "../yaml/manifest.ts";
import type { Path } from "../yaml/place.ts";
import { type ActionContext, type CodeAction, type FileEdit, offer } from "./code-action.ts";
import { fieldsEdit, itemEdit } from "./field-edit.ts";

export function scratchFolders(
  { analysis, file }: ActionContext,
  diagnostic: Diagnostic,
): readonly CodeAction[] {
  if (diagnostic.code !== rootReadOnly.id) return [];
  const target = targetAt(analysis.environment, file, diagnostic.start);
  const pod = target && podSpecOf(target.entry.object);
  if (target === undefined || pod === undefined || target.entry.patched !== undefined) return [];
  const { entry, path } = target;
  // `path` ends in securityContext.readOnlyRootFilesystem.
  const at = path.slice(0, -2);
  const container = fieldsOf(valueAt(entry.object.value, at));
  const taken = new Set(podVolumesOf(entry.object).map(({ fields }) => fields["name"]));
  const mounts = foldersToWrite(container).map((mountPath) => {
    const name = mountPath.slice(1).replaceAll("/", "-");
    return { name: taken.has(name) ? `${name}-scratch` : name, mountPath };
  });
  const volumes = mounts.map(({ name }) => ({ name, emptyDir: {} }));
  const edits = [
    ...addedTo(entry, { fields: container, path: at }, { volumeMounts: mounts }),
    ...addedTo(entry, pod, { volumes }),
  ];
  const folders = mounts.map(({ mountPath }) => mountPath).join(" and ");
  return offer(`Mount an emptyDir at ${folders}`, edits, diagnostic);
}

/** Adds the lists, or appends their items to existing lists. */
function addedTo(
  entry: WorkspaceObject,
  { fields, path }: { readonly fields: Fields; readonly path: Path },
  lists: Readonly<Record<string, readonly Fields[]>>,
): readonly (FileEdit | undefined)[] {
  return Object.entries(lists).flatMap(([field, items]) =>
    fields[field] === undefined
      ? [fieldsEdit(entry, path, { [field]: items })]
      : items.map((item) => itemEdit(entry, [...path, field], item)),
  );
}
