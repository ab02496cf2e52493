/** A claim or snapshot with a claim or snapshot as its source that does not exist. */
import { firstPodName } from "../../names/made-names.ts";
import { claimTemplateNames } from "../../workspace/manifest-fields.ts";
import { withWaitingPods } from "../facts/waiting-pods.ts";
import {
  isBoundInCluster,
  type MissingReference,
  missingReferences,
  nearName,
  report,
  reportElsewhere,
} from "../missing-reference.ts";
import { sourceElsewhereText } from "../namesake.ts";
import type { EnvironmentContext, EnvironmentRule } from "../rule.ts";

export const datasourceMissing: EnvironmentRule = {
  id: "datasource-missing",
  severity: "information",
  scope: "environment",
  explainsOutcome: true,
  misses: "PersistentVolumeClaim",
  *check(context) {
    for (const reference of missingSources(context)) {
      const { kind, name, namespace } = reference;
      if (isElsewhere(context, reference)) continue;
      const message = `Source ${kind} “${name}” does not exist in namespace ${namespace}`;
      const meant = claimOfFirstPod(context, reference) ?? nearName(context, reference);
      const found = report(reference, message, meant);
      yield withWaitingPods(context, found);
    }
  },
};

export const datasourceOtherNamespace: EnvironmentRule = {
  id: "datasource-other-namespace",
  severity: "error",
  scope: "environment",
  explainsOutcome: true,
  *check(context) {
    for (const reference of missingSources(context)) {
      if (!isElsewhere(context, reference)) continue;
      const others = context.names.namespacesWith(reference.kind, reference.name);
      yield reportElsewhere(
        context,
        reference,
        others,
        sourceElsewhereText(others, reference.namespace),
      );
    }
  },
};

/** The claim of a StatefulSet's first pod, if its template is named in place of the claim. */
function claimOfFirstPod(
  { environment }: EnvironmentContext,
  { kind, name, namespace }: MissingReference,
): string | undefined {
  if (kind !== "PersistentVolumeClaim") return undefined;
  const set = environment.objects.find(
    ({ object }) =>
      object.kind === "StatefulSet" &&
      object.namespace === namespace &&
      claimTemplateNames(object.value).has(name),
  );
  return set && `${name}-${firstPodName(set.object)}`;
}

/** A reference that names another namespace itself is left to datasourceref-namespace. */
function isElsewhere({ names }: EnvironmentContext, reference: MissingReference): boolean {
  const { kind, name, namespace, from } = reference;
  return namespace === from.object.namespace && names.namespacesWith(kind, name).length > 0;
}

function missingSources(context: EnvironmentContext): readonly MissingReference[] {
  return (["PersistentVolumeClaim", "VolumeSnapshot"] as const).flatMap((kind) =>
    missingReferences(context, kind).filter(
      ({ path, from }) => path.at(-1) !== "claimName" && !isBoundInCluster(context, from),
    ),
  );
}
