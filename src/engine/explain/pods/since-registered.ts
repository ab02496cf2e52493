/** Whether a node has by now the driver that it lacked when something was tried there. */
import type { RunFacts } from "../run-facts.ts";

/** Upstream: external-attacher pkg/controller/csi_handler.go getNodeID; kubelet pkg/volume/csi/csi_client.go newCsiDriverClient. */
const lacksDriver =
  /CSINode \S+ does not contain driver (?<attacher>\S+)$|driver name (?<plugin>\S+) not found in the list of registered CSI drivers/;

/** What the message tells of is tried again, and nothing is in its way any more. */
export function hasSinceRegistered(facts: RunFacts, node: string, message: string): boolean {
  const { attacher, plugin } = lacksDriver.exec(message)?.groups ?? {};
  const drivers = facts.get("CSINode", undefined, node)?.spec.drivers ?? [];
  return drivers.some(({ name }) => name === (attacher ?? plugin));
}
