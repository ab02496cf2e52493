/** A claim has the name that a pod's ephemeral volume needs for its own claim. */
import { fieldsAt, podVolumesOf, textAt } from "../../workspace/manifest-fields.ts";
import { podCountOf } from "../../workspace/objects/pod-count.ts";
import type { ManifestObject } from "../../yaml/manifest.ts";
import { isOwned } from "../facts/workload-facts.ts";
import type { EnvironmentRule } from "../rule.ts";

export const ephemeralClaimClash: EnvironmentRule = {
  id: "ephemeral-claim-clash",
  severity: "error",
  scope: "environment",
  explainsOutcome: true,
  *check({ environment }) {
    for (const entry of environment.objects) {
      const { object } = entry;
      const pods = podNamesOf(object);
      if (pods.length === 0) continue;
      for (const { fields, path } of podVolumesOf(object)) {
        const volume = textAt(fields, "name");
        if (Object.keys(fieldsAt(fields, "ephemeral")).length === 0) continue;
        for (const pod of pods) {
          const ref = `PersistentVolumeClaim/${object.namespace}/${pod}-${volume}`;
          const claim = environment.byRef.get(ref)?.at(-1);
          if (claim === undefined || isOwned(claim.object)) continue;
          const { namespace, name } = claim.object;
          yield {
            entry,
            path: [...path, "name"],
            message: `PVC ${namespace}/${name} was not created for pod ${namespace}/${pod} (pod is not owner); rename the volume`,
            related: [{ entry: claim, path: ["metadata", "name"], message: "The claim" }],
          };
        }
      }
    }
  },
};

const replicaCountMax = 100;

/** Names that are known before the pods exist. */
function podNamesOf(object: ManifestObject): readonly string[] {
  if (object.kind === "Pod") return [object.name];
  if (object.kind !== "StatefulSet") return [];
  const count = Math.min(podCountOf(object).count, replicaCountMax);
  return Array.from({ length: Math.max(0, count) }, (_, ordinal) => `${object.name}-${ordinal}`);
}
