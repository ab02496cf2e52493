/** Nodes that neither the files nor the assumed cluster have, by their names or by the label of their hosts' names. */
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
        `Node “${name}” does not exist in ${theCluster(context.cluster)}`,
        nearName(context, reference),
      );
    }
    yield* namesInPlaceOfLabels(context, hosts, labels);
  },
};

/** The label is what kubelets find their host to be called, which some clouds and installers call otherwise than the node. */
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
        message: `Node “${name}” has the label ${hostLabel}: ${host}, and it is the label that counts here`,
        restsOn: environment.byRef.get(makeRef("Node", undefined, name)) ?? [],
        fix: { title: `Change to ${host}`, path, value: host },
      };
    }
  }
}

/** By an expression's values or a selector, and not by nodeName. */
function isByLabel({ path }: Reference): boolean {
  const last = path.at(-1);
  return typeof last === "number" || last === hostLabel;
}
