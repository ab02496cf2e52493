/** References to nodes that neither the files nor the assumed cluster have, by their names or by the hostname label. */
import { makeRef } from "../../../engine/api/meta.ts";
import { theCluster } from "../../prediction/cluster-title.ts";
import { type Reference, referencesOf } from "../../workspace/references.ts";
import { missingReferences, nearName, report } from "../missing-reference.ts";
import type { EnvironmentContext, EnvironmentRule, ObjectReport } from "../rule.ts";

const hostLabel = "kubernetes.io/hostname";

export const affinityNodeUnknown: EnvironmentRule = {
  id: "affinity-node-unknown",
  severity: "information",
  scope: "environment",
  explainsOutcome: true,
  misses: "Node",
  *check(context) {
    const hosts = hostsByNode(context);
    const labels = new Set(hosts.values());
    for (const reference of missingReferences(context, "Node")) {
      const { name } = reference;
      if (isByLabel(reference) && labels.has(name)) continue;
      yield report(
        reference,
        `Node “${name}” does not exist in these files or in ${theCluster(context.cluster)}`,
        nearName(context, reference),
      );
    }
    yield* namesInPlaceOfLabels(context, hosts, labels);
  },
};

/**
 * The hostname label by node name. Kubelets set it to the name of their host, which differs from the node's name on some
 * clouds.
 */
function hostsByNode({ cluster: { nodes } }: EnvironmentContext): ReadonlyMap<string, string> {
  return new Map(nodes.map(({ name, labels }) => [name, labels?.[hostLabel] ?? name]));
}

function* namesInPlaceOfLabels(
  { environment }: EnvironmentContext,
  hosts: ReadonlyMap<string, string>,
  labels: ReadonlySet<string>,
): Iterable<ObjectReport> {
  if ([...hosts].every(([name, host]) => name === host)) return;
  for (const entry of environment.objects) {
    for (const reference of referencesOf(entry.object)) {
      const { kind, name, path } = reference;
      const host = hosts.get(name);
      if (kind !== "Node" || host === undefined || labels.has(name) || !isByLabel(reference))
        continue;
      yield {
        entry,
        path,
        message: `Node “${name}” has the label ${hostLabel}: ${host}, and that label is what is compared here`,
        restsOn: environment.byRef.get(makeRef("Node", undefined, name)) ?? [],
        fix: { title: `Change to ${host}`, path, value: host },
      };
    }
  }
}

/** True for a label expression or selector, false for nodeName. */
function isByLabel({ path }: Reference): boolean {
  const last = path.at(-1);
  return typeof last === "number" || last === hostLabel;
}
