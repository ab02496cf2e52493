/** What is not in the simulated cluster, because kubectl cannot read it or the API server refuses it. */

import type { Diagnostic } from "../../language-server/diagnostics/rule.ts";
import { isAbout } from "../../language-server/findings/kept-out.ts";
import { calledOf } from "../../language-server/yaml/manifest.ts";
import type { ClusterResult } from "../cluster-result.ts";
import { isTold } from "../told-objects.ts";
import { printPlace } from "./place.ts";

/** The refusals of the meant objects and of unreadable documents; empty if there are none. */
export function refusedText(
  result: ClusterResult,
  cwd: string,
  isMeant: (ref: string) => boolean = (ref) => isTold(result, ref),
): string {
  const { prediction, service } = result;
  const lines = service.keptOut(prediction).flatMap((refusal) => {
    const file = service.file(refusal.uri);
    const refs = refsOf(result, refusal);
    // A document that cannot be read belongs to no object: it is always printed.
    const isOther = refs.length > 0 && !refs.some(isMeant);
    if (file === undefined || isOther) return [];
    return [
      `  ${printPlace(file, refusal.start, cwd)} ${refusal.message.replaceAll("\n", "\n    ")}`,
    ];
  });
  return lines.length === 0
    ? ""
    : `${["Not in the cluster, because refused:", ...lines].join("\n")}\n`;
}

export function isRefused(result: ClusterResult, isMeant: (ref: string) => boolean): boolean {
  const { prediction, service } = result;
  return service.keptOut(prediction).some((refusal) => refsOf(result, refusal).some(isMeant));
}

/** The refs of the objects that it keeps out; empty for a document that cannot be read. */
function refsOf({ environment }: ClusterResult, refusal: Diagnostic): readonly string[] {
  return environment.objects
    .filter((entry) => isAbout(refusal, entry))
    .map(({ object }) => calledOf(object));
}
