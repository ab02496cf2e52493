/**
 * What is known of a node's health, and where it is. Upstream: pkg/controller/util/node GetNodeCondition, IsNodeReady,
 * pkg/util/taints TaintKeyExists v1.36, component-helpers v0.36 node/topology GetZoneKey.
 */
import type { Node, NodeCondition } from "../api/types.ts";
import {
  betaRegionLabel,
  betaZoneLabel,
  regionLabel,
  zoneLabel,
} from "../api/well-known-labels.ts";

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

/** The same for nodes of one zone of one region. The old labels go first. */
export function zoneKeyOf({ metadata: { labels = {} } }: Node): string {
  const region = labels[betaRegionLabel] ?? labels[regionLabel] ?? "";
  const zone = labels[betaZoneLabel] ?? labels[zoneLabel] ?? "";
  return `${region}\n${zone}`;
}
