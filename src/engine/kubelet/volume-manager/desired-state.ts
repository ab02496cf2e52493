/**
 * Which volumes this node's pods need. Upstream: pkg/kubelet/volumemanager/cache/desired_state_of_world.go v1.36.
 * Not modelled: SELinux labels.
 */
import { compareText } from "../../api/go/text-order.ts";
import { withFields } from "../../api/json.ts";
import type { Pod } from "../../api/types.ts";
import type { VolumePlugin, VolumeSpec } from "../volumes/plugin.ts";

export interface DesiredPod {
  readonly pod: Pod;
  readonly spec: VolumeSpec;
  /** Names in the pod's spec: several where more than one of its volumes leads here. */
  readonly podVolumeNames: readonly string[];
}

export interface DesiredVolume {
  readonly uniqueName: string;
  readonly plugin: VolumePlugin;
  isAttachable: boolean;
  readonly isDeviceMountable: boolean;
  /** Has the node's status named the volume in volumesInUse since a pod here wants it? */
  isReportedInUse: boolean;
  /** Capacity of the PersistentVolume, for volumes that may grow here. */
  size: string | undefined;
  readonly pods: Map<string, DesiredPod>;
}

/** Upstream: maxPodErrors. While no more are known another one is taken in. */
const errorCountMax = 10;

export class DesiredState {
  readonly volumes: Map<string, DesiredVolume> = new Map();
  readonly #podErrors = new Map<string, Set<string>>();
  /** Names of the volumes; a list, for a pod has few, and a set of one would take five times the room. */
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

  /** Lets the volume's other pods go first: upstream goes through them in the order of a Go map, so that each has its turn. */
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

  /** The volume that the pod knows by this name. Upstream: GetVolumeNamesForPod. */
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

  /** Sorted, as Go lists a set. */
  popErrors(podUid: string): readonly string[] {
    const errors = this.#podErrors.get(podUid);
    if (errors === undefined) return none;
    this.#podErrors.delete(podUid);
    return [...errors].sort(compareText);
  }
}

const none: readonly string[] = [];
