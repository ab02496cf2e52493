/** Code lens: above each object that storage is about, what becomes of it, and the ways to look closer. */
import type { Ref } from "../../engine/api/meta.ts";
import type { Analysis } from "../analysis.ts";
import type { Prediction } from "../prediction/predictor.ts";
import type { WorkspaceFile } from "../workspace/workspace.ts";
import type { Span } from "../yaml/locate.ts";
import { documentSymbols } from "./symbols.ts";

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
  const symbols = documentSymbols(file);
  const profile = prediction.assumed.cluster.name;
  return analysis.environment.objects
    .filter((entry) => entry.file.uri === file.uri)
    .flatMap(({ object: { ref } }, index): CodeLens[] => {
      const headline = ref === undefined ? undefined : prediction.verdictOf.get(ref)?.headline;
      const symbol = symbols[index];
      if (ref === undefined || headline === undefined || symbol === undefined) return [];
      const { start } = symbol.whole;
      const nodes = attachedTo(prediction, ref);
      const attached = nodes.length === 0 ? "" : ` · attached to ${nodes.join(", ")}`;
      return [{ title: `${profile}: ${headline}${attached}`, span: { start, end: start }, ref }];
    });
}

/** The nodes that the volume of a claim is attached to at the end. */
function attachedTo({ facts }: Prediction, ref: Ref): readonly string[] {
  const claim = facts.objects.get(ref);
  if (claim?.kind !== "PersistentVolumeClaim") return [];
  return facts
    .list("VolumeAttachment")
    .filter(({ spec, status }) => {
      const { volumeName } = claim.spec;
      return status?.attached === true && spec.source.persistentVolumeName === volumeName;
    })
    .map(({ spec }) => spec.nodeName);
}
