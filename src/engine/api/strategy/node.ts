/** What a node's spec loses. Upstream: pkg/registry/core/node/strategy.go dropDisabledFields v1.36. */
import { dropField, type Mutable } from "../mutable.ts";
import type { Node } from "../types.ts";

/** The feature is removed. A node that was stored with the field keeps it. */
export function dropConfigSource({ spec }: Mutable<Node>, old?: Node): void {
  if (spec !== undefined && old?.spec?.configSource === undefined)
    dropField(spec as Mutable<typeof spec>, "configSource");
}
