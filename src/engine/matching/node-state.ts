/**
 * What is known of a node's health. Upstream: pkg/controller/util/node GetNodeCondition, IsNodeReady, pkg/util/taints
 * TaintKeyExists v1.36.
 */
import type { Node, NodeCondition } from "../api/types.ts";

/** Absent of a node that never said. */
export function readyCondition(node: Node | undefined): NodeCondition | undefined {
  return node?.status?.conditions?.find(({ type }) => type === "Ready");
}

export function isNodeReady(node: Node | undefined): boolean {
  return readyCondition(node)?.status === "True";
}

/** An administrator says that it is off and stays so. */
export function isOutOfService(node: Node | undefined): boolean {
  return (
    node?.spec?.taints?.some(({ key }) => key === "node.kubernetes.io/out-of-service") === true
  );
}
