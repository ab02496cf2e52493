/** The volumes that a kubelet's decision is about. */
import { kindOfRef, type Ref } from "../../api/meta.ts";
import type { Decision } from "../../trace/decision.ts";
import type { Link } from "../verdict.ts";

export function volumesOf(decision: Decision): readonly Ref[] {
  return (decision.because ?? []).filter((ref) => kindOfRef(ref) === "PersistentVolume");
}

export function linksToVolumes(decision: Decision, text: string): readonly Link[] {
  return volumesOf(decision).map((ref) => ({ ref, text }));
}
