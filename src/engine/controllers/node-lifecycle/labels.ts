/**
 * Copies stable node labels to their beta names, for selectors that still use these. Upstream: pkg/controller/nodelifecycle/
 * node_lifecycle_controller.go reconcileNodeLabels, labelReconcileInfo v1.36.
 */
import type { Node } from "../../api/types.ts";

/** Each stable label, and the beta label that gets its value. */
const reconciled: readonly (readonly [stable: string, beta: string])[] = [
  ["kubernetes.io/os", "beta.kubernetes.io/os"],
  ["kubernetes.io/arch", "beta.kubernetes.io/arch"],
];

/** The beta labels that are missing or differ, with their right values; undefined if there are none. */
export function outdatedLabels({
  metadata: { labels = {} },
}: Node): Readonly<Record<string, string>> | undefined {
  const wanted = reconciled.flatMap(([stable, beta]) => {
    const value = labels[stable];
    return value === undefined || value === labels[beta] ? [] : [[beta, value] as const];
  });
  return wanted.length === 0 ? undefined : Object.fromEntries(wanted);
}
