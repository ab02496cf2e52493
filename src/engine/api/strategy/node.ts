/**
 * The former configuration source of nodes. Upstream: pkg/registry/core/node/strategy.go dropDisabledFields,
 * nodeStatusStrategy, v1.36.
 */
import { dropField, type Mutable } from "../mutable.ts";
import type { Node } from "../types.ts";

/** The feature has been removed. A node that was stored with the field keeps it. */
export function dropConfigSource({ spec }: Mutable<Node>, old?: Node): void {
  if (spec !== undefined && old?.spec?.configSource === undefined) dropField(spec, "configSource");
}

/** The same for the status. */
export function dropConfigReport({ status }: Mutable<Node>, old: Node): void {
  if (status !== undefined && old.status?.config === undefined) dropField(status, "config");
}
