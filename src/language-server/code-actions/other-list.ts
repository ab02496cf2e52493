/**
 * Moves a claim between volumeMounts and volumeDevices: a raw device belongs among the devices, a file system among the mounts.
 */
import { type Diagnostic, documentPath } from "../diagnostics/rule.ts";
import { blockClaimMounted, filesystemClaimDevice } from "../diagnostics/rules/block-claim.ts";
import { targetAt } from "../features/target.ts";
import type { WorkspaceObject } from "../workspace/workspace-object.ts";
import { removeItem, renameKey } from "../yaml/edits.ts";
import { valueAt } from "../yaml/manifest.ts";
import type { Path } from "../yaml/place.ts";
import { type ActionContext, type CodeAction, type FileEdit, offer } from "./code-action.ts";
import { editOf, fieldsEdit } from "./field-edit.ts";

/** A list of a container, and the field of its items that holds the path. */
interface List {
  readonly field: string;
  readonly pathField: string;
}

const mounts: List = { field: "volumeMounts", pathField: "mountPath" };
const devices: List = { field: "volumeDevices", pathField: "devicePath" };

const rightLists: ReadonlyMap<string, readonly [wrong: List, right: List]> = new Map([
  [blockClaimMounted.id, [mounts, devices]],
  [filesystemClaimDevice.id, [devices, mounts]],
]);

/** Nothing if the item has fields that the other list does not know. */
export function otherList(
  { analysis, file }: ActionContext,
  diagnostic: Diagnostic,
): readonly CodeAction[] {
  const [wrong, right] = rightLists.get(diagnostic.code) ?? [];
  const target = targetAt(analysis.environment, file, diagnostic.start);
  if (wrong === undefined || right === undefined || target === undefined) return [];
  const { entry, path } = target;
  const itemPath = path.slice(0, -1);
  const item = valueAt(entry.object.value, itemPath) as Readonly<Record<string, unknown>>;
  if (Object.keys(item).some((key) => key !== "name" && key !== wrong.pathField)) return [];
  const edits = isAlone(entry, itemPath)
    ? renamed(entry, itemPath, wrong, right)
    : moved(
        entry,
        itemPath,
        { name: item["name"], [right.pathField]: item[wrong.pathField] },
        right,
      );
  return offer(`Move it to ${right.field}`, edits, diagnostic);
}

function isAlone({ object }: WorkspaceObject, itemPath: Path): boolean {
  const list = valueAt(object.value, itemPath.slice(0, -1));
  return Array.isArray(list) && list.length === 1;
}

/** Renames the whole list; nothing if the container has both lists. */
function renamed(
  entry: WorkspaceObject,
  itemPath: Path,
  wrong: List,
  right: List,
): readonly (FileEdit | undefined)[] {
  const container = itemPath.slice(0, -2);
  if (valueAt(entry.object.value, [...container, right.field]) !== undefined) return [];
  return [
    keyEdit(entry, [...container, wrong.field], right.field),
    keyEdit(entry, [...itemPath, wrong.pathField], right.pathField),
  ];
}

function keyEdit(entry: WorkspaceObject, path: Path, name: string): FileEdit | undefined {
  const edit = renameKey(entry.document.yaml, documentPath(entry.object, path), name);
  return edit && editOf(entry, edit);
}

/** Moves only this item; nothing in JSON, or if the container has both lists. */
function moved(
  entry: WorkspaceObject,
  itemPath: Path,
  item: Readonly<Record<string, unknown>>,
  right: List,
): readonly (FileEdit | undefined)[] {
  const container = itemPath.slice(0, -2);
  const hasBoth = valueAt(entry.object.value, [...container, right.field]) !== undefined;
  if (hasBoth || entry.file.uri.endsWith(".json")) return [];
  const removal = removeItem(entry.document.yaml, documentPath(entry.object, itemPath));
  const addition = fieldsEdit(entry, container, { [right.field]: [item] });
  return [removal && editOf(entry, removal), addition];
}
