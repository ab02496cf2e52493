/** emptyDir volumes: what they cost, and media that no kubelet knows. */
import { fieldsAt, podVolumesOf, textAt } from "../../workspace/manifest-fields.ts";
import { objectRule } from "../object-rule.ts";
import type { DocumentRule } from "../rule.ts";

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

/** Those without a page size. */
const media: readonly string[] = ["Memory", "HugePages"];
