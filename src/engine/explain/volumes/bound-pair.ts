/** From a claim to the volume it names, and from a volume to the claim it names. */
import { type KubeObject, makeRef } from "../../api/meta.ts";
import { finalizer } from "../../matching/annotations.ts";
import type { RunFacts } from "../run-facts.ts";
import type { Link } from "../verdict.ts";

type Claim = KubeObject<"PersistentVolumeClaim">;
type Volume = KubeObject<"PersistentVolume">;

/** Undefined if the claim names no volume, or one that does not exist. */
export function volumeOf(facts: RunFacts, { spec }: Claim): Volume | undefined {
  return facts.get("PersistentVolume", undefined, spec.volumeName ?? "");
}

/** The claim that the volume's claimRef names, bound or only reserved for it; undefined if there is no such claim. */
export function claimOf(facts: RunFacts, { spec: { claimRef } }: Volume): Claim | undefined {
  return facts.get("PersistentVolumeClaim", claimRef?.namespace, claimRef?.name ?? "");
}

/** The link from a bound claim to its volume. */
export function volumeLink({ spec: { volumeName = "" } }: Claim): Link {
  return { ref: makeRef("PersistentVolume", undefined, volumeName), text: "is its volume" };
}

/** The CSI driver of a claim's volume; undefined if it has no volume, or one without a driver. */
export function driverOf(facts: RunFacts, claim: Claim): string | undefined {
  return volumeOf(facts, claim)?.spec.csi?.driver;
}

/** True if the storage is deleted once the claim is gone, even if the volume is deleted first: only a finalizer keeps it. */
export function losesStorage({ metadata, spec }: Volume): boolean {
  const isMade = (metadata.finalizers ?? []).some(
    (name) => name === finalizer.externalProvisioner || name === finalizer.volumeController,
  );
  return isMade && spec.persistentVolumeReclaimPolicy === "Delete";
}
