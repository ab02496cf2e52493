/**
 * Applies patches to the objects of a kustomization. Upstream: kustomize v5.8 api/internal/builtins PatchTransformer.go,
 * PatchStrategicMergeTransformer.go, PatchJson6902Transformer.go, api/resmap reswrangler.go GetById.
 */
import type { BuildLog } from "./build-log.ts";
import type { BuildScene } from "./build-scene.ts";
import { changedOnce } from "./changed-once.ts";
import { isClusterScoped } from "./cluster-scoped.ts";
import { spanAt } from "./entry-place.ts";
import { applyJsonPatch } from "./json-patch.ts";
import type { PatchEntry } from "./kustomization-file.ts";
import { type LoadedPatch, loadPatch } from "./loaded-patch.ts";
import {
  type ChangePlace,
  isKnownField,
  printId,
  type Resource,
  textAt,
  type WholeId,
} from "./resource.ts";
import { type MergeProblem, mergeStrategically } from "./strategic-merge.ts";
import type { Written } from "./written.ts";

/** Applies the patches of one entry. */
export function applyPatches(entry: PatchEntry, scene: BuildScene): void {
  const { place, resources, log } = scene;
  log.isChanged = true;
  const { patch, problems } = loadPatch(entry, place, scene.findFile);
  log.problems.push(...problems);
  if (patch === undefined) return;
  log.files.add(patch.file.uri);
  if (entry.file !== undefined) log.patches.add(patch.file.uri);
  const at: ChangePlace = { place, file: patch.file, entry };
  const { target } = patch;
  if (target === undefined) {
    for (const part of patch.parts) mergeById(part, patch, at, scene);
    return;
  }
  const selected = resources.filter((one) => one.written !== undefined && target.selects(one));
  if (selected.length === 0 && !log.isPartial)
    log.problems.push({
      ...spanAt(place, [...entry.path, "target"]),
      message: "The target selects nothing that the kustomization has",
      severity: "warning",
    });
  for (const resource of selected) patchOne(resource, patch, at, log);
}

/** A strategic merge patch names the object that it is for. */
function mergeById(
  part: Written,
  patch: LoadedPatch,
  at: ChangePlace,
  { resources, log }: BuildScene,
): void {
  const id = idOf(part);
  if (typeof id === "string") {
    log.refuseAt(part.text, [], "patch", id);
    return;
  }
  const found = resources.filter((one) => one.written !== undefined && isMeant(one, id));
  const [first] = found;
  if (first !== undefined && found.length === 1)
    patchOne(first, { ...patch, parts: [part] }, at, log);
  else if (found.length > 1 || !log.isPartial) {
    const matches = found.length > 1 ? "multiple matches" : "no matches";
    const printed = printId(id);
    const message = `${matches} for Id ${printed}; failed to find unique target for patch ${printed}`;
    log.refuseAt(part.text, ["metadata", "name"], "patch", message);
  }
}

function patchOne(
  resource: Resource,
  { parts, operations, entry }: LoadedPatch,
  at: ChangePlace,
  log: BuildLog,
): void {
  resource.changedBy.push(at);
  const isNoted = operations.length > 0 && entry.isOfOperations !== true;
  if (isNoted || entry.changesName || entry.changesKind) resource.previousIds.push(resource.id);
  if (parts.length === 0 && operations.length === 0) resource.lacksPatch = true;
  for (const patch of [...parts, ...operations]) {
    if (resource.written === undefined || log.isSpentAt(at.place, entry.path)) return;
    const before = resource.written;
    const { after, problem } = changedOnce(before, patch, () =>
      patchedBy(before, patch, resource, entry),
    );
    resource.written = after;
    if (problem === undefined || !isCertain(problem, resource)) continue;
    resource.lacksPatch = true;
    log.refuseAt(problem.at.text, problem.at.path, "patch", problem.message);
  }
}

/**
 * False if the problem may be caused by file contents of a generated object, which are not known; unless the field does not
 * exist in its kind.
 */
function isCertain({ at }: MergeProblem, resource: Resource): boolean {
  if (resource.entry !== undefined) return true;
  const pointer = typeof at.value === "string" && at.path.at(-1) === "path" ? at.value : "";
  const [, field] = pointer.split("/");
  return field !== undefined && isKnownField(resource, field);
}

/** What a patch makes of an object; unchanged if there is a problem. */
interface Patched {
  /** Undefined if the patch removes it. */
  readonly after: Written | undefined;
  readonly problem?: MergeProblem | undefined;
}

function patchedBy(
  before: Written,
  patch: Written,
  resource: Resource,
  { changesName, changesKind }: PatchEntry,
): Patched {
  if (Array.isArray(patch.value)) {
    const { patched, problem } = applyJsonPatch(before, patch, resource.previousIds.length > 0);
    return { after: patched, problem };
  }
  const keeps = { name: !changesName, kind: !changesKind };
  const { merged, problem } = mergeStrategically(before, patch, resource, keeps);
  return { after: merged, problem };
}

/** The id in a patch; a text if something is missing. */
function idOf({ value }: Written): WholeId | string {
  const kind = textAt(value, "kind");
  const name = textAt(value, "metadata", "name");
  if (kind === "") return "missing Resource metadata";
  if (name === "") return "missing metadata.name in object";
  const namespace = textAt(value, "metadata", "namespace");
  return { apiVersion: textAt(value, "apiVersion"), kind, name, namespace };
}

function isMeant(resource: Resource, { apiVersion, kind, name, namespace }: WholeId): boolean {
  if (resource.apiVersion !== apiVersion) return false;
  const wanted = isClusterScoped(apiVersion, kind) ? "" : namespace || "default";
  return resource.ids.some((id) => id.kind === kind && id.name === name && id.namespace === wanted);
}
