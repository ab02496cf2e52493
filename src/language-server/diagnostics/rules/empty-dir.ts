/** emptyDir volumes: their use of memory and disk, and unknown media. */
import { refOf } from "../../../engine/api/meta.ts";
import { compareQuantities, formatQuantity, parseQuantity } from "../../../engine/api/quantity.ts";
import { podTotal } from "../../../engine/api/resource-totals.ts";
import { sourceOf } from "../../prediction/source-of.ts";
import { fieldsAt, podVolumesOf, textAt } from "../../workspace/manifest-fields.ts";
import { objectRule } from "../object-rule.ts";
import type { DocumentRule, PredictionRule } from "../rule.ts";

export const emptydirMemoryUnlimited: DocumentRule = objectRule(
  "emptydir-memory-unlimited",
  "warning",
  {},
  function* (object) {
    for (const { fields, path } of podVolumesOf(object)) {
      const source = fieldsAt(fields, "emptyDir");
      if (source["medium"] !== "Memory" || source["sizeLimit"] !== undefined) continue;
      const message =
        "Counts as memory; bounded only by the Pod's memory limit or the node. Set sizeLimit";
      yield { path: [...path, "emptyDir", "medium"], message };
    }
  },
);

export const emptydirMediumUnknown: DocumentRule = objectRule(
  "emptydir-medium-unknown",
  "warning",
  { explainsOutcome: "of-field" },
  function* (object) {
    for (const { fields, path } of podVolumesOf(object)) {
      const medium = textAt(fields, "emptyDir", "medium");
      if (medium === undefined || /^(?:|Memory|HugePages(?:-.+)?)$/.test(medium)) continue;
      const meant = media.find((known) => known.toLowerCase() === medium.toLowerCase());
      const message = `Unknown medium “${medium}”; no kubelet mounts the volume`;
      yield { path: [...path, "emptyDir", "medium"], message, meant };
    }
  },
);

/**
 * Upstream: kubelet pkg/kubelet/eviction/eviction_manager.go podEphemeralStorageLimitEviction, v1.36: everything that a pod has
 * on its node's disk counts against the sum of its containers' limits.
 */
export const emptydirOverLimit: PredictionRule = {
  id: "emptydir-over-limit",
  severity: "information",
  scope: "prediction",
  *check(prediction) {
    const told = new Set<unknown>();
    for (const pod of prediction.facts.list("Pod")) {
      for (const [index, { emptyDir }] of (pod.spec.volumes ?? []).entries()) {
        if (emptyDir?.sizeLimit === undefined || (emptyDir.medium ?? "") !== "") continue;
        const limit = podTotal(pod.spec, "limits").get(ephemeralStorage);
        const size = parseQuantity(emptyDir.sizeLimit);
        if (limit === undefined || size === undefined || compareQuantities(size, limit) <= 0)
          continue;
        const field = `spec.volumes[${index}].emptyDir.sizeLimit`;
        const source = sourceOf(prediction, refOf(pod), field);
        if (source === undefined || told.has(source.entry)) continue;
        told.add(source.entry);
        const most = formatQuantity(limit);
        yield {
          ...source,
          message: `More than the limits of the pod's containers for ${ephemeralStorage} together, ${most}: beyond that the pod is evicted`,
        };
      }
    }
  },
};

const ephemeralStorage = "ephemeral-storage";

/** Media without a page size. */
const media: readonly string[] = ["Memory", "HugePages"];
