/** Code lens: above each object that storage is about, what becomes of it, and the ways to look closer. */
import { type Ref, refOf } from "../../engine/api/meta.ts";
import { podsOf } from "../../engine/explain/pods-using.ts";
import { refusedText } from "../../engine/explain/refused-object.ts";
import { isGood } from "../../engine/explain/verdict.ts";
import { attachmentsOf } from "../../engine/explain/volumes/attachments-of.ts";
import type { Analysis } from "../analysis.ts";
import type { Prediction } from "../prediction/prediction.ts";
import type { Environment } from "../workspace/environment.ts";
import { otherValues } from "../workspace/helm/chart-values.ts";
import { decoded, relativePath } from "../workspace/uri.ts";
import type { WorkspaceFile, WorkspaceObject } from "../workspace/workspace-object.ts";
import type { Span } from "../yaml/place.ts";
import { isMadeUpName } from "./provisioned-name.ts";
import { wholeObject } from "./symbols.ts";

export interface CodeLens {
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
      const outcome = shown(headline, analysis.environment);
      const pod = podGoneWrong(prediction, ref);
      // That pods of a claim which is Pending are so, too, is said by the claim.
      const claim = pod === undefined ? undefined : /^stays Pending: (claim ".*)/s.exec(pod)?.[1];
      const why = pod === undefined ? "" : `: ${claim ?? `a pod ${pod}`}`;
      const title = `${shownName(entry)}${outcome}${why}${attached}`;
      return [{ title, span: { start, end: start }, ref }];
    });
}

/** Of what a chart makes, that of its template; the first of all where another template has made it. */
function firstLine(entry: WorkspaceObject): number {
  const whole = wholeObject(entry);
  const place = entry.patched?.rendered?.templatePlace(whole);
  if (place === undefined) return whole.start;
  return place.file.uri === entry.file.uri ? place.start : 0;
}

/** Where the lenses of several objects stand in one line. */
function shownName({ object, patched, file }: WorkspaceObject): string {
  const place = patched?.placeOf([]);
  const isOfMany = place?.file === file && patched?.rendered?.standsFor(place) !== undefined;
  return isOfMany ? `${object.name} ` : "";
}

/** What has become of it; of other objects than storage and its users only that they are refused, else nothing. */
function headlineOf({ facts, verdictOf }: Prediction, ref: Ref): string | undefined {
  const isRefused = facts.refused.has(ref) && !facts.objects.has(ref);
  return verdictOf.get(ref)?.headline ?? (isRefused ? refusedText : undefined);
}

/** Without a volume's name where that is made up. */
function shown(headline: string, environment: Environment): string {
  return headline.replace(/^is bound to volume "([^"]+)"/, (whole, name: string) =>
    isMadeUpName(environment, name) ? "is bound to a new volume" : whole,
  );
}

/** What has become of the pod that a workload's verdict blames: a count alone sends its reader looking. */
function podGoneWrong({ facts, verdictOf }: Prediction, ref: Ref): string | undefined {
  const workload = facts.objects.get(ref);
  const verdict = verdictOf.get(ref);
  if (workload === undefined || verdict === undefined || isGood(verdict)) return undefined;
  return podsOf(facts, workload.metadata.uid)
    .flatMap((pod) => verdictOf.get(refOf(pod)) ?? [])
    .find((one) => !isGood(one) && one.root?.ref === verdict.root?.ref)?.headline;
}

export interface OverlayLens {
  readonly title: string;
  readonly isJudged: boolean;
}

/** At a kustomization that makes something else of objects than others do; undefined elsewhere. */
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
  const title = isJudged ? `Judged, in place of ${named}` : `Not judged: ${named} is`;
  return { title, isJudged };
}

/** At a file with values for a chart that is judged with others; undefined elsewhere. */
export function valuesLens(
  { environment }: Pick<Analysis, "environment">,
  { uri }: WorkspaceFile,
): string | undefined {
  const found = otherValues(environment).find((other) => other.uri === uri);
  if (found === undefined) return undefined;
  const { folder, values } = found.release;
  const named = values.map((one) => decoded(relativePath(folder, one))).join(", ");
  const verb = values.length > 1 ? "are" : "is";
  return `Not judged: ${named === "" ? "values.yaml alone" : named} ${verb}`;
}

/** The nodes that the volume of a claim is attached to at the end. */
function attachedTo({ facts }: Prediction, ref: Ref): readonly string[] {
  const claim = facts.objects.get(ref);
  if (claim?.kind !== "PersistentVolumeClaim") return [];
  return attachmentsOf(facts, claim.spec.volumeName ?? "")
    .filter(({ status }) => status?.attached === true)
    .map(({ spec }) => spec.nodeName);
}
