/**
 * Deprecated labels, and invalid values of labels. Upstream: pkg/api/node/util.go GetNodeLabelDeprecatedMessage,
 * GetWarningsForNodeSelectorTerm, GetWarningsForRuntimeClass, v1.36.
 */
import type { FieldPath } from "../field-path.ts";
import { sortedKeys } from "../go/text-order.ts";
import { checkLabelValue } from "../names/names.ts";
import type { NodeSelectorTerm, RuntimeClass } from "../types.ts";

const messages: Readonly<Record<string, string>> = {
  "beta.kubernetes.io/arch": 'deprecated since v1.14; use "kubernetes.io/arch" instead',
  "beta.kubernetes.io/os": 'deprecated since v1.14; use "kubernetes.io/os" instead',
  "failure-domain.beta.kubernetes.io/region":
    'deprecated since v1.17; use "topology.kubernetes.io/region" instead',
  "failure-domain.beta.kubernetes.io/zone":
    'deprecated since v1.17; use "topology.kubernetes.io/zone" instead',
  "beta.kubernetes.io/instance-type":
    'deprecated since v1.17; use "node.kubernetes.io/instance-type" instead',
  "node-role.kubernetes.io/master": 'use "node-role.kubernetes.io/control-plane" instead',
};

export function labelDeprecation(key: string): string | undefined {
  return Object.hasOwn(messages, key) ? messages[key] : undefined;
}

export function warnOfRuntimeClass({ scheduling }: RuntimeClass, warnings: string[]): void {
  for (const key of sortedKeys(scheduling?.nodeSelector)) {
    const message = labelDeprecation(key);
    if (message !== undefined) warnings.push(`scheduling.nodeSelector: ${message}`);
  }
}

/** Invalid label values are only warned about in preferred terms. */
export function warnOfTerm(
  term: NodeSelectorTerm,
  path: FieldPath,
  warnings: string[],
  { valuesAreChecked }: { readonly valuesAreChecked: boolean },
): void {
  term.matchExpressions?.forEach(({ key, values }, index) => {
    const at = path.child("matchExpressions").index(index);
    const message = labelDeprecation(key);
    if (message !== undefined) warnings.push(`${at.child("key")}: ${key} is ${message}`);
    if (!valuesAreChecked) return;
    values?.forEach((value, position) => {
      for (const complaint of checkLabelValue(value))
        warnings.push(`${at.child("values").index(position)}: ${value} is invalid, ${complaint}`);
    });
  });
}
