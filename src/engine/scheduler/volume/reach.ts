/**
 * From which nodes a volume can be reached, prepared for asking about many nodes.
 * Upstream: component-helpers v0.36 storage/volume/helpers.go CheckNodeAffinity.
 */
import type { Labels } from "../../api/selection/label-selector.ts";
import type { PersistentVolume } from "../../api/types.ts";
import { isReachableFrom, soleLabel } from "../../matching/node-affinity.ts";

export type Reach = (nodeLabels: Labels | undefined) => boolean;

/** Undefined if any node will do. */
export function reachOf(volume: PersistentVolume): Reach | undefined {
  if (volume.spec.nodeAffinity?.required === undefined) return undefined;
  const label = soleLabel(volume);
  if (label === undefined) return (labels) => isReachableFrom(volume, labels);
  const { key, values } = label;
  return (labels) => {
    const value = labels?.[key];
    // Inherited properties, such as `constructor`, are not strings.
    return typeof value === "string" && values.includes(value);
  };
}
