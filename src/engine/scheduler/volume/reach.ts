/**
 * From which nodes a volume can be reached, made ready for being asked of node after node.
 * Upstream: component-helpers v0.36 storage/volume/helpers.go CheckNodeAffinity.
 */
import type { Labels } from "../../api/selection/label-selector.ts";
import type { PersistentVolume } from "../../api/types.ts";
import { isReachableFrom, soleLabel } from "../../matching/node-affinity.ts";

export type Reach = (nodeLabels: Labels | undefined) => boolean;

/** Undefined where any node will do. */
export function reachOf(volume: PersistentVolume): Reach | undefined {
  if (volume.spec.nodeAffinity?.required === undefined) return undefined;
  const label = soleLabel(volume);
  if (label === undefined) return (labels) => isReachableFrom(volume, labels);
  const { key, values } = label;
  return (labels) => {
    const value = labels?.[key];
    // What every object has by nature is no text.
    return typeof value === "string" && values.includes(value);
  };
}
