/** Writes a snapshot of a claim, and a claim restored from it. */
import { makeRef } from "../../engine/api/meta.ts";
import { claimIndex } from "../diagnostics/facts/claim-facts.ts";
import { driverTrait } from "../diagnostics/facts/driver-facts.ts";
import { fieldsAt, textAt } from "../workspace/manifest-fields.ts";
import { assumedManifest } from "../workspace/objects/assumed-manifest.ts";
import type { WorkspaceObject } from "../workspace/workspace-object.ts";
import { valueAt } from "../yaml/manifest.ts";
import { type ActionContext, type CodeAction, offer, ruleContext } from "./code-action.ts";
import { documentsAfter } from "./written-manifest.ts";

/** Nothing if the driver of the claim's volume takes no snapshots. */
export function restoredClaim(
  context: ActionContext,
  entry: WorkspaceObject,
): readonly CodeAction[] {
  const { name, value } = entry.object;
  const driver = driverOf(context, entry);
  const { environment, names } = context.analysis;
  const isTaken = driver === undefined || driverTrait(environment, driver, "snapshots") !== false;
  if (driver === "" || !isTaken) return [];
  const namespace = textAt(value, "metadata", "namespace");
  const place = namespace === undefined ? {} : { namespace };
  const className = names
    .names("VolumeSnapshotClass")
    .find((one) => driver === undefined || driverOfClass(context, one) === driver);
  const snapshot = {
    apiVersion: "snapshot.storage.k8s.io/v1",
    kind: "VolumeSnapshot",
    metadata: { name: `${name}-snapshot`, ...place },
    spec: {
      ...(className !== undefined && { volumeSnapshotClassName: className }),
      source: { persistentVolumeClaimName: name },
    },
  };
  const {
    volumeName: _volume,
    selector: _selector,
    dataSourceRef: _source,
    ...same
  } = fieldsAt(value, "spec");
  const dataSource = {
    apiGroup: "snapshot.storage.k8s.io",
    kind: "VolumeSnapshot",
    name: snapshot.metadata.name,
  };
  const restored = {
    apiVersion: "v1",
    kind: "PersistentVolumeClaim",
    metadata: { name: `${name}-restored`, ...place },
    spec: { ...same, dataSource },
  };
  return offer(`Create a snapshot of claim “${name}” and a claim restored from it`, [
    documentsAfter(entry, [snapshot, restored]),
  ]);
}

/** CSI driver of the claim's volume; "" if its volume has none, undefined if unknown. */
function driverOf(context: ActionContext, { object }: WorkspaceObject): string | undefined {
  const facts = context.prediction?.facts;
  const held = facts?.get("PersistentVolumeClaim", object.namespace, object.name);
  const volume = facts?.get("PersistentVolume", undefined, held?.spec.volumeName ?? "");
  if (volume !== undefined) return volume.spec.csi?.driver ?? "";
  return claimIndex(ruleContext(context)).find(object.namespace, object.name)?.driver;
}

function driverOfClass({ analysis }: ActionContext, name: string): unknown {
  const { environment, assumed } = analysis;
  const ref = makeRef("VolumeSnapshotClass", undefined, name);
  const written = environment.byRef.get(ref)?.[0]?.object.value;
  return valueAt(written ?? assumedManifest(assumed.cluster, ref), ["driver"]);
}
