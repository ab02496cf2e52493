/** Pods that use a driver which requires an annotation on them. */
import {
  containersOf,
  fieldsAt,
  podSpecOf,
  podVolumesOf,
  textAt,
} from "../../workspace/manifest-fields.ts";
import type { WorkspaceObject } from "../../workspace/workspace-object.ts";
import type { Path } from "../../yaml/place.ts";
import { boundFacts, claimIndex } from "../facts/claim-facts.ts";
import type { EnvironmentContext, EnvironmentRule, RelatedReport } from "../rule.ts";

interface Demand {
  /** Required with this value, in any case. */
  readonly annotation: string;
  readonly value: string;
  /** The container that a webhook adds to annotated pods; a pod that already has it needs no annotation. */
  readonly container: string;
}

/** Upstream: gcs-fuse-csi-driver pkg/webhook/mutatingwebhook.go, pkg/csi_driver/node.go NodePublishVolume. */
const demands: ReadonlyMap<string, Demand> = new Map([
  [
    "gcsfuse.csi.storage.gke.io",
    { annotation: "gke-gcsfuse/volumes", value: "true", container: "gke-gcsfuse-sidecar" },
  ],
]);

export const driverPodAnnotation: EnvironmentRule = {
  id: "driver-pod-annotation",
  severity: "warning",
  scope: "environment",
  *check(context) {
    const told = new Set<WorkspaceObject>();
    for (const { entry, driver, path } of driverUses(context)) {
      const demand = demands.get(driver);
      const pod = podSpecOf(entry.object);
      if (demand === undefined || pod === undefined || told.has(entry)) continue;
      const place = [...pod.path.slice(0, -1).map(String), "metadata", "annotations"];
      const given = fieldsAt(entry.object.value, ...place)[demand.annotation];
      if (String(given).toLowerCase() === demand.value) continue;
      if (containersOf(entry.object).some(({ fields }) => fields["name"] === demand.container))
        continue;
      told.add(entry);
      yield {
        entry,
        path,
        message: `Driver “${driver}” needs the annotation ${demand.annotation}: "${demand.value}" on pods: only then does it add its container to them`,
        related: misplaced(entry, demand, place),
        fix: {
          title: `Add the annotation ${demand.annotation}`,
          path: [...place, demand.annotation],
          value: demand.value,
        },
      };
    }
  },
};

/** The annotation is on the workload itself, and thus not on its pods. */
function misplaced(
  entry: WorkspaceObject,
  { annotation }: Demand,
  place: Path,
): readonly RelatedReport[] {
  const path = ["metadata", "annotations", annotation];
  const given = fieldsAt(entry.object.value, "metadata", "annotations")[annotation];
  return given === undefined || place.length === 2
    ? []
    : [{ entry, path, message: "Here it belongs to the workload, not to its pods" }];
}

function* driverUses(
  context: EnvironmentContext,
): Iterable<{ readonly entry: WorkspaceObject; readonly driver: string; readonly path: Path }> {
  for (const entry of context.environment.objects) {
    for (const { fields, path } of podVolumesOf(entry.object)) {
      const driver = textAt(fields, "csi", "driver");
      if (driver !== undefined) yield { entry, driver, path: [...path, "csi", "driver"] };
    }
  }
  const index = claimIndex(context);
  for (const { workload, claim, path } of index.uses) {
    const { driver } = boundFacts(index, claim);
    if (driver !== undefined) yield { entry: workload, driver, path };
  }
}
