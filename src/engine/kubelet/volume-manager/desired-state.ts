/**
 * The volumes that this node's pods need. Upstream: pkg/kubelet/volumemanager/cache/desired_state_of_world.go v1.36.
 * Not modeled: SELinux labels.
 */
import { compareText } from "../../api/go/text-order.ts";
import { withFields } from "../../api/json.ts";
import type { Pod } from "../../api/types.ts";
import type { VolumePlugin, VolumeSpec } from "../volumes/plugin.ts";

export interface DesiredPod {
  readonly pod: Pod;
  readonly spec: VolumeSpec;
  /** Names in the pod's spec: several if more than one of its volumes leads here. */
  readonly podVolumeNames: readonly string[];
}

export interface DesiredVolume {
  readonly uniqueName: string;
  readonly plugin: VolumePlugin;
  isAttachable: boolean;
  readonly isDeviceMountable: boolean;
  /** True if the node's status has named the volume in volumesInUse since a pod here wants it. */
  isReportedInUse: boolean;
  /** The PersistentVolume's capacity, for volumes that may be expanded here. */
  size: string | undefined;
  readonly pods: Map<string, DesiredPod>;
}

/** Another error is added while there are at most this many, as upstream does: maxPodErrors. */
const errorCountMax = 10;

export class DesiredState {
  readonly volumes: Map<string, DesiredVolume> = new Map();
  readonly #podErrors = new Map<string, Set<string>>();
  /** Names of each pod's volumes. A list, because a pod has few, and a set of one would take five times the memory. */
  readonly #byPod = new Map<string, readonly string[]>();

  add(volume: Omit<DesiredVolume, "isReportedInUse" | "pods">, pod: DesiredPod): void {
    const { uniqueName, size } = volume;
    const podUid = pod.pod.metadata.uid;
    let known = this.volumes.get(uniqueName);
    if (known === undefined) {
      known = withFields(volume, { isReportedInUse: false, pods: new Map() });
      this.volumes.set(uniqueName, known);
    }
    if (size !== undefined) known.size = size;
    if (!known.pods.has(podUid)) this.#byPod.set(podUid, this.volumesOf(podUid).concat(uniqueName));
    known.pods.set(podUid, pod);
  }

  remove(uniqueName: string, podUid: string): void {
    const volume = this.volumes.get(uniqueName);
    volume?.pods.delete(podUid);
    if (volume?.pods.size === 0) this.volumes.delete(uniqueName);
    const others = this.volumesOf(podUid).filter((name) => name !== uniqueName);
    if (others.length > 0) this.#byPod.set(podUid, others);
    else this.#byPod.delete(podUid);
  }

  /** Lets the volume's other pods go first. Upstream iterates in the order of a Go map, so each pod gets its turn. */
  putLast(uniqueName: string, podUid: string): void {
    const pods = this.volumes.get(uniqueName)?.pods;
    const pod = pods?.get(podUid);
    if (pods === undefined || pod === undefined) return;
    pods.delete(podUid);
    pods.set(podUid, pod);
  }

  has(uniqueName: string, podUid: string): boolean {
    return this.volumes.get(uniqueName)?.pods.has(podUid) === true;
  }

  volumesOf(podUid: string): readonly string[] {
    return this.#byPod.get(podUid) ?? none;
  }

  /** The unique name of the volume that the pod's spec has under this name. Upstream: GetVolumeNamesForPod. */
  volumeNamed(podUid: string, podVolumeName: string): string | undefined {
    return this.volumesOf(podUid).find((uniqueName) =>
      this.volumes.get(uniqueName)?.pods.get(podUid)?.podVolumeNames.includes(podVolumeName),
    );
  }

  addError(podUid: string, error: string): void {
    const errors = this.#podErrors.get(podUid);
    if (errors === undefined) this.#podErrors.set(podUid, new Set([error]));
    else if (errors.size <= errorCountMax) errors.add(error);
  }

  /** Returns and deletes the pod's errors, sorted like a Go set's list. */
  popErrors(podUid: string): readonly string[] {
    const errors = this.#podErrors.get(podUid);
    if (errors === undefined) return none;
    this.#podErrors.delete(podUid);
    return [...errors].sort(compareText);
  }
}

const none: readonly string[] = [];
