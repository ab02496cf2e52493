/** A pod's volume names a claim that does not exist, or only in another namespace. */
import { isObjectName } from "../facts/object-name.ts";
import { waitingPods } from "../facts/waiting-pods.ts";
import { missingReferences, nearName, report, reportElsewhere } from "../missing-reference.ts";
import { claimElsewhereText } from "../namesake.ts";
import type { EnvironmentRule, FieldFix } from "../rule.ts";

const claimName = "claimName";

export const podClaimMissing: EnvironmentRule = {
  id: "pod-claim-missing",
  severity: "warning",
  scope: "environment",
  explainsOutcome: true,
  misses: "PersistentVolumeClaim",
  *check(context) {
    for (const reference of missingReferences(context, "PersistentVolumeClaim")) {
      if (reference.path.at(-1) !== claimName) continue;
      const { name, namespace } = reference;
      if (!isObjectName(name)) continue;
      if (context.names.namespacesWith("PersistentVolumeClaim", name).length > 0) continue;
      const near = nearName(context, reference);
      const waiting = near === undefined ? waitingPods(reference.from.object) : undefined;
      const missing = `PersistentVolumeClaim “${name}” does not exist in namespace ${namespace}`;
      yield {
        ...report(reference, waiting === undefined ? missing : `${missing}; ${waiting}`, near),
        // Without a similar name, the claim may exist in the cluster.
        ...(near === undefined && { severity: "information" }),
      };
    }
  },
};

export const podClaimOtherNamespace: EnvironmentRule = {
  id: "pod-claim-other-namespace",
  severity: "error",
  scope: "environment",
  explainsOutcome: true,
  misses: "PersistentVolumeClaim",
  *check(context) {
    for (const reference of missingReferences(context, "PersistentVolumeClaim")) {
      if (reference.path.at(-1) !== claimName) continue;
      const others = context.names.namespacesWith("PersistentVolumeClaim", reference.name);
      if (others.length === 0) continue;
      const message = claimElsewhereText(others, reference.namespace);
      const [other] = others;
      const isOne = others.length === 1 && other !== undefined;
      yield {
        ...reportElsewhere(context, reference, others, message),
        ...(isOne && { fix: moveTo(other, reference.from.object.kind) }),
      };
    }
  },
};

/** A choice: the pod's namespace may be wrong, or the claim that it names. */
function moveTo(namespace: string, kind: string): FieldFix {
  const title = `Put the ${kind} into namespace “${namespace}”`;
  return { title, path: ["metadata", "namespace"], value: namespace, isChoice: true };
}
