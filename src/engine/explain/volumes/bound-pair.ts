/** A claim and its volume, each as the other names it. */
import { type KubeObject, makeRef } from "../../api/meta.ts";
import { finalizer } from "../../matching/annotations.ts";
import type { RunFacts } from "../run-facts.ts";
import type { Link } from "../verdict.ts";

type Claim = KubeObject<"PersistentVolumeClaim">;
type Volume = KubeObject<"PersistentVolume">;

/** Undefined where the claim names none, or one that does not exist. */
export function volumeOf(facts: RunFacts, { spec }: Claim): Volume | undefined {
  return facts.get("PersistentVolume", undefined, spec.volumeName ?? "");
}

/** Whose name the volume's claimRef holds, be it bound to that claim or reserved for it; undefined where there is none. */
export function claimOf(facts: RunFacts, { spec: { claimRef } }: Volume): Claim | undefined {
  return facts.get("PersistentVolumeClaim", claimRef?.namespace, claimRef?.name ?? "");
}

/** Of a bound claim. */
export function volumeLink({ spec: { volumeName = "" } }: Claim): Link {
  return { ref: makeRef("PersistentVolume", undefined, volumeName), text: "is its volume" };
}

/** The CSI driver of a claim's volume; undefined where it has none. */
export function driverOf(facts: RunFacts, claim: Claim): string | undefined {
  return volumeOf(facts, claim)?.spec.csi?.driver;
}

/** Whether who made the storage deletes it when the claim is gone, though the volume is being deleted before. */
export function losesStorage({ metadata, spec }: Volume): boolean {
  const isMade = (metadata.finalizers ?? []).some(
    (name) => name === finalizer.externalProvisioner || name === finalizer.volumeController,
  );
  return isMade && spec.persistentVolumeReclaimPolicy === "Delete";
}
