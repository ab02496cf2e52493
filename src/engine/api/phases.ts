/** The phases that the status of an object may name. Upstream: pkg/apis/core v1.36 types.go. */
import type { Kind } from "./meta.ts";

/** In upstream's order; kinds without a phase are absent. */
export const phasesByKind: Readonly<Partial<Record<Kind, readonly string[]>>> = {
  PersistentVolumeClaim: ["Pending", "Bound", "Lost"],
  PersistentVolume: ["Pending", "Available", "Bound", "Released", "Failed"],
  Pod: ["Pending", "Running", "Succeeded", "Failed"],
  Namespace: ["Active", "Terminating"],
};
