/**
 * Fixes for the findings at the selection: a corrected name, the finding's own fix, what the prediction suggests, and special
 * ones.
 */
import type { Verdict } from "../../engine/explain/verdict.ts";
import { hasAssumedNodes } from "../diagnostics/outcome-basis.ts";
import type { Diagnostic } from "../diagnostics/rule.ts";
import { bareList } from "../diagnostics/rules/bare-list.ts";
import { classWffcPodNodename } from "../diagnostics/rules/class-wffc-pod-nodename.ts";
import { secretKeyMissing } from "../diagnostics/rules/secret-key-missing.ts";
import { yamlDocumentEnd } from "../diagnostics/rules/yaml-document-end.ts";
import { separatorIsMissing } from "../diagnostics/rules/yaml-duplicate-key.ts";
import { targetAt } from "../features/target.ts";
import { presentEntry } from "../islands/present-entry.ts";
import { nearestName } from "../nearest-name.ts";
import { rootCauses } from "../prediction/root-causes.ts";
import { sourceOf } from "../prediction/source-of.ts";
import { placeOf } from "../workspace/field-place.ts";
import type { WorkspaceFile } from "../workspace/workspace-object.ts";
import { locate } from "../yaml/locate.ts";
import { valueAt } from "../yaml/manifest.ts";
import { documentAt } from "../yaml/manifest-file.ts";
import { classOfDriver } from "./class-of-driver.ts";
import {
  type ActionContext,
  type CodeAction,
  type FileEdit,
  offer,
  touched,
} from "./code-action.ts";
import { dataDirectory } from "./data-directory.ts";
import { earlierMount } from "./earlier-mount.ts";
import { earlierPlace } from "./earlier-place.ts";
import { exclusiveMode } from "./exclusive-mode.ts";
import { fewerRights } from "./fewer-rights.ts";
import { editFrom, fieldEdit, fixEdit, replacementEdit } from "./field-edit.ts";
import { growingClass } from "./growing-class.ts";
import { importSavedCluster } from "./import-saved-cluster.ts";
import { inlineVolume } from "./inline-volume.ts";
import { knownClass } from "./known-class.ts";
import { misplacedField } from "./misplaced-field.ts";
import { missingClass } from "./missing-class.ts";
import { missingVersion } from "./missing-version.ts";
import { needlessSuppression } from "./needless-suppression.ts";
import { needlessWrapper } from "./needless-wrapper.ts";
import { oneNodeClaim } from "./one-node-claim.ts";
import { optionalLine } from "./optional-line.ts";
import { otherList } from "./other-list.ts";
import { ownClusters } from "./own-clusters.ts";
import { ownerOptions } from "./owner-options.ts";
import { refusedValue } from "./refused-value.ts";
import { scratchFolders } from "./scratch-folders.ts";
import { separateOptions } from "./separate-options.ts";
import { sizeOfBoth } from "./size-of-both.ts";
import { spacesForTabs } from "./spaces-for-tabs.ts";
import { templateLabels } from "./template-labels.ts";
import { volumeForMount } from "./unknown-volume.ts";

/** Findings with the same fix share one action. */
export function quickFixes(context: ActionContext): readonly CodeAction[] {
  const { file } = context;
  const byEdits = new Map<string, CodeAction>();
  for (const diagnostic of touched(context)) {
    if (diagnostic.isOfDependency === true) continue;
    const actions = [
      ...meantName(file, diagnostic),
      ...separator(file, diagnostic),
      ...missingVersion(file, diagnostic),
      ...spacesForTabs(file, diagnostic),
      ...listAround(file, diagnostic),
      ...earlierPlace(context, diagnostic),
      ...earlierMount(context, diagnostic),
      ...separateOptions(context, diagnostic),
      ...nodeSelector(context, diagnostic),
      ...otherList(context, diagnostic),
      ...optionalLine(context, diagnostic),
      ...growingClass(context, diagnostic),
      ...exclusiveMode(context, diagnostic),
      ...oneNodeClaim(context, diagnostic),
      ...inlineVolume(context, diagnostic),
      ...classOfDriver(context, diagnostic),
      ...knownClass(context, diagnostic),
      ...missingClass(context, diagnostic),
      ...ownClusters(context, diagnostic),
      ...importSavedCluster(context, diagnostic),
      ...misplacedField(context, diagnostic),
      ...needlessWrapper(context, diagnostic),
      ...needlessSuppression(file, diagnostic),
      ...refusedValue(context, diagnostic),
      ...volumeForMount(context, diagnostic),
      ...templateLabels(context, diagnostic),
      ...dataDirectory(context, diagnostic),
      ...scratchFolders(context, diagnostic),
      ...ownerOptions(context, diagnostic),
      ...fewerRights(context, diagnostic),
      ...(sizeOfBoth(context, diagnostic) ?? ownFix(file, diagnostic)),
      ...fixesOf(context, diagnostic),
    ];
    for (const action of actions) {
      const edits = JSON.stringify(action.edits);
      if (!byEdits.has(edits)) byEdits.set(edits, action);
    }
  }
  return [...byEdits.values()];
}

/**
 * Replaces a misspelled name; nothing if the place only stands for it, such as the object that a chart's namespace is for. A key
 * of a Secret may be quite different from the one that its driver reads.
 */
function meantName(
  { uri, manifest }: WorkspaceFile,
  diagnostic: Diagnostic,
): readonly CodeAction[] {
  const { start, end, code, message, meant: name } = diagnostic;
  const written = manifest.text.slice(start, end);
  const [quote = ""] = /^["']/.exec(written) ?? [];
  const word = quote === "" ? written : written.slice(1, -1);
  if (name === undefined) return [];
  const isName =
    code === secretKeyMissing.id ||
    message.includes(word) ||
    nearestName(word, [name]) !== undefined;
  if (!isName) return [];
  const edits = [{ uri, start, end, text: quote + name + quote }];
  return [{ title: `Change to “${name}”`, kind: "quickfix", edits, diagnostic }];
}

/** Adds the separator between two objects in one document. */
function separator({ uri }: WorkspaceFile, diagnostic: Diagnostic): readonly CodeAction[] {
  const { start, end, code, message } = diagnostic;
  const isDots = code === yamlDocumentEnd.id;
  if (!isDots && message !== separatorIsMissing) return [];
  const edits = [
    isDots ? { uri, start, end, text: "---" } : { uri, start, end: start, text: "---\n" },
  ];
  return [{ title: "Begin a document here", kind: "quickfix", edits, diagnostic }];
}

/** Adds the head of a List. The items keep their indentation: a list may stand in the column of its key. */
function listAround(
  { uri, manifest }: WorkspaceFile,
  diagnostic: Diagnostic,
): readonly CodeAction[] {
  const at = documentAt(manifest, diagnostic.start);
  if (diagnostic.code !== bareList.id || at === undefined) return [];
  const { text } = at.document.yaml;
  const { start, end } = locate(at.document.yaml, []).value;
  const lineStart = text.lastIndexOf("\n", start - 1) + 1;
  const insert = (offset: number, inserted: string): FileEdit => {
    return { uri, start: at.start + offset, end: at.start + offset, text: inserted };
  };
  const edits =
    text[start] === "["
      ? [insert(start, '{ "apiVersion": "v1", "kind": "List", "items": '), insert(end, " }")]
      : [insert(lineStart, "apiVersion: v1\nkind: List\nitems:\n")];
  return [{ title: "Make it a List", kind: "quickfix", edits, diagnostic }];
}

/** Replaces spec.nodeName with a node selector, so that the scheduler sees the pod. Nothing if the pod has a node selector. */
function nodeSelector(
  { analysis, file }: ActionContext,
  diagnostic: Diagnostic,
): readonly CodeAction[] {
  const { code, start } = diagnostic;
  if (code !== classWffcPodNodename.id) return [];
  const target = targetAt(analysis.environment, file, start);
  if (target === undefined) return [];
  const { entry, path } = target;
  const { value } = entry.object;
  const name = valueAt(value, path);
  const selector = valueAt(value, [...path.slice(0, -1), "nodeSelector"]);
  if (typeof name !== "string" || selector !== undefined) return [];
  const edit = replacementEdit(entry, path, {
    nodeSelector: { "kubernetes.io/hostname": name },
  });
  return offer("Choose the node by its label", [edit], diagnostic);
}

function ownFix(file: WorkspaceFile, diagnostic: Diagnostic): readonly CodeAction[] {
  const { fix } = diagnostic;
  return fix === undefined ? [] : offer(fix.title, [ownEdit(file, diagnostic)], diagnostic);
}

/** The edit of the finding's own fix; undefined if it has none. */
export function ownEdit(file: WorkspaceFile, { fix, start }: Diagnostic): FileEdit | undefined {
  const at = documentAt(file.manifest, start);
  if (fix === undefined || at === undefined) return undefined;
  const edit = fixEdit(at.document.yaml, fix);
  return edit && editFrom(file, at.start, edit);
}

/**
 * The predicted outcome that the finding reports. Looks up present places, because files may have changed since the prediction.
 */
export function predictedCause(
  { prediction, analysis, findFile }: ActionContext,
  diagnostic: Diagnostic,
): Verdict | undefined {
  if (prediction === undefined) return undefined;
  const { kustomized, charts } = analysis.environment;
  const files = { kustomized, charts, findFile };
  const cause = rootCauses(prediction).find(({ source }) => {
    if (source === undefined) return false;
    const entry = presentEntry(source.entry, files);
    if (entry === undefined) return false;
    const { file, start } = placeOf(entry, source.path);
    return file.uri === diagnostic.uri && start === diagnostic.start;
  });
  return cause?.verdict;
}

/** The fixes that the prediction suggests for the outcome. */
function fixesOf(context: ActionContext, diagnostic: Diagnostic): readonly CodeAction[] {
  const { prediction, analysis, findFile } = context;
  if (prediction === undefined) return [];
  const { kustomized, charts } = analysis.environment;
  const files = { kustomized, charts, findFile };
  const fixes = predictedCause(context, diagnostic)?.fixes ?? [];
  return fixes.flatMap(({ text, doing = text, at, value }) => {
    if (at?.field === undefined || value === undefined) return [];
    // Assumed nodes have made-up zones: no driver can create volumes there.
    if (at.field.startsWith("allowedTopologies") && hasAssumedNodes(prediction)) return [];
    const target = sourceOf(prediction, at.ref, at.field);
    const entry = target === undefined ? undefined : presentEntry(target.entry, files);
    if (target === undefined || entry === undefined) return [];
    const title = doing.charAt(0).toUpperCase() + doing.slice(1);
    return offer(title, [fieldEdit(entry, target.path, value)], diagnostic);
  });
}
