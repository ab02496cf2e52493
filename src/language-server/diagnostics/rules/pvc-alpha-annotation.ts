/** The alpha annotation for a class, which has no effect any more. */
import { betaStorageClassAnnotation } from "../../../engine/api/storage-class-name.ts";
import { claimSpecsOf, fieldsAt } from "../../workspace/manifest-fields.ts";
import { valueAt } from "../../yaml/manifest.ts";
import { objectRule } from "../object-rule.ts";
import type { DocumentRule } from "../rule.ts";

const alphaAnnotation = "volume.alpha.kubernetes.io/storage-class";

/** Upstream: CHANGELOG-1.7, "Alpha volume provisioning is removed and default storage class should be used instead" (#44090). */
export const pvcAlphaAnnotation: DocumentRule = objectRule(
  "pvc-alpha-annotation",
  "warning",
  {},
  function* (object) {
    for (const { fields, path } of claimSpecsOf(object)) {
      const place = [...path.slice(0, -1), "metadata"];
      const metadata = valueAt(object.value, place);
      const annotations = fieldsAt({ metadata }, "metadata", "annotations");
      if (!(alphaAnnotation in annotations) || betaStorageClassAnnotation in annotations) continue;
      if (fields["storageClassName"] !== undefined) continue;
      const at = [...place, "annotations", alphaAnnotation];
      yield {
        path: at,
        message:
          "Nobody reads this annotation since Kubernetes 1.7: the claim names no class. Name it in spec.storageClassName",
        atKey: true,
        fix: { title: "Remove the annotation", path: at, value: null },
      };
    }
  },
);
