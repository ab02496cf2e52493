/** A namespace that objects stand in and no file makes. Told once for each, where it is used first. */
import type { EnvironmentRule } from "./rule.ts";

const ofEveryCluster: ReadonlySet<string> = new Set([
  "",
  "default",
  "kube-system",
  "kube-public",
  "kube-node-lease",
]);

export const namespaceMissing: EnvironmentRule = {
  id: "namespace-missing",
  severity: "hint",
  scope: "environment",
  looksAtAll: true,
  misses: "Namespace",
  *check({ environment, names }) {
    const told = new Set<string>();
    for (const entry of environment.objects) {
      const { namespace, served, kind } = entry.object;
      if (!served || kind === "Namespace" || ofEveryCluster.has(namespace) || told.has(namespace))
        continue;
      told.add(namespace);
      if (names.has("Namespace", "", namespace)) continue;
      const message = `namespaces "${namespace}" not found: no file makes it`;
      yield { entry, path: ["metadata", "namespace"], message };
    }
  },
};
