/** Suppresses a finding: at its line, in its file, or in the whole project. */
import type { Diagnostic } from "../diagnostics/rule.ts";
import { commentedParts, unusedSuppression } from "../diagnostics/rules/suppression.ts";
import { projectFileName } from "../project/project-file.ts";
import type { WorkspaceFile } from "../workspace/workspace-object.ts";
import { type ActionContext, type CodeAction, type FileEdit, touched } from "./code-action.ts";
import { projectEdit } from "./project-edit.ts";

export function suppressions(context: ActionContext): readonly CodeAction[] {
  const { file, diagnostics } = context;
  const byRule = new Map(touched(context).map((diagnostic) => [diagnostic.code, diagnostic]));
  return [...byRule.values()].flatMap((diagnostic): CodeAction[] => {
    const { code } = diagnostic;
    const alike = diagnostics.filter((other) => other.code === code);
    const common = { kind: "quickfix", diagnostic } as const;
    const comments = takesComment(file, diagnostic)
      ? [
          { ...common, title: `Ignore “${code}” here`, edits: [commentAt(file, diagnostic)] },
          {
            ...common,
            title: `Ignore “${code}” in this file`,
            edits: documentComments(file, alike),
          },
        ]
      : [];
    return [...comments, ...projectSetting(context, diagnostic)];
  });
}

/** True if a comment can suppress the finding: the file has comments, and the finding is not itself about a suppression. */
function takesComment({ uri, manifest }: WorkspaceFile, { code, start }: Diagnostic): boolean {
  if (uri.endsWith(".json") || manifest.templateAt !== undefined) return false;
  if (code === unusedSuppression.id) return false;
  return commentedParts(manifest).some((slice) => start >= slice.start && start <= slice.end);
}

function comment(rule: string): string {
  return `# claimcheck-ignore ${rule}: say why`;
}

/**
 * In a line of its own above; if nothing precedes the line in its document, at its end, because a comment at the head would
 * apply to the whole document.
 */
function commentAt({ uri, manifest }: WorkspaceFile, { start, code }: Diagnostic): FileEdit {
  const { text } = manifest;
  const lineStart = text.lastIndexOf("\n", start - 1) + 1;
  const indent = /^ */.exec(text.slice(lineStart))?.[0] ?? "";
  const document = commentedParts(manifest).find(
    (slice) => start >= slice.start && start <= slice.end,
  );
  if (/\S/.test(text.slice(document?.start ?? 0, lineStart)))
    return { uri, start: lineStart, end: lineStart, text: `${indent}${comment(code)}\n` };
  const lineEnd = /\r?\n|$/.exec(text.slice(start))?.index ?? 0;
  return { uri, start: start + lineEnd, end: start + lineEnd, text: ` ${comment(code)}` };
}

/** One comment at the head of each document with such a finding. */
function documentComments(
  { uri, manifest }: WorkspaceFile,
  alike: readonly Diagnostic[],
): readonly FileEdit[] {
  return commentedParts(manifest)
    .filter(({ start, end }) => alike.some((one) => one.start >= start && one.start < end))
    .map(({ start }) => ({ uri, start, end: start, text: `${comment(alike[0]?.code ?? "")}\n` }));
}

/** Sets `rules: { RULE: off }` in the environment's claimcheck.yaml. */
function projectSetting(context: ActionContext, diagnostic: Diagnostic): readonly CodeAction[] {
  const { code } = diagnostic;
  const title = `Ignore “${code}” in the project (${projectFileName})`;
  const edit = projectEdit(context, ["rules", code], "off", `rules:\n  ${code}: off\n`);
  return edit === undefined ? [] : [{ title, kind: "quickfix", diagnostic, ...edit }];
}
