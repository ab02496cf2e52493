/**
 * The kubelet's volume manager: compares what this node's pods need with what is mounted, and waits until they match.
 * Upstream: pkg/kubelet/volumemanager/volume_manager.go v1.36. The loops of 100 ms run only when there is work for them.
 */
import { compareText, sortedTexts } from "../../api/go/text-order.ts";
import { type Key, type KubeObject, keyOf } from "../../api/meta.ts";
import type { PersistentVolume, Pod } from "../../api/types.ts";
import { usedVolumes } from "../../matching/used-volumes.ts";
import { kubeletRoot } from "../../node/machine.ts";
import type { Instant } from "../../trace/instant.ts";
import { PendingOperations } from "../../volume/pending-operations.ts";
import { podDirectory } from "../volumes/paths.ts";
import type { VolumeHost, VolumeSpec } from "../volumes/plugin.ts";
import { ActualState } from "./actual-state.ts";
import { DesiredState } from "./desired-state.ts";
import { processPodVolumes } from "./populator.ts";
import { type ReconcilerHost, reconcile } from "./reconciler.ts";
import { reconstruct, updateFromNodeStatus } from "./reconstruction.ts";
import { takeOverMounts } from "./running-mounts.ts";
import {
  cleanUpPace,
  type Look,
  VolumeWaits,
  type Waited,
  type WaitFailure,
} from "./volume-waits.ts";

const loopMs = 100;

export class VolumeManager {
  readonly desired: DesiredState = new DesiredState();
  readonly actual: ActualState = new ActualState();
  readonly #operations: PendingOperations;
  readonly #host: VolumeHost;
  readonly #statusWanted: () => void;
  /** Called with each PersistentVolume that a pod here wants. */
  readonly #volumeWanted: (volume: PersistentVolume) => void;
  readonly #startedAt: Instant;
  /** Pods by uid: `dirty` those that the populator still has to process, `wanted` those whose volumes are needed. */
  readonly #dirty = new Map<string, Pod>();
  readonly #wanted = new Map<string, Pod>();
  readonly #touched = new Set<string>();
  /** Pods that have ended here but have volumes that were never mounted for them. */
  readonly #leaving = new Set<string>();
  readonly #waits: VolumeWaits;
  readonly #reconciler: ReconcilerHost;
  /** Volumes whose expansion waits for a change of their claim. */
  readonly #claimWaits = new Map<Key, string>();
  #hearsClaims = false;
  #inUse: readonly string[] = [];
  #isInUseKnown = false;
  #isTickDue = false;
  /** Unfinished populator tasks of the first pass; nothing is unmounted before they end. */
  #firstPassTaskCount = 0;
  #hasAddedPods = false;
  /** True once it is known which volumes left by the predecessor are attached. Upstream: ReconcilerStatesHasBeenSynced. */
  #isSynced = false;
  #isReady = false;

  constructor(
    host: VolumeHost,
    running: readonly Pod[],
    statusWanted: () => void,
    volumeWanted: (volume: PersistentVolume) => void,
  ) {
    this.#host = host;
    this.#statusWanted = statusWanted;
    this.#volumeWanted = volumeWanted;
    this.#startedAt = host.context.now;
    this.#waits = new VolumeWaits(host.context);
    this.#operations = new PendingOperations(() => host.context.now);
    this.#reconciler = this.#makeReconciler();
    reconstruct(host, this.actual);
    host.context.go(updateFromNodeStatus(host, this.actual), () => {
      this.#isSynced = true;
      this.#inUseChanged();
      this.#becomeReady();
    });
    for (const pod of running) takeOverMounts(host, this.actual, pod);
    host.context.informer("CSIDriver").on({
      add: () => this.#driverChanged(),
      update: () => this.#driverChanged(),
    });
    this.#arm();
  }

  /** Has the pod's volumes resolved in the populator's next pass. */
  processPod(pod: Pod): void {
    const { uid } = pod.metadata;
    this.#wanted.set(uid, pod);
    if ((pod.spec.volumes ?? []).length === 0) return;
    this.#dirty.set(uid, pod);
    this.#arm();
  }

  /**
   * For an ending pod whose containers may still run: a starting kubelet mounts its volumes again until they are gone; one that
   * is up mounts nothing for it. Upstream: findAndAddNewPods.
   */
  keepVolumes(pod: Pod): void {
    if (!this.#hasAddedPods) this.processPod(pod);
  }

  /**
   * Call once the pod's containers are gone: from then on its volumes are unmounted. A volume that was never mounted for it
   * stays desired as long as the pod's object exists. Upstream: findAndRemoveDeletedPods.
   */
  removePod(podUid: string, isObjectGone: boolean): void {
    this.#wanted.delete(podUid);
    this.#dirty.delete(podUid);
    for (const name of this.desired.volumesOf(podUid)) {
      if (isObjectGone || this.#hasMount(name, podUid)) this.#release(name, podUid);
    }
    for (const name of this.actual.volumesOf(podUid)) this.#touch(name);
    if (this.desired.volumesOf(podUid).length > 0) this.#leaving.add(podUid);
    else this.#leaving.delete(podUid);
  }

  /** Uncertain mounts count too. */
  #hasMount(name: string, podUid: string): boolean {
    return this.actual.mountedPod(name, podUid) !== undefined;
  }

  #release(name: string, podUid: string): void {
    const isAttachable = this.desired.volumes.get(name)?.isAttachable === true;
    this.desired.remove(name, podUid);
    this.#touch(name);
    if (isAttachable) this.#inUseChanged();
  }

  /** Removes an ended pod's directory. While a volume is still in it, the directory stays until the last one is gone. */
  cleanUpPod(podUid: string): void {
    const { machine } = this.#host;
    const directory = podDirectory(podUid);
    const files = machine.files.below(directory);
    const holdsVolume = files.some((path) => path.endsWith("/vol_data.json"));
    if (!holdsVolume && this.actual.volumesOf(podUid).length === 0) machine.removeAll(directory);
  }

  /**
   * Attachable volumes of this node, sorted; the same array while nothing changes. Undefined until it is known which volumes
   * left by the predecessor are attached. Upstream: GetVolumesInUse.
   */
  volumesInUse(): readonly string[] | undefined {
    if (!this.#isSynced) return undefined;
    if (this.#isInUseKnown) return this.#inUse;
    const names = new Set<string>();
    for (const { uniqueName, isAttachable } of this.desired.volumes.values()) {
      if (isAttachable) names.add(uniqueName);
    }
    for (const { uniqueName, isAttachable } of this.actual.volumes.values()) {
      if (isAttachable) names.add(uniqueName);
    }
    // The kept names are sorted already, which makes the sort fast.
    const kept = this.#inUse.filter((name) => names.delete(name));
    this.#inUse = sortedTexts([...kept, ...names]);
    this.#isInUseKnown = true;
    return this.#inUse;
  }

  #inUseChanged(): void {
    this.#isInUseKnown = false;
    this.#statusWanted();
  }

  /** Call after the node's status was written with these names in volumesInUse. */
  markReportedInUse(names: readonly string[]): void {
    for (const name of names) {
      const volume = this.desired.volumes.get(name);
      if (volume === undefined || volume.isReportedInUse) continue;
      volume.isReportedInUse = true;
      this.#touch(name);
    }
  }

  /** Call when volumesAttached in the node's status has changed. */
  volumesAttachedChanged(names: readonly string[]): void {
    for (const name of names) {
      if (this.desired.volumes.has(name) && !this.actual.volumes.has(name)) this.#touch(name);
    }
  }

  /** The uids of the pods on this node that have a mounted volume for which `matches` is true. */
  podsWith(matches: (spec: VolumeSpec, pod: Pod) => boolean): readonly string[] {
    const pods: string[] = [];
    for (const [name, volume] of this.desired.volumes) {
      for (const [uid, { spec, pod }] of volume.pods) {
        if (this.#hasMount(name, uid) && matches(spec, pod)) pods.push(uid);
      }
    }
    return pods;
  }

  /** Stops waiting for attachments that the CSIDriver no longer requires. Upstream: findAndRemoveDeletedPods. */
  #driverChanged(): void {
    for (const [name, volume] of this.desired.volumes) {
      const [pod] = volume.pods.values();
      if (!volume.isAttachable || pod === undefined) continue;
      if (volume.plugin.isAttachable(this.#host, pod.spec)) continue;
      volume.isAttachable = false;
      this.#touch(name);
      this.#inUseChanged();
    }
  }

  #waitForClaim(name: string, claim: Key): void {
    if (!this.#hearsClaims) {
      this.#hearsClaims = true;
      const { context } = this.#host;
      const heard = (object: KubeObject<"PersistentVolumeClaim">): void =>
        this.#claimChanged(keyOf(object));
      context
        .informer("PersistentVolumeClaim")
        .on({ update: (_, after) => heard(after), delete: heard });
    }
    this.#claimWaits.set(claim, name);
  }

  #claimChanged(claim: Key): void {
    const name = this.#claimWaits.get(claim);
    const volume = name === undefined ? undefined : this.actual.volumes.get(name);
    if (name === undefined || volume === undefined) return;
    this.#claimWaits.delete(claim);
    volume.isExpansionWaiting = false;
    this.#touch(name);
  }

  /** Calls `done` once, at one of its polls; the returned function cancels the wait. Upstream: WaitForAttachAndMount. */
  waitForMount(pod: Pod, done: Waited): () => void {
    const expected = sortedTexts(usedVolumes(pod).map(({ volume }) => volume.name));
    this.processPod(pod);
    if (expected.length === 0) {
      done(undefined);
      return () => {};
    }
    return this.#waits.wait(pod.metadata.uid, done, (isLate) =>
      this.#checkMounted(pod, expected, isLate),
    );
  }

  /**
   * Waits for mounted volumes up to a limit, then without one for those that may still be mounted because an unmount failed.
   * Upstream: WaitForUnmount, then kubelet.go SyncTerminatedPod with podVolumesExist.
   */
  waitForUnmount({ metadata: { uid } }: Pod, done: Waited): void {
    const left = (): readonly string[] => this.actual.volumesOf(uid);
    const clean = (failure: WaitFailure | undefined): void => {
      if (failure !== undefined) {
        done(failure);
        return;
      }
      const look: Look = () => (left().length === 0 ? { failure: undefined } : undefined);
      this.#waits.wait(uid, done, look, cleanUpPace);
    };
    this.#waits.wait(uid, clean, (isLate) => {
      const mounted = left().filter(
        (name) => this.actual.mountedPod(name, uid)?.state === "Mounted",
      );
      if (mounted.length === 0) return { failure: undefined };
      if (!isLate) return undefined;
      const error = `mounted volumes=[${mounted.join(" ")}]: context deadline exceeded`;
      return { failure: { error, isTimeout: true, unattached: [] } };
    });
  }

  #checkMounted(
    pod: Pod,
    expected: readonly string[],
    isLate: boolean,
  ): { readonly failure: WaitFailure | undefined } | undefined {
    const { uid } = pod.metadata;
    const errors = this.desired.popErrors(uid);
    const unmounted = expected.filter((name) => !this.#isMounted(uid, name));
    if (unmounted.length === 0) return { failure: undefined };
    if (errors.length === 0 && !isLate) return undefined;
    const desired = this.desired.volumesOf(uid).map((name) => this.desired.volumes.get(name));
    const processed = new Set(
      desired.flatMap((volume) => volume?.pods.get(uid)?.podVolumeNames ?? []),
    );
    const unattached = desired
      .filter(
        (volume) => volume?.isAttachable === true && !this.actual.volumes.has(volume.uniqueName),
      )
      .flatMap((volume) => volume?.pods.get(uid)?.podVolumeNames ?? [])
      .sort(compareText);
    const unprocessed = expected.filter((name) => !processed.has(name));
    const lists = `unmounted volumes=[${unmounted.join(" ")}], unattached volumes=[${unattached.join(" ")}], failed to process volumes=[${unprocessed.join(" ")}]`;
    const why = errors.length > 0 ? errors.join("; ") : "context deadline exceeded";
    return { failure: { error: `${lists}: ${why}`, isTimeout: errors.length === 0, unattached } };
  }

  #isMounted(podUid: string, podVolumeName: string): boolean {
    const uniqueName = this.desired.volumeNamed(podUid, podVolumeName) ?? "";
    return this.actual.mountedPod(uniqueName, podUid)?.state === "Mounted";
  }

  #touch(name: string): void {
    this.#touched.add(name);
    this.#arm();
  }

  /** Runs both loops at the next multiple of 100 ms since the start. */
  #arm(): void {
    if (this.#isTickDue) return;
    this.#isTickDue = true;
    const { context } = this.#host;
    const elapsed = context.now - this.#startedAt;
    context.after(loopMs - (elapsed % loopMs), () => {
      this.#isTickDue = false;
      this.#tick();
    });
  }

  #tick(): void {
    const { context } = this.#host;
    const pods = [...this.#dirty.values()];
    this.#dirty.clear();
    const isFirst = !this.#hasAddedPods;
    if (isFirst) this.#firstPassTaskCount += pods.length;
    for (const pod of pods) {
      context.go(this.#populate(pod), () => {
        if (isFirst && --this.#firstPassTaskCount === 0) this.#podsAdded();
        this.#waits.notify(pod.metadata.uid);
      });
    }
    if (isFirst && this.#firstPassTaskCount === 0) this.#podsAdded();
    const names = sortedTexts(this.#touched);
    this.#touched.clear();
    if (this.#leaving.size > 0) this.#releaseLeaving(names);
    reconcile(this.#reconciler, names, this.#isReady);
  }

  /** Releases volumes that were mounted for a pod after its end. */
  #releaseLeaving(names: readonly string[]): void {
    for (const name of names) {
      for (const podUid of [...(this.desired.volumes.get(name)?.pods.keys() ?? [])]) {
        if (this.#leaving.has(podUid) && this.#hasMount(name, podUid)) this.#release(name, podUid);
      }
    }
  }

  #podsAdded(): void {
    this.#hasAddedPods = true;
    this.#becomeReady();
  }

  /** Checks what the predecessor left once more, because from now on it may be unmounted. */
  #becomeReady(): void {
    if (this.#isReady || !this.#isSynced || !this.#hasAddedPods) return;
    this.#isReady = true;
    for (const name of this.actual.volumes.keys()) this.#touch(name);
    this.#cleanUpOrphans();
    this.#statusWanted();
  }

  /**
   * Removes what is left of pods that were deleted while no kubelet ran. Upstream: kubelet_volumes.go cleanupOrphanedPodDirs.
   */
  #cleanUpOrphans(): void {
    const pods = `${kubeletRoot}/pods`;
    for (const path of this.#host.machine.files.below(pods)) {
      const uid = path.slice(pods.length + 1);
      if (!uid.includes("/") && !this.#wanted.has(uid)) this.cleanUpPod(uid);
    }
  }

  *#populate(pod: Pod): ReturnType<typeof processPodVolumes> {
    const { uid } = pod.metadata;
    const added = (name: string, claimSize: string | undefined): void => {
      this.#touch(name);
      const volume = this.desired.volumes.get(name);
      const attached = this.actual.volumes.get(name);
      // Sets the size of a volume that the predecessor left. Upstream: InitializeClaimSize.
      if (attached !== undefined) attached.claimSize ??= claimSize;
      const { persistentVolume } = volume?.pods.get(uid)?.spec ?? {};
      if (persistentVolume !== undefined) this.#volumeWanted(persistentVolume);
      const isNew = volume?.pods.size === 1 && attached === undefined;
      if (isNew && volume.isAttachable) this.#inUseChanged();
    };
    const isWanted = (): boolean => this.#wanted.has(uid);
    const ok = yield* processPodVolumes(this.#host, this.desired, pod, added, isWanted);
    if (ok) {
      this.desired.popErrors(uid);
      this.#markRemountRequired(uid);
    }
    return ok;
  }

  #markRemountRequired(podUid: string): void {
    for (const name of this.actual.volumesOf(podUid)) {
      const mounted = this.actual.mountedPod(name, podUid);
      const volume = this.actual.volumes.get(name);
      if (mounted === undefined || volume === undefined) continue;
      if (!volume.plugin.requiresRemount(this.#host, mounted.spec)) continue;
      mounted.isRemountRequired = true;
      this.#touch(name);
    }
  }

  #makeReconciler(): ReconcilerHost {
    const { context } = this.#host;
    return {
      host: this.#host,
      desired: this.desired,
      actual: this.actual,
      operations: this.#operations,
      touch: (name) => this.#touch(name),
      touchAt: (name, at) => {
        context.after(Math.max(0, at - context.now), () => this.#touch(name));
      },
      waitForClaim: (name, claim) => this.#waitForClaim(name, claim),
      podChanged: (podUid) => {
        this.#waits.notify(podUid);
        if (!this.#wanted.has(podUid)) this.cleanUpPod(podUid);
      },
      volumesInUseChanged: () => this.#inUseChanged(),
    };
  }
}
