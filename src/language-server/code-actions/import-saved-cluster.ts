/**
 * Names a file with a saved cluster in claimcheck.yaml: its objects are then the starting point of predictions, not manifests.
 */
import type { Diagnostic } from "../diagnostics/rule.ts";
import { savedCluster } from "../diagnostics/rules/saved-cluster.ts";
import { projectFileName } from "../project/project-file.ts";
import { decoded, isBelow, relativePath } from "../workspace/files/uri.ts";
import { printScalar } from "../yaml/edits.ts";
import type { ActionContext, CodeAction } from "./code-action.ts";
import { projectEdit } from "./project-edit.ts";

/** Nothing if the project file names an import already. */
export function importSavedCluster(
  context: ActionContext,
  diagnostic: Diagnostic,
): readonly CodeAction[] {
  if (diagnostic.code !== savedCluster.id) return [];
  const { environment } = context.analysis;
  const { uri } = context.file;
  if (environment.project.imports.length > 0 || !isBelow(uri, environment.id)) return [];
  const path = decoded(relativePath(environment.id, uri));
  const whole = `cluster: { import: ${printScalar(path)} }\n`;
  const edit = projectEdit(context, ["cluster", "import"], path, whole);
  const title = `Start predictions from the cluster in this file (${projectFileName})`;
  return edit === undefined ? [] : [{ title, kind: "quickfix", ...edit, diagnostic }];
}
