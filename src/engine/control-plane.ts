/** The processes of a cluster, in the order in which they start. One line per upstream component. */
import type { Component } from "./runtime/component.ts";
import type { Scenario } from "./scenario.ts";

export function controlPlane(_scenario: Scenario): readonly Component[] {
  return [];
}
