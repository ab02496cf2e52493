/** Which of a pod's volumes its containers name: the kubelet leaves all others alone. Upstream: pkg/volume/util GetPodVolumeNames v1.36. */
import type { Pod, PodSpec, Volume } from "../api/types.ts";

export interface UsedVolume {
  readonly volume: Volume;
  readonly kind: { readonly mounts: boolean; readonly devices: boolean };
}

export function usedVolumes({ spec }: Pod): readonly UsedVolume[] {
  const used: UsedVolume[] = [];
  for (const volume of spec.volumes ?? []) {
    const kind = usesOf(spec, volume.name);
    if (kind.mounts || kind.devices) used.push({ volume, kind });
  }
  return used;
}

function usesOf(spec: PodSpec, volumeName: string): UsedVolume["kind"] {
  const uses = { mounts: false, devices: false };
  for (const list of [spec.initContainers, spec.containers, spec.ephemeralContainers]) {
    for (const { volumeMounts, volumeDevices } of list ?? []) {
      if (volumeMounts?.some(({ name }) => name === volumeName) === true) uses.mounts = true;
      if (volumeDevices?.some(({ name }) => name === volumeName) === true) uses.devices = true;
    }
  }
  return uses;
}
