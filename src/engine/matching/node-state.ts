/**
 * A node's health, and its zone. Upstream: pkg/controller/util/node GetNodeCondition, IsNodeReady, pkg/util/taints
 * TaintKeyExists v1.36, component-helpers v0.36 node/topology GetZoneKey.
 */
import type { Node, NodeCondition } from "../api/types.ts";
import {
  betaRegionLabel,
  betaZoneLabel,
  regionLabel,
  zoneLabel,
} from "../api/well-known-labels.ts";

/** Undefined if the node has never reported it. */
export function readyCondition(node: Node | undefined): NodeCondition | undefined {
  return node?.status?.conditions?.find(({ type }) => type === "Ready");
}

export function isNodeReady(node: Node | undefined): boolean {
  return readyCondition(node)?.status === "True";
}

/** True if an administrator has declared that the node is off and stays off. */
export function isOutOfService(node: Node | undefined): boolean {
  return (
    node?.spec?.taints?.some(({ key }) => key === "node.kubernetes.io/out-of-service") === true
  );
}

/** Returns a key that is equal for nodes of the same zone and region. The beta labels take precedence. */
export function zoneKeyOf({ metadata: { labels = {} } }: Node): string {
  const region = labels[betaRegionLabel] ?? labels[regionLabel] ?? "";
  const zone = labels[betaZoneLabel] ?? labels[zoneLabel] ?? "";
  return `${region}\n${zone}`;
}
