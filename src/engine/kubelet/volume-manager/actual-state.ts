/**
 * The volumes that are attached and mounted on this node, as far as the kubelet knows.
 * Upstream: pkg/kubelet/volumemanager/cache/actual_state_of_world.go v1.36.
 */
import { withFields } from "../../api/json.ts";
import { type Ref, refOf } from "../../api/meta.ts";
import {
  isBlockVolume,
  type VolumeFailure,
  type VolumePlugin,
  type VolumeResult,
  type VolumeSpec,
} from "../volumes/plugin.ts";
import type { DesiredPod } from "./desired-state.ts";

export type DeviceState = "NotMounted" | "Uncertain" | "GloballyMounted";

export interface MountedPod {
  readonly podUid: string;
  /** Absent if only the pod's directory was found. */
  readonly podRef?: Ref;
  readonly spec: VolumeSpec;
  readonly isBlock: boolean;
  state: "Mounted" | "Uncertain";
  isRemountRequired: boolean;
  /** True if a starting kubelet found it on disk; then a failed mount does not prove that nothing is mounted. */
  readonly isReconstructed: boolean;
}

export interface ActualVolume {
  readonly uniqueName: string;
  readonly plugin: VolumePlugin;
  isAttachable: boolean;
  readonly specName: string;
  device: DeviceState;
  readonly isBlock: boolean;
  readonly isReconstructed: boolean;
  /** The size of the claim up to which this node has expanded the volume. */
  claimSize: string | undefined;
  /** `hasExpansionFailed`: the driver has refused or failed an expansion. `isExpansionInUse`: it expands no volume in use. */
  hasExpansionFailed: boolean;
  isExpansionInUse: boolean;
  /** True if the claim has to change before another expansion makes sense. */
  isExpansionWaiting: boolean;
  readonly pods: Map<string, MountedPod>;
}

type NewVolume = Pick<
  ActualVolume,
  | "uniqueName"
  | "plugin"
  | "isAttachable"
  | "specName"
  | "isBlock"
  | "isReconstructed"
  | "claimSize"
>;

export class ActualState {
  readonly volumes: Map<string, ActualVolume> = new Map();
  /** Names of each pod's volumes; a list, because a pod has few. */
  readonly #byPod = new Map<string, readonly string[]>();

  /** Marks a volume as attached; a known one stays as it is. */
  attach(volume: NewVolume): ActualVolume {
    const known = this.volumes.get(volume.uniqueName);
    if (known !== undefined) return known;
    const unused: Omit<ActualVolume, keyof NewVolume> = {
      device: "NotMounted",
      hasExpansionFailed: false,
      isExpansionInUse: false,
      isExpansionWaiting: false,
      pods: new Map(),
    };
    const added: ActualVolume = withFields(volume, unused);
    this.volumes.set(volume.uniqueName, added);
    return added;
  }

  detach(uniqueName: string): void {
    this.volumes.delete(uniqueName);
  }

  setPod(volume: ActualVolume, pod: MountedPod): void {
    volume.pods.set(pod.podUid, pod);
    const names = this.volumesOf(pod.podUid);
    if (!names.includes(volume.uniqueName))
      this.#byPod.set(pod.podUid, names.concat(volume.uniqueName));
  }

  markMounted(volume: ActualVolume, pod: DesiredPod): void {
    this.#setMounted(volume, pod, "Mounted");
  }

  /** Records a failed attempt to mount the volume for the pod. */
  markPodFailure(volume: ActualVolume, pod: DesiredPod, failure: VolumeFailure): void {
    const { uid } = pod.pod.metadata;
    const before = volume.pods.get(uid);
    const state = stateAfterFailure<"Mounted">(
      before?.state ?? "NotMounted",
      failure,
      before?.isReconstructed === true,
    );
    if (state === "NotMounted") this.removePod(volume, uid);
    else if (before !== undefined) before.state = state;
    else this.#setMounted(volume, pod, state);
  }

  /**
   * Records a mount that cannot be used; one that the pod could use before is lost with that. Upstream:
   * MarkVolumeMountAsUncertain.
   */
  markUnusable(volume: ActualVolume, pod: DesiredPod): void {
    this.#setMounted(volume, pod, "Uncertain");
  }

  #setMounted(volume: ActualVolume, { pod, spec }: DesiredPod, state: MountedPod["state"]): void {
    const { uid } = pod.metadata;
    const isReconstructed = state !== "Mounted" && volume.pods.get(uid)?.isReconstructed === true;
    this.setPod(volume, {
      podUid: uid,
      podRef: refOf(pod),
      spec,
      isBlock: isBlockVolume(spec),
      isReconstructed,
      state,
      isRemountRequired: false,
    });
  }

  removePod(volume: ActualVolume, podUid: string): void {
    volume.pods.delete(podUid);
    const others = this.volumesOf(podUid).filter((name) => name !== volume.uniqueName);
    if (others.length > 0) this.#byPod.set(podUid, others);
    else this.#byPod.delete(podUid);
  }

  /** Names of the volumes that are, or may be, mounted for a pod. */
  volumesOf(podUid: string): readonly string[] {
    return this.#byPod.get(podUid) ?? none;
  }

  mountedPod(uniqueName: string, podUid: string): MountedPod | undefined {
    return this.volumes.get(uniqueName)?.pods.get(podUid);
  }
}

const none: readonly string[] = [];

/** Records the result of an attempt to mount the volume's device, or to stage it. */
export function markDevice(volume: ActualVolume, result: VolumeResult): void {
  volume.device =
    result === undefined
      ? "GloballyMounted"
      : stateAfterFailure<"GloballyMounted">(volume.device, result, volume.isReconstructed);
}

/**
 * The state of a device or of a pod's mount after a failed attempt to mount it.
 * Upstream: operation_generator.go markDeviceErrorState, markVolumeErrorState.
 */
export function stateAfterFailure<S extends "Mounted" | "GloballyMounted">(
  before: S | "Uncertain" | "NotMounted",
  failure: VolumeFailure,
  isReconstructed: boolean,
): S | "Uncertain" | "NotMounted" {
  switch (before) {
    case "NotMounted":
      return failure.kind === "uncertain" ? "Uncertain" : "NotMounted";
    case "Uncertain":
      return failure.kind === "final" && !isReconstructed ? "NotMounted" : "Uncertain";
    default:
      // A failed remount leaves the existing mount.
      return before;
  }
}
