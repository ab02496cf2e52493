/**
 * The labels that left beta, for whoever still selects nodes by their old names. Upstream: pkg/controller/nodelifecycle/
 * node_lifecycle_controller.go reconcileNodeLabels, labelReconcileInfo v1.36.
 */
import type { Node } from "../../api/types.ts";

/** The label that counts, and the one that is given its value. */
const reconciled: readonly (readonly [stable: string, beta: string])[] = [
  ["kubernetes.io/os", "beta.kubernetes.io/os"],
  ["kubernetes.io/arch", "beta.kubernetes.io/arch"],
];

/** The old labels that the node lacks, or that contradict the new ones; undefined where there are none. */
export function outdatedLabels({
  metadata: { labels = {} },
}: Node): Readonly<Record<string, string>> | undefined {
  const wanted = reconciled.flatMap(([stable, beta]) => {
    const value = labels[stable];
    return value === undefined || value === labels[beta] ? [] : [[beta, value] as const];
  });
  return wanted.length === 0 ? undefined : Object.fromEntries(wanted);
}
