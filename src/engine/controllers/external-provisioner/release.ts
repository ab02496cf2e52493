/**
 * What the provisioner beside a driver was not yet able to. Upstream: external-provisioner v5.3, whose CHANGELOG-6.0 and
 * CHANGELOG-6.2 tell of what came.
 */
import type { ControllerConnection } from "../../csi/sidecar.ts";

export function isBeforeV6({ driver }: ControllerConnection): boolean {
  return driver.sidecars?.isProvisionerBeforeV6 ?? false;
}
