/** Manually created volumes of zonal disks that do not say in which zone they are. */
import { fieldsAt, textAt } from "../../workspace/manifest-fields.ts";
import { driverTrait } from "../facts/driver-facts.ts";
import type { EnvironmentRule } from "../rule.ts";

export const pvNoZone: EnvironmentRule = {
  id: "pv-no-zone",
  severity: "hint",
  scope: "environment",
  *check({ environment, cluster }) {
    const zones = new Set(cluster.nodes.flatMap(({ zone }) => zone ?? []));
    if (zones.size < 2) return;
    for (const entry of environment.objects) {
      const { object } = entry;
      if (object.kind !== "PersistentVolume" || !object.served) continue;
      const spec = fieldsAt(object.value, "spec");
      const driver = textAt(spec, "csi", "driver");
      if (driver === undefined || spec["nodeAffinity"] !== undefined) continue;
      if (driverTrait(environment, driver, "attachRequired") !== true) continue;
      const handle = textAt(spec, "csi", "volumeHandle") ?? "";
      // A regional disk of Google Cloud, which is in several zones.
      if (handle.includes("/regions/")) continue;
      const ownDisk = driverTrait(environment, driver, "ownDiskHandle");
      if (ownDisk !== undefined && handle.startsWith(ownDisk)) continue;
      const key = driverTrait(environment, driver, "topologyKey") ?? "";
      if (!key.endsWith("/zone") || driverTrait(environment, driver, "reachesAllSegments"))
        continue;
      yield {
        entry,
        path: ["spec", "csi", "volumeHandle"],
        message: `A disk of “${driver}” usually belongs to one zone, and this cluster has nodes in ${zones.size} zones: without nodeAffinity for ${key} a pod may be put where the disk cannot be attached`,
      };
    }
  },
};
