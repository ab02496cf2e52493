/** Replaces an inline volume of a driver that does not support these with a generic ephemeral volume. */
import type { Diagnostic } from "../diagnostics/rule.ts";
import { csiEphemeralUndeclared } from "../diagnostics/rules/csi-ephemeral-undeclared.ts";
import { targetAt } from "../features/target.ts";
import { isRecord, valueAt } from "../yaml/manifest.ts";
import { type ActionContext, type CodeAction, offer } from "./code-action.ts";
import { replacementEdit } from "./field-edit.ts";
import { makesVolumes, provisioningClasses } from "./provisioning-class.ts";

/** Nothing if attributes or `readOnly` show that an existing volume is meant, or if no class fits the driver. */
export function inlineVolume(
  context: ActionContext,
  diagnostic: Diagnostic,
): readonly CodeAction[] {
  if (diagnostic.code !== csiEphemeralUndeclared.id) return [];
  const target = targetAt(context.analysis.environment, context.file, diagnostic.start);
  if (target === undefined) return [];
  const { built: entry } = target;
  const path = target.path.slice(0, -1);
  const volume = valueAt(entry.object.value, path);
  if (!isRecord(volume) || volume["readOnly"] === true || volume["volumeAttributes"] !== undefined)
    return [];
  return provisioningClasses(context)
    .filter(
      (one) =>
        one.driver === volume["driver"] &&
        makesVolumes(context, one, "Filesystem", "ReadWriteOnce") !== false,
    )
    .flatMap(({ name }) => {
      const spec = {
        storageClassName: name,
        accessModes: ["ReadWriteOnce"],
        resources: { requests: { storage: "1Gi" } },
      };
      const edit = replacementEdit(entry, path, { ephemeral: { volumeClaimTemplate: { spec } } });
      const title = `Use an ephemeral volume of class “${name}” for each Pod`;
      return offer(title, [edit], diagnostic);
    });
}
