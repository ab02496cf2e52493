/** VolumeAttributesClasses that do not match the drivers of the volumes that they should change. */
import { lastWritten } from "../../workspace/environment.ts";
import { textAt } from "../../workspace/manifest-fields.ts";
import { calledOf } from "../../yaml/manifest.ts";
import { claimIndex, driverBasis } from "../facts/claim-facts.ts";
import { driverTrait } from "../facts/driver-facts.ts";
import type { EnvironmentRule } from "../rule.ts";

export const vacDriver: EnvironmentRule = {
  id: "vac-driver",
  severity: "error",
  scope: "environment",
  explainsOutcome: true,
  *check(context) {
    for (const claim of claimIndex(context).claims) {
      const { entry, path, spec, driver } = claim;
      const { restsOn = [], assumes = false } = driverBasis(claim);
      const name = textAt(spec, "volumeAttributesClassName");
      const attributes = lastWritten(context.environment, "VolumeAttributesClass", undefined, name);
      const other = textAt(attributes?.object.value ?? {}, "driverName");
      // A class without a driver is refused, which is reported there.
      if (attributes === undefined || driver === undefined || (other ?? "") === "") continue;
      if (other === driver) continue;
      yield {
        entry,
        path: [...path, "volumeAttributesClassName"],
        message: `Class “${name}” is for “${other}”, the volume belongs to “${driver}”`,
        related: [{ entry: attributes, path: ["driverName"], message: "The class's driver" }],
        restsOn: [...restsOn, attributes],
        unless: [`cause of ${calledOf(entry.object)}`],
        assumes,
      };
    }
  },
};

export const vacDriverNoModify: EnvironmentRule = {
  id: "vac-driver-no-modify",
  severity: "error",
  scope: "environment",
  explainsOutcome: true,
  *check({ environment }) {
    for (const entry of environment.objects) {
      const { kind, served, value } = entry.object;
      if (kind !== "VolumeAttributesClass" || !served) continue;
      const driver = textAt(value, "driverName");
      if (driver === undefined || driverTrait(environment, driver, "modify") !== false) continue;
      yield { entry, path: ["driverName"], message: `Driver “${driver}” cannot modify volumes` };
    }
  },
};
