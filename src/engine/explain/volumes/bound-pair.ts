/** A claim and its volume, each as the other names it. */
import type { KubeObject } from "../../api/meta.ts";
import type { RunFacts } from "../run-facts.ts";

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
