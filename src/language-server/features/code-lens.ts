/** Code lenses: one above each storage object and its users, saying what becomes of it. */
import { type KubeObject, kindOfRef, nameOfRef, type Ref, refOf } from "../../engine/api/meta.ts";
import { effectiveClassName } from "../../engine/api/storage-class-name.ts";
import { defaultText } from "../../engine/explain/chain-steps.ts";
import { podsOf } from "../../engine/explain/pods-using.ts";
import { refusedText } from "../../engine/explain/refused-object.ts";
import { onceOf, type RunFacts } from "../../engine/explain/run-facts.ts";
import { isGood, type Verdict } from "../../engine/explain/verdict.ts";
import { attachmentsOf } from "../../engine/explain/volumes/attachments-of.ts";
import { withoutIcons } from "../../protocol/visible-text.ts";
import type { Analysis } from "../analysis.ts";
import type { Prediction } from "../prediction/prediction.ts";
import { decoded, relativePath } from "../workspace/files/uri.ts";
import { otherValues } from "../workspace/helm/chart-values.ts";
import type { WorkspaceFile, WorkspaceObject } from "../workspace/workspace-object.ts";
import type { Span } from "../yaml/place.ts";
import { isMadeUpName } from "./provisioned-name.ts";
import { wholeObject } from "./symbols.ts";

export interface CodeLens {
  /** Without `$(icon)` syntax, which the editor would draw as an icon. The titles of the other lenses below as well. */
  readonly title: string;
  /** The object's first line. */
  readonly span: Span;
  readonly ref: Ref;
}

export function codeLenses(
  analysis: Analysis,
  prediction: Prediction,
  file: WorkspaceFile,
): readonly CodeLens[] {
  return analysis.environment.objects
    .filter((entry) => entry.file.uri === file.uri)
    .flatMap((entry): CodeLens[] => {
      const { ref } = entry.object;
      const headline = ref === undefined ? undefined : headlineOf(prediction, ref);
      if (ref === undefined || headline === undefined) return [];
      const start = firstLine(entry);
      const nodes = attachedTo(prediction, ref);
      const attached = nodes.length === 0 ? "" : ` · attached to ${nodes.join(", ")}`;
      const pod = podGoneWrong(prediction, ref);
      const why = pod === undefined ? "" : `: ${reasonOf(pod)}`;
      const title = withoutIcons(`${shownName(entry)}${headline}${why}${attached}`);
      return [{ title, span: { start, end: start }, ref }];
    });
}

/**
 * Where the lens goes. For an object of a chart: its place in its template, or 0 if the object is from another file's template.
 */
function firstLine(entry: WorkspaceObject): number {
  const whole = wholeObject(entry);
  const place = entry.patched?.rendered?.templatePlace(whole);
  if (place === undefined) return whole.start;
  return place.file.uri === entry.file.uri ? place.start : 0;
}

/** The object's name before its headline, where one line stands for several objects of a dependency; else "". */
function shownName({ object, patched, file }: WorkspaceObject): string {
  const place = patched?.placeOf([]);
  const isOfMany = place?.file === file && patched?.rendered?.standsFor(place) !== undefined;
  return isOfMany ? `${object.name} ` : "";
}

/** The object's outcome, or how a class is used. Undefined for an object without a verdict that was not refused. */
function headlineOf(prediction: Prediction, ref: Ref): string | undefined {
  const { facts, verdictOf, environment } = prediction;
  const object = facts.objects.get(ref);
  if (object?.kind === "StorageClass") return classLine(facts, object);
  const isRefused = object === undefined && facts.refused.has(ref);
  const headline = verdictOf.get(ref)?.headline ?? (isRefused ? refusedText : undefined);
  const volume = object?.kind === "PersistentVolumeClaim" ? (object.spec.volumeName ?? "") : "";
  if (!isMadeUpName(environment, volume)) return headline;
  return headline?.replace(`bound to volume "${volume}"`, "bound to a new volume");
}

/** Whether the class is a default, how many claims use it, how many of these are bound, and its binding mode. */
function classLine(facts: RunFacts, storageClass: KubeObject<"StorageClass">): string {
  const { count, bound } = claimCounts(facts).get(storageClass.metadata.name) ?? noClaims;
  const claims = count === 1 ? "1 claim" : `${count === 0 ? "no" : count} claims`;
  const mode = storageClass.volumeBindingMode ?? "Immediate";
  const parts = [
    defaultText(facts, storageClass),
    count === bound ? claims : `${claims}, ${bound} bound`,
    mode,
  ];
  return parts.filter((part) => part !== "").join(" · ");
}

const noClaims = { count: 0, bound: 0 };

/** Claims and bound claims by class name. */
const claimCounts = onceOf((facts) => {
  const counts = new Map<string, { count: number; bound: number }>();
  for (const claim of facts.list("PersistentVolumeClaim")) {
    const name = effectiveClassName(claim);
    const { count, bound } = counts.get(name) ?? noClaims;
    const isBound = claim.status?.phase === "Bound";
    counts.set(name, { count: count + 1, bound: bound + (isBound ? 1 : 0) });
  }
  return counts;
});

/** Verdict of the first pod that fails for the workload's own reason: a bare count of pods would not say what is wrong. */
function podGoneWrong({ facts, verdictOf }: Prediction, ref: Ref): Verdict | undefined {
  const workload = facts.objects.get(ref);
  const verdict = verdictOf.get(ref);
  if (workload === undefined || verdict === undefined || isGood(verdict)) return undefined;
  return podsOf(facts, workload.metadata.uid)
    .flatMap((pod) => verdictOf.get(refOf(pod)) ?? [])
    .find((one) => !isGood(one) && one.root?.ref === verdict.root?.ref);
}

/** The claim's own words if the pod is Pending only because of its claim, else the pod's headline. */
function reasonOf({ headline, chain: [, next] }: Verdict): string {
  const isOfClaim = next !== undefined && kindOfRef(next.ref) === "PersistentVolumeClaim";
  return isOfClaim && headline.endsWith(`: claim "${nameOfRef(next.ref)}" ${next.text}`)
    ? `claim "${nameOfRef(next.ref)}" ${next.text}`
    : `a pod ${headline}`;
}

export interface OverlayLens {
  readonly title: string;
  readonly isJudged: boolean;
}

/** Whether this overlay is the one that is judged, and which others there are; undefined if there is nothing to choose. */
export function overlayLens(
  { environment }: Pick<Analysis, "environment">,
  { uri }: WorkspaceFile,
): OverlayLens | undefined {
  const { overlays } = environment.kustomized;
  const own = overlays.find((overlay) => overlay.uri === uri);
  if (own === undefined) return undefined;
  const { isJudged } = own;
  const others = overlays.filter((other) => other !== own && other.isJudged !== isJudged);
  const named = others.map(({ folder }) => folder).join(", ");
  const title = isJudged
    ? `Judged, in place of ${named}`
    : `Not judged; ${named} is judged instead`;
  return { title: withoutIcons(title), isJudged };
}

/** The lens of a values file with which the chart is not judged; undefined for other files. */
export function valuesLens(
  { environment }: Pick<Analysis, "environment">,
  { uri }: WorkspaceFile,
): string | undefined {
  const found = otherValues(environment).find((other) => other.uri === uri);
  if (found === undefined) return undefined;
  const { folder, values } = found.release;
  const named = values.map((one) => decoded(relativePath(folder, one))).join(", ");
  const verb = values.length > 1 ? "are" : "is";
  return withoutIcons(
    `Not judged; ${named === "" ? "values.yaml alone" : named} ${verb} judged instead`,
  );
}

/** The nodes that the claim's volume is attached to at the end of the run. */
function attachedTo({ facts }: Prediction, ref: Ref): readonly string[] {
  const claim = facts.objects.get(ref);
  if (claim?.kind !== "PersistentVolumeClaim") return [];
  return attachmentsOf(facts, claim.spec.volumeName ?? "")
    .filter(({ status }) => status?.attached === true)
    .map(({ spec }) => spec.nodeName);
}
