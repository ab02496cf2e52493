/** For a class that the assumed cluster lacks, if that cluster is only the default: offers to choose the real one. */
import {
  pvcClassMissing,
  stsTemplateClassMissing,
} from "../diagnostics/rules/pvc-class-missing.ts";
import { type ActionContext, type CodeAction, touched } from "./code-action.ts";

const missingClass: ReadonlySet<string> = new Set([
  pvcClassMissing.id,
  stsTemplateClassMissing.id,
  "pvc-class-absent-no-default",
]);

export function chosenCluster(context: ActionContext): readonly CodeAction[] {
  const { profileFrom, assumed } = context.analysis;
  const lack = touched(context).find(({ code }) => missingClass.has(code));
  if (lack === undefined || profileFrom !== "default") return [];
  const title = `Choose your cluster in place of “${assumed.cluster.name}”…`;
  const command = "claimcheck.selectProfile";
  return [{ title, kind: "quickfix", edits: [], command, diagnostic: lack, isChoice: true }];
}
