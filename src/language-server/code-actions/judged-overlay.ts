/** Changes which of several overlays is judged, in claimcheck.yaml. */
import type { Diagnostic } from "../diagnostics/rule.ts";
import { isHead, targetAt } from "../features/target.ts";
import { projectFileName } from "../project/project-file.ts";
import { printScalar } from "../yaml/edits.ts";
import { type ActionContext, type CodeAction, touched } from "./code-action.ts";
import { projectEdit } from "./project-edit.ts";

/** For findings that say which overlay is not judged, and at the head of an object that the overlays build differently. */
export function otherOverlays(context: ActionContext): readonly CodeAction[] {
  const folders = new Map<string, Diagnostic | undefined>();
  for (const diagnostic of touched(context)) {
    const { overlay } = diagnostic;
    if (overlay !== undefined) folders.set(overlay, diagnostic);
  }
  for (const folder of othersAt(context)) if (!folders.has(folder)) folders.set(folder, undefined);
  return [...folders].flatMap(([folder, diagnostic]): CodeAction[] => {
    const edit = judgingEdit(context, folder);
    if (edit === undefined) return [];
    const kind = diagnostic === undefined ? "refactor.rewrite" : "quickfix";
    const title = `Judge “${folder}” (${projectFileName})`;
    return [{ title, kind, ...edit, ...(diagnostic !== undefined && { diagnostic }) }];
  });
}

/** The edit that makes the overlay in the folder the judged one. */
export function judgingEdit(
  context: Pick<ActionContext, "analysis" | "findFile">,
  folder: string,
): ReturnType<typeof projectEdit> {
  const whole = `kustomization: ${printScalar(folder)}\n`;
  return projectEdit(context, ["kustomization"], folder, whole);
}

function othersAt({ analysis, file, range }: ActionContext): readonly string[] {
  const { environment } = analysis;
  const target = targetAt(environment, file, range.start);
  if (target === undefined || !isHead(target)) return [];
  return environment.kustomized.overlaysOf(target.entry)?.others ?? [];
}
