/**
 * Resolves a pod's volume to its spec: follows claims to their PersistentVolumes, with live reads.
 * Upstream: pkg/kubelet/volumemanager/populator createVolumeSpec, getPVCExtractPV, getPVSpec v1.36.
 */
import { grantedStorage } from "../../api/claim-size.ts";
import { keyOf } from "../../api/meta.ts";
import type { PersistentVolume, PersistentVolumeClaim, Pod, Volume } from "../../api/types.ts";
import { claimNameOf, isClaimForPod } from "../../matching/pod-claims.ts";
import { getLive, type Task } from "../../runtime/effects.ts";
import { translatedSpec } from "./migration.ts";
import type { VolumeSpec } from "./plugin.ts";

export type SpecResult =
  | { readonly ok: true; readonly spec: VolumeSpec; readonly claimSize?: string }
  | { readonly ok: false; readonly error: string };

export function* resolveSpec(
  pod: Pod,
  volume: Volume,
  kind: { mounts: boolean; devices: boolean },
): Task<SpecResult> {
  const claimName = claimNameOf(pod, volume);
  if (claimName === undefined) {
    return { ok: true, spec: translatedSpec(pod, { name: volume.name, volume, readOnly: false }) };
  }
  const { namespace } = pod.metadata;
  const refuse = (why: string): SpecResult => ({
    ok: false,
    error: `error processing PVC ${namespace}/${claimName}: ${why}`,
  });
  const claim = yield* getLive("PersistentVolumeClaim", namespace, claimName);
  if (!claim.ok) return refuse(`failed to fetch PVC from API server: ${claim.error.message}`);
  const notReady = claimError(claim.object);
  if (notReady !== undefined) return refuse(notReady);
  if (volume.ephemeral !== undefined && !isClaimForPod(claim.object, pod)) {
    const error = `PVC ${keyOf(claim.object)} was not created for pod ${keyOf(pod)} (pod is not owner)`;
    return { ok: false, error };
  }
  const volumeName = claim.object.spec.volumeName ?? "";
  const found = yield* getLive("PersistentVolume", undefined, volumeName);
  if (!found.ok)
    return refuse(`failed to fetch PV ${volumeName} from API server: ${found.error.message}`);
  const unbound = bindingError(found.object, claim.object);
  if (unbound !== undefined) return refuse(`found PV object ${volumeName} but ${unbound}`);
  const mode = found.object.spec.volumeMode ?? "Filesystem";
  const list =
    mode === "Block" && kind.mounts
      ? "volumeMounts"
      : mode === "Filesystem" && kind.devices
        ? "volumeDevices"
        : undefined;
  if (list !== undefined) {
    const error = `volume ${volume.name} has volumeMode ${mode}, but is specified in ${list}`;
    return { ok: false, error };
  }
  const readOnly = volume.persistentVolumeClaim?.readOnly === true;
  const claimSize = grantedStorage(claim.object);
  return {
    ok: true,
    ...(claimSize !== undefined && { claimSize }),
    spec: translatedSpec(pod, {
      name: found.object.metadata.name,
      persistentVolume: found.object,
      readOnly,
    }),
  };
}

function bindingError(
  { spec: { claimRef } }: PersistentVolume,
  { metadata: { uid } }: PersistentVolumeClaim,
): string | undefined {
  if (claimRef === undefined)
    return "it has a nil pv.Spec.ClaimRef indicating it is not yet bound to the claim";
  return claimRef.uid === uid
    ? undefined
    : `its pv.Spec.ClaimRef.UID ${claimRef.uid ?? ""} does not point to claim.UID ${uid}`;
}

function claimError(claim: PersistentVolumeClaim): string | undefined {
  const { deletionTimestamp, finalizers = [] } = claim.metadata;
  // While the protection finalizer is set, some pod still uses the claim, and so may this one.
  if (deletionTimestamp !== undefined && !finalizers.includes("kubernetes.io/pvc-protection")) {
    return "PVC is being deleted";
  }
  if (claim.status?.phase !== "Bound") return "PVC is not bound";
  if ((claim.spec.volumeName ?? "") === "") return "PVC has empty pvc.Spec.VolumeName";
  return undefined;
}
