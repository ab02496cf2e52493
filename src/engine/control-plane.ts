/** The processes of a cluster, in the order in which they start. One line per upstream component. */
import { externalProvisioner } from "./controllers/external-provisioner/external-provisioner.ts";
import type { Component } from "./runtime/component.ts";
import type { Scenario } from "./scenario.ts";

export function controlPlane(scenario: Scenario): readonly Component[] {
  const { drivers } = scenario.cluster;
  return [...drivers.map((driver) => externalProvisioner(driver))];
}
