/**
 * The volumes of a pod that its containers use; the kubelet ignores all others. Upstream: pkg/volume/util GetPodVolumeNames
 * v1.36.
 */
import type { Pod, PodSpec, Volume } from "../api/types.ts";

export interface UsedVolume {
  readonly volume: Volume;
  readonly kind: { readonly mounts: boolean; readonly devices: boolean };
}

export function usedVolumes({ spec }: Pod): readonly UsedVolume[] {
  const uses = usesByName(spec);
  const used: UsedVolume[] = [];
  for (const volume of spec.volumes ?? []) {
    const kind = uses.get(volume.name);
    if (kind !== undefined) used.push({ volume, kind });
  }
  return used;
}

function usesByName(spec: PodSpec): ReadonlyMap<string, UsedVolume["kind"]> {
  const uses = new Map<string, { mounts: boolean; devices: boolean }>();
  const note = (name: string, kind: "mounts" | "devices"): void => {
    const known = uses.get(name);
    if (known === undefined)
      uses.set(name, { mounts: kind === "mounts", devices: kind === "devices" });
    else known[kind] = true;
  };
  for (const list of [spec.initContainers, spec.containers, spec.ephemeralContainers]) {
    for (const { volumeMounts, volumeDevices } of list ?? []) {
      for (const { name } of volumeMounts ?? []) note(name, "mounts");
      for (const { name } of volumeDevices ?? []) note(name, "devices");
    }
  }
  return uses;
}
