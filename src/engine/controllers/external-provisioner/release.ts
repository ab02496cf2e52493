/**
 * Whether the provisioner deployed with a driver is older than 6.0. Upstream: external-provisioner v5.3; CHANGELOG-6.0 and
 * CHANGELOG-6.2 list what came later.
 */
import type { ControllerConnection } from "../../csi/sidecar.ts";

export function isBeforeV6({ driver }: ControllerConnection): boolean {
  return driver.sidecars?.isProvisionerBeforeV6 ?? false;
}
