/** Labels that were renamed. Upstream: pkg/api/node/util.go GetNodeLabelDeprecatedMessage, v1.36. */
import type { FieldPath } from "../field-path.ts";
import type { NodeSelectorTerm } from "../types.ts";

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

export function warnOfTerm(term: NodeSelectorTerm, path: FieldPath, warnings: string[]): void {
  term.matchExpressions?.forEach(({ key }, index) => {
    const message = labelDeprecation(key);
    if (message !== undefined)
      warnings.push(
        `${path.child("matchExpressions").index(index).child("key")}: ${key} is ${message}`,
      );
  });
}
