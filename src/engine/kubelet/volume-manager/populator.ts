/**
 * Adds the volumes of this node's pods to the desired state. Upstream:
 * pkg/kubelet/volumemanager/populator/desired_state_of_world_populator.go processPodVolumes v1.36.
 */
import type { Pod } from "../../api/types.ts";
import { usedVolumes } from "../../matching/used-volumes.ts";
import type { Task } from "../../runtime/effects.ts";
import { mountsVolumeUnderSeveralNames } from "../../version-differences.ts";
import type { VolumeHost } from "../volumes/plugin.ts";
import { pluginFor, uniqueNameOf } from "../volumes/plugins.ts";
import { resolveSpec } from "../volumes/volume-spec.ts";
import type { DesiredState } from "./desired-state.ts";

/** Resolves every volume of the pod; failures become errors of the pod. Returns true if all could be resolved. */
export function* processPodVolumes(
  host: VolumeHost,
  desired: DesiredState,
  pod: Pod,
  added: (uniqueName: string, claimSize: string | undefined) => void,
  isWanted: () => boolean,
): Task<boolean> {
  let ok = true;
  for (const { volume, kind } of usedVolumes(pod)) {
    const resolved = yield* resolveSpec(pod, volume, kind);
    // The pod may have ended during the API call.
    if (!isWanted()) return false;
    const plugin = resolved.ok ? pluginFor(resolved.spec) : undefined;
    if (!resolved.ok || plugin === undefined) {
      ok = false;
      desired.addError(
        pod.metadata.uid,
        resolved.ok ? noPlugin(resolved.spec.name) : resolved.error,
      );
      continue;
    }
    const { spec } = resolved;
    const uniqueName = uniqueNameOf(host, plugin, spec, pod.metadata.uid);
    const volumeKnown = desired.volumes.get(uniqueName);
    const known = volumeKnown?.pods.get(pod.metadata.uid);
    // The first pod sets the size; after that only pods that write change it. Upstream: AddPodToVolume, checkVolumeFSResize.
    const isNoted = volumeKnown === undefined || !spec.readOnly;
    desired.add(
      {
        uniqueName,
        plugin,
        isAttachable: plugin.isAttachable(host, spec),
        isDeviceMountable: plugin.isDeviceMountable(spec),
        size: isNoted ? spec.persistentVolume?.spec.capacity?.["storage"] : undefined,
      },
      { pod, spec, podVolumeNames: namesWith(host, volume.name, known?.podVolumeNames) },
    );
    added(uniqueName, spec.readOnly ? undefined : resolved.claimSize);
  }
  return ok;
}

function namesWith(
  { context }: VolumeHost,
  name: string,
  known: readonly string[] | undefined,
): readonly string[] {
  if (known === undefined || !mountsVolumeUnderSeveralNames(context.version)) return [name];
  return known.includes(name) ? known : [...known, name];
}

function noPlugin(specName: string): string {
  return `failed to get Plugin from volumeSpec for volume "${specName}" err=no volume plugin matched`;
}
