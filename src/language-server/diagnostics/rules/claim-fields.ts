/** Fields of claims and limits that have no effect. */
import { claimSpecsOf, fieldsAt, itemsOf, textAt } from "../../workspace/manifest-fields.ts";
import { objectRule } from "../object-rule.ts";
import type { DocumentRule } from "../rule.ts";

/**
 * Upstream: external-provisioner v6 pkg/controller/controller.go prepareProvision, external-resizer v2
 * pkg/resizer/csi_resizer.go Resize: they set only the required bytes of the capacity range, from the requests.
 */
export const pvcLimitsIgnored: DocumentRule = objectRule(
  "pvc-limits-ignored",
  "information",
  {},
  function* (object) {
    for (const { fields, path: spec } of claimSpecsOf(object)) {
      if (fieldsAt(fields, "resources")["limits"] === undefined) continue;
      const path = [...spec, "resources", "limits"];
      yield {
        path,
        message:
          "Storage limits have no effect, because drivers only get the request, and they cannot be changed later",
        atKey: true,
        fix: { title: "Remove limits", path, value: null },
      };
    }
  },
);

export const pvcVolumenameSelector: DocumentRule = objectRule(
  "pvc-volumename-selector",
  "information",
  {},
  function* (object) {
    for (const { fields, path: spec } of claimSpecsOf(object)) {
      if ((textAt(fields, "volumeName") ?? "") === "" || fields["selector"] === undefined) continue;
      const path = [...spec, "selector"];
      yield {
        path,
        message: "With volumeName the selector is not consulted",
        atKey: true,
        fix: { title: "Remove selector", path, value: null },
      };
    }
  },
);

export const limitrangeDefaultIgnored: DocumentRule = objectRule(
  "limitrange-default-ignored",
  "information",
  { kinds: ["LimitRange"] },
  function* ({ value }) {
    for (const limit of itemsOf(fieldsAt(value, "spec")["limits"], ["spec", "limits"])) {
      if (limit.fields["type"] !== "PersistentVolumeClaim") continue;
      for (const field of ["default", "defaultRequest"]) {
        if (limit.fields[field] === undefined) continue;
        const path = [...limit.path, field];
        const fix = { title: `Remove ${field}`, path, value: null };
        yield { path, message: "Defaults are not applied to claims", atKey: true, fix };
      }
    }
  },
);
