/** The CSIDriver object that a driver's installation creates. */
import type { Draft } from "../api/meta.ts";
import type { DriverProfile } from "./driver-profile.ts";

export function csiDriverObject(driver: DriverProfile): Draft<"CSIDriver"> {
  return {
    apiVersion: "storage.k8s.io/v1",
    kind: "CSIDriver",
    metadata: { name: driver.name },
    spec: {
      attachRequired: driver.attachRequired,
      podInfoOnMount: driver.podInfoOnMount,
      fsGroupPolicy: driver.fsGroupPolicy,
      storageCapacity: driver.storageCapacity,
      requiresRepublish: driver.requiresRepublish,
      ...(driver.tokenAudiences !== undefined && {
        tokenRequests: driver.tokenAudiences.map((audience) => ({ audience })),
      }),
      ...(driver.seLinuxMount !== undefined && { seLinuxMount: driver.seLinuxMount }),
      volumeLifecycleModes: driver.lifecycleModes,
    },
  };
}
