/** Whether a node has a driver by now that it lacked at an earlier try. */
import type { RunFacts } from "../run-facts.ts";

/** Upstream: external-attacher pkg/controller/csi_handler.go getNodeID; kubelet pkg/volume/csi/csi_client.go newCsiDriverClient. */
const lacksDriver =
  /CSINode \S+ does not contain driver (?<attacher>\S+)$|driver name (?<plugin>\S+) not found in the list of registered CSI drivers/;

/** True if the driver that the message misses is registered by now: the next try will find it. */
export function hasSinceRegistered(facts: RunFacts, node: string, message: string): boolean {
  const { attacher, plugin } = lacksDriver.exec(message)?.groups ?? {};
  const drivers = facts.get("CSINode", undefined, node)?.spec.drivers ?? [];
  return drivers.some(({ name }) => name === (attacher ?? plugin));
}
