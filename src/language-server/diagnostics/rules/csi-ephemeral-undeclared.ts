/** A pod's inline volume of a driver that does not support inline volumes. */

import { makeRef } from "../../../engine/api/meta.ts";
import { lastWritten } from "../../workspace/environment.ts";
import { fieldsAt, listAt, podVolumesOf, textAt } from "../../workspace/manifest-fields.ts";
import type { EnvironmentContext, EnvironmentRule } from "../rule.ts";

export const csiEphemeralUndeclared: EnvironmentRule = {
  id: "csi-ephemeral-undeclared",
  severity: "error",
  scope: "environment",
  explainsOutcome: "of-field",
  *check(context) {
    for (const entry of context.environment.objects) {
      for (const { fields, path } of podVolumesOf(entry.object)) {
        const driver = textAt(fields, "csi", "driver");
        if (driver === undefined || takesInline(context, driver) !== false) continue;
        // The installed driver may have another version or other settings than the known one.
        const declared =
          context.environment.byRef.get(makeRef("CSIDriver", undefined, driver)) ?? [];
        const assumes = declared.length === 0;
        const subject = `Driver “${driver}”${assumes ? ", as it is usually installed," : ""}`;
        yield {
          entry,
          path: [...path, "csi", "driver"],
          message: `${subject} does not support inline volumes; use a claim or a generic ephemeral volume`,
          restsOn: declared,
          assumes,
        };
      }
    }
  },
};

/** Undefined if unknown. A CSIDriver object in files takes precedence over what is known of the driver. */
function takesInline({ environment }: EnvironmentContext, driver: string): boolean | undefined {
  const object = lastWritten(environment, "CSIDriver", undefined, driver)?.object;
  if (object !== undefined)
    return listAt(fieldsAt(object.value, "spec"), "volumeLifecycleModes").includes("Ephemeral");
  const { drivers } = environment.project;
  if (drivers.find(driver) === undefined) return undefined;
  return drivers.trait(driver, "lifecycleModes")?.includes("Ephemeral") ?? false;
}
