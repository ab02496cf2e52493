/** Code lens: above each object that storage is about, what becomes of it. */
import type { Analysis } from "../analysis.ts";
import type { Prediction } from "../prediction/predictor.ts";
import type { WorkspaceFile } from "../workspace/workspace.ts";
import type { Span } from "../yaml/locate.ts";
import { documentSymbols } from "./symbols.ts";

export interface CodeLens {
  readonly title: string;
  /** The object's first line. */
  readonly span: Span;
}

export function codeLenses(
  analysis: Analysis,
  prediction: Prediction,
  file: WorkspaceFile,
): readonly CodeLens[] {
  const symbols = documentSymbols(file);
  return analysis.environment.objects
    .filter((entry) => entry.file.uri === file.uri)
    .flatMap(({ object }, index): CodeLens[] => {
      const headline =
        object.ref === undefined ? undefined : prediction.verdictOf.get(object.ref)?.headline;
      const symbol = symbols[index];
      if (headline === undefined || symbol === undefined) return [];
      const { start } = symbol.whole;
      return [
        { title: `${prediction.assumed.cluster.name}: ${headline}`, span: { start, end: start } },
      ];
    });
}
