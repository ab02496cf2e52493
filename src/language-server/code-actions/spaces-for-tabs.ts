/** Replaces the tabs that indent a document with spaces. */
import type { Diagnostic } from "../diagnostics/rule.ts";
import { yamlSyntax } from "../diagnostics/rules/yaml-syntax.ts";
import type { WorkspaceFile } from "../workspace/workspace-object.ts";
import { documentAt } from "../yaml/manifest-file.ts";
import type { CodeAction, FileEdit } from "./code-action.ts";

/** Changes the line of the finding, and all lines that begin with a tab: these cannot be block text. */
export function spacesForTabs(
  { uri, manifest }: WorkspaceFile,
  diagnostic: Diagnostic,
): readonly CodeAction[] {
  const at = documentAt(manifest, diagnostic.start);
  if (diagnostic.code !== yamlSyntax.id || at === undefined) return [];
  const { text } = at.document.yaml;
  const tab = diagnostic.start - at.start;
  const found = text.lastIndexOf("\n", tab - 1) + 1;
  if (text[tab] !== "\t" || text.slice(found, tab).trim() !== "") return [];
  const edits = [...text.matchAll(/^(?=[ ]*\t)[ \t]+/gm)].flatMap(
    ({ index, 0: blanks }): FileEdit[] => {
      if (blanks[0] !== "\t" && index !== found) return [];
      const start = at.start + index;
      return [{ uri, start, end: start + blanks.length, text: blanks.replaceAll("\t", "  ") }];
    },
  );
  return [{ title: "Indent with spaces", kind: "quickfix", edits, diagnostic }];
}
