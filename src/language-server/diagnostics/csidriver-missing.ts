/** A driver that neither the files nor the assumed cluster install. */

import { isBuiltIn, isKnownDriver, knownDrivers } from "../workspace/known-drivers.ts";
import { missingReferences, nearestName, report } from "./missing-reference.ts";
import type { EnvironmentRule } from "./rule.ts";

export const csidriverMissing: EnvironmentRule = {
  id: "csidriver-missing",
  severity: "hint",
  scope: "environment",
  misses: "CSIDriver",
  *check(context) {
    for (const reference of missingReferences(context, "CSIDriver")) {
      if (reference.path.at(-1) === "provisioner") continue;
      yield report(
        reference,
        `Driver “${reference.name}” is not installed by these files or by the assumed cluster`,
      );
    }
  },
};

export const provisionerUnknown: EnvironmentRule = {
  id: "provisioner-unknown",
  severity: "hint",
  scope: "environment",
  misses: "CSIDriver",
  *check(context) {
    for (const reference of missingReferences(context, "CSIDriver")) {
      const { name } = reference;
      if (reference.path.at(-1) !== "provisioner" || isBuiltIn(name)) continue;
      if (!isKnownDriver(name) && nearestDriver(name) !== undefined) continue;
      yield report(
        reference,
        `Nothing provisions volumes for “${name}” unless it is installed in the cluster`,
      );
    }
  },
};

export const provisionerTypo: EnvironmentRule = {
  id: "provisioner-typo",
  severity: "warning",
  scope: "environment",
  *check(context) {
    for (const reference of missingReferences(context, "CSIDriver")) {
      const { name } = reference;
      if (reference.path.at(-1) !== "provisioner" || isBuiltIn(name) || isKnownDriver(name))
        continue;
      const near = nearestDriver(name);
      if (near !== undefined)
        yield report(reference, `Unknown provisioner “${name}”; did you mean “${near}”?`);
    }
  },
};

function nearestDriver(name: string): string | undefined {
  const plain = (text: string): string => text.toLowerCase().replace(/[.-]/g, "");
  return (
    knownDrivers.find((known) => plain(known) === plain(name)) ?? nearestName(name, knownDrivers, 3)
  );
}
