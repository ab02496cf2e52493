/** Sets allowVolumeExpansion in the class of a claim: one of the few fields of a StorageClass that can be changed. */
import { growsVolumes } from "../diagnostics/facts/driver-facts.ts";
import type { Diagnostic } from "../diagnostics/rule.ts";
import { expansionDisallowed } from "../diagnostics/rules/change-refused.ts";
import { targetAt } from "../features/target.ts";
import { lastWritten } from "../workspace/environment.ts";
import { textAt } from "../workspace/manifest-fields.ts";
import { type ActionContext, type CodeAction, offer } from "./code-action.ts";
import { fieldEdit } from "./field-edit.ts";

/** Nothing if no file has the class, or its driver cannot expand volumes. */
export function growingClass(
  { analysis, file }: ActionContext,
  diagnostic: Diagnostic,
): readonly CodeAction[] {
  if (diagnostic.code !== expansionDisallowed.id) return [];
  const { environment } = analysis;
  const claim = targetAt(environment, file, diagnostic.start)?.built.object.value ?? {};
  const name = textAt(claim, "spec", "storageClassName");
  const storageClass = lastWritten(environment, "StorageClass", undefined, name);
  if (
    storageClass === undefined ||
    !growsVolumes(storageClass.object.value, environment.project.drivers)
  )
    return [];
  const edit = fieldEdit(storageClass, ["allowVolumeExpansion"], true);
  const title = `Allow claims of class “${name}” to be expanded (allowVolumeExpansion)`;
  return offer(title, [edit], diagnostic);
}
