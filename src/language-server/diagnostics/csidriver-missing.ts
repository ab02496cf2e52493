/** A driver that neither the files nor the assumed cluster install. */
import { meantDriver } from "../../engine/csi/catalogue/mistyped-driver.ts";
import { isBuiltIn } from "../workspace/built-in-provisioner.ts";
import { missingReferences, report } from "./missing-reference.ts";
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
      if (meantDriver(name) !== undefined) continue;
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
      if (reference.path.at(-1) !== "provisioner" || isBuiltIn(name)) continue;
      const meant = meantDriver(name);
      if (meant !== undefined)
        yield report(reference, `Unknown provisioner “${name}”; did you mean “${meant}”?`);
    }
  },
};
