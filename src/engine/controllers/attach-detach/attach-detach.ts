/**
 * The attach-detach controller: watches pods, claims, nodes and attachments, and keeps the desired and the actual state.
 * Upstream: pkg/controller/volume/attachdetach/attach_detach_controller.go, populator/, util/util.go v1.36.
 * Not modeled: nodes whose kubelet attaches (no managed annotation); they are left alone.
 */
import { deepEqual } from "../../api/json.ts";
import { type KubeObject, keyOf, makeKey, makeRef, refOf } from "../../api/meta.ts";
import type {
  CSIDriver,
  PersistentVolume,
  PersistentVolumeClaim,
  Volume,
} from "../../api/types.ts";
import { claimKeysOf, claimNameOf, isClaimForPod, podsByClaim } from "../../matching/pod-claims.ts";
import { isPodTerminated } from "../../matching/pod-state.ts";
import type { Component, ComponentContext } from "../../runtime/component.ts";
import { getLive, type Task } from "../../runtime/effects.ts";
import { untilNextLook } from "../../runtime/periodic-look.ts";
import type { Instant } from "../../trace/instant.ts";
import {
  type AttachableVolume,
  attachableInlineVolume,
  attachableVolume,
  csiOfUniqueName,
  isAttachRequired,
} from "../../volume/attachable-volume.ts";
import { translatedInlineVolume } from "../../volume/csi-translation.ts";
import { attachmentName } from "../../volume/volume-names.ts";
import { ActualState } from "./actual-state.ts";
import { DesiredState } from "./desired-state.ts";
import { Reconciler } from "./reconciler.ts";

const managedAnnotation = "volumes.kubernetes.io/controller-managed-attach-detach";
// A periodic check comes half a period after a change, on average; that delay is used below.
/** Period of the second look at pods with volumes that could not be resolved. */
const podListMs = 180_000;
/** Period of the comparison of attachments with the records. */
const verifyMs = 60_000;
/** Period of the check whether the desired volumes are still wanted. */
const populatorMs = 60_000;

type Pod = KubeObject<"Pod">;
type Node = KubeObject<"Node">;
type Attachment = KubeObject<"VolumeAttachment">;

export const attachDetachController: Component = {
  name: "attachdetach-controller",
  source: "attachdetach-controller",
  start: (context) => new AttachDetachController(context).start(),
};

class AttachDetachController {
  readonly #context: ComponentContext;
  readonly #desired = new DesiredState();
  readonly #actual = new ActualState();
  readonly #reconciler: Reconciler;
  /** Keys of pods whose volumes could not all be resolved. */
  readonly #unresolved = new Set<string>();
  /** When those were last looked at. */
  #listedAt: Instant | undefined;
  /** Uids of ended pods some of whose volumes stay desired until the populator finds the pod gone. */
  readonly #toBeMissed = new Set<string>();
  /** Changed attachments by name, to be compared with their records at the next verification. */
  readonly #unverified = new Map<string, readonly [volume: string, node: string]>();
  /** Volume and node by the attachment's name. */
  readonly #attachments = new Map<string, readonly [volume: string, node: string]>();

  constructor(context: ComponentContext) {
    this.#context = context;
    this.#reconciler = new Reconciler(context, this.#desired, this.#actual);
  }

  start(): void {
    const pods = this.#context.informer("Pod");
    const attachments = this.#context.informer("VolumeAttachment");
    pods.index(podsByClaim, claimKeysOf);
    const nodes = this.#context.informer("Node");
    for (const node of nodes.list()) this.#populate(node);
    nodes.on({
      add: (node) => this.#nodeAdded(node),
      update: (before, node) => {
        if (isSentByKubelet(before, node)) this.#reconciler.heard(node.metadata.name);
        this.#nodeUpdated(node);
      },
      delete: (node) => this.#desired.removeNode(node.metadata.name),
    });
    for (const attachment of attachments.list()) this.#adopt(attachment);
    pods.on({
      add: (pod) => this.#podChanged(pod),
      update: (_, pod) => this.#podChanged(pod),
      delete: (pod) => this.#removePod(pod),
    });
    this.#context.informer("PersistentVolumeClaim").on({
      add: (claim) => this.#claimChanged(claim),
      update: (_, claim) => this.#claimChanged(claim),
    });
    this.#context.informer("CSIDriver").on({
      add: (driver) => this.#driverChanged(undefined, driver),
      update: (before, after) => this.#driverChanged(before, after),
      delete: (driver) => this.#driverChanged(driver, undefined),
    });
    attachments.on({
      update: (_, attachment) => this.#attachmentChanged(attachment),
      delete: (attachment) => this.#attachmentChanged(attachment),
    });
  }

  /** Takes over what the node's status lists: attached before this controller started. Upstream: populateActualStateOfWorld. */
  #populate(node: Node): void {
    const { name } = node.metadata;
    for (const { name: volume } of node.status?.volumesAttached ?? []) {
      this.#actual.markAttached(volume, name, undefined);
      this.#reconciler.wake(volume, name);
    }
  }

  /**
   * Writes the attached volumes again into the status of a node that was deleted and is back; the volumesAttached that it
   * came with is ignored. Upstream: nodeAdd, SetNodeStatusUpdateNeeded.
   */
  #nodeAdded(node: Node): void {
    const { name } = node.metadata;
    for (const { name: volume } of this.#actual.reportedOn(name)) {
      this.#actual.markUnsaved(name);
      this.#reconciler.wake(volume, name);
    }
    this.#reconciler.heard(name);
    this.#nodeUpdated(node);
  }

  #nodeUpdated(node: Node): void {
    const { name, annotations } = node.metadata;
    // The annotation's value does not matter. Upstream: addNodeToDswp.
    if (annotations?.[managedAnnotation] !== undefined) this.#desired.addNode(name);
    const inUse = new Set(node.status?.volumesInUse);
    const wanted = this.#desired.volumesOn(name);
    for (const [volume, record] of this.#actual.recordsOn(name)) {
      record.isMounted = inUse.has(volume);
      if (!wanted.has(volume)) this.#reconciler.wake(volume, name);
    }
  }

  /** Records an attachment that no node's status lists as uncertain. Upstream: processVolumeAttachments. */
  #adopt(attachment: Attachment): void {
    const { nodeName, source } = attachment.spec;
    const volume = this.#context
      .informer("PersistentVolume")
      .get(source.persistentVolumeName ?? "");
    if (volume === undefined) return;
    const attachable = this.#attachable(volume);
    if (attachable === undefined || this.#actual.get(attachable.name, nodeName) !== undefined)
      return;
    this.#actual.markUncertain(attachable.name, nodeName, attachable);
    this.#reconciler.wake(attachable.name, nodeName);
  }

  #podChanged(pod: Pod): void {
    const node = pod.spec.nodeName;
    if (node === undefined) return;
    if (isPodTerminated(pod)) {
      this.#removePod(pod);
      return;
    }
    if (!this.#desired.isWhole(pod)) this.#addVolumes(pod, node);
  }

  /** Upstream: ProcessPodVolumes. Never removes a volume, even if the pod's claim has a different one now. */
  #addVolumes(pod: Pod, node: string): void {
    const key = keyOf(pod);
    if (!this.#desired.hasNode(node)) {
      if ((pod.spec.volumes ?? []).length > 0) this.#lookAgain(key);
      return;
    }
    const { uid, name, namespace = "" } = pod.metadata;
    let isComplete = true;
    let isWhole = true;
    for (const podVolume of pod.spec.volumes ?? []) {
      const resolved = this.#resolve(pod, podVolume);
      if (resolved === "unresolved") isComplete = false;
      else if (resolved === "unattached") isWhole = false;
      else if (resolved !== undefined) {
        if (this.#desired.isWantedBy(resolved.name, node, uid)) continue;
        const isNew = this.#desired.add(resolved, node, { uid, ref: refOf(pod), namespace, name });
        if (!isNew) continue;
        this.#remember(resolved, node);
        this.#reconciler.wake(resolved.name, node);
      }
    }
    this.#desired.markWhole(pod, isComplete && isWhole);
    if (isComplete) this.#unresolved.delete(key);
    else this.#lookAgain(key);
  }

  #remember(volume: AttachableVolume, node: string): void {
    const { csi } = volume;
    if (csi === undefined) return;
    const record = this.#actual.get(volume.name, node);
    if (record !== undefined) record.volume ??= volume;
    this.#attachments.set(attachmentName(csi.handle, csi.driver, node), [volume.name, node]);
  }

  /** Volumes of the pod that no longer resolve stay until the populator finds the pod gone. Upstream: ProcessPodVolumes. */
  #removePod(pod: Pod): void {
    this.#unresolved.delete(keyOf(pod));
    const { uid } = pod.metadata;
    if (!this.#desired.hasPod(uid)) return;
    const found = new Set<string>();
    for (const podVolume of pod.spec.volumes ?? []) {
      const resolved = this.#resolve(pod, podVolume);
      if (typeof resolved === "object") found.add(resolved.name);
    }
    this.#release(uid, (volume) => found.has(volume));
    if (!this.#desired.hasPod(uid) || this.#toBeMissed.has(uid)) return;
    this.#toBeMissed.add(uid);
    this.#noteWait(uid, pod.spec.nodeName ?? "");
    this.#context.after(populatorMs / 2, () => {
      this.#toBeMissed.delete(uid);
      const present = this.#context.informer("Pod").get(keyOf(pod));
      if (present?.metadata.uid === uid && !isPodTerminated(present)) return;
      this.#release(uid, () => true);
    });
  }

  #noteWait(uid: string, node: string): void {
    for (const volume of this.#desired.volumesOn(node).keys()) {
      const csi = csiOfUniqueName(volume);
      if (csi === undefined || !this.#desired.isWantedBy(volume, node, uid)) continue;
      const name = attachmentName(csi.handle, csi.driver, node);
      this.#context.decide(makeRef("VolumeAttachment", undefined, name), {
        reason: "WaitForPopulator",
        text: "the pod's claim or volume no longer exists, so the volume is detached only after the controller's next check for pods that have ended",
        due: this.#context.now + populatorMs / 2,
      });
    }
  }

  #release(uid: string, isLeft: (volume: string) => boolean): void {
    const { node, volumes } = this.#desired.removePod(uid, isLeft);
    for (const volume of volumes) this.#reconciler.wake(volume, node);
  }

  /** Adds the volumes of a bound claim's pods, even if a pod had a former claim of this name. Upstream: syncPVCByKey. */
  #claimChanged(claim: PersistentVolumeClaim): void {
    if (claim.status?.phase !== "Bound" || (claim.spec.volumeName ?? "") === "") return;
    for (const pod of this.#context.informer("Pod").byIndex(podsByClaim, keyOf(claim))) {
      const node = pod.spec.nodeName;
      if (node !== undefined && !isPodTerminated(pod)) this.#addVolumes(pod, node);
    }
  }

  /**
   * If the driver no longer requires attach, its volumes are detached; if it now does, they are added when the pods are
   * next listed. Upstream: findAndRemoveDeletedPods, findAndAddActivePods.
   */
  #driverChanged(before: CSIDriver | undefined, after: CSIDriver | undefined): void {
    const name = (after ?? before)?.metadata.name ?? "";
    if (isAttachRequired(before) === isAttachRequired(after)) return;
    if (isAttachRequired(after)) {
      for (const pod of this.#context.informer("Pod").list()) {
        if (pod.spec.nodeName !== undefined && !this.#desired.isWhole(pod)) {
          this.#lookAgain(keyOf(pod));
        }
      }
      return;
    }
    if (this.#desired.volumesOfDriver(name).length === 0) return;
    this.#context.after(populatorMs / 2, () => {
      if (isAttachRequired(this.#context.informer("CSIDriver").get(name))) return;
      for (const [volume, node] of this.#desired.volumesOfDriver(name)) {
        this.#desired.removeVolume(volume, node);
        this.#reconciler.wake(volume, node);
      }
    });
  }

  #lookAgain(key: string): void {
    const isFirst = this.#unresolved.size === 0;
    this.#unresolved.add(key);
    if (!isFirst) return;
    this.#context.after(untilNextLook(podListMs, this.#listedAt, this.#context.now), () => {
      this.#listedAt = this.#context.now;
      const keys = [...this.#unresolved];
      this.#unresolved.clear();
      for (const podKey of keys) {
        const pod = this.#context.informer("Pod").get(podKey);
        if (pod !== undefined) this.#podChanged(pod);
      }
    });
  }

  /**
   * Upstream: CreateVolumeSpec. Returns undefined if the volume can never need an attach, "unattached" if its driver
   * requires none now, "unresolved" if its claim or PersistentVolume is not ready.
   */
  #resolve(
    pod: Pod,
    podVolume: Volume,
  ): AttachableVolume | "unresolved" | "unattached" | undefined {
    const claimName = claimNameOf(pod, podVolume);
    if (claimName === undefined) {
      const inline = translatedInlineVolume(pod, podVolume);
      if (inline === undefined) return attachableInlineVolume(podVolume);
      const attachable = this.#attachable(inline);
      return attachable === undefined ? "unattached" : { ...attachable, inlineSpec: inline.spec };
    }
    const key = makeKey(pod.metadata.namespace, claimName);
    const claim = this.#context.informer("PersistentVolumeClaim").get(key);
    if (claim === undefined || claim.status?.phase !== "Bound") return "unresolved";
    if (podVolume.ephemeral !== undefined && !isClaimForPod(claim, pod)) return "unresolved";
    const volumeName = claim.spec.volumeName ?? "";
    const volume = this.#context.informer("PersistentVolume").get(volumeName);
    if (volume === undefined || volume.spec.claimRef?.uid !== claim.metadata.uid) {
      return "unresolved";
    }
    return this.#attachable(volume) ?? "unattached";
  }

  /** Undefined while the volume's driver requires no attach. */
  #attachable(volume: PersistentVolume): AttachableVolume | undefined {
    return attachableVolume(volume, (driver) => this.#context.informer("CSIDriver").get(driver));
  }

  /** Upstream verifies all records once a minute; only those whose attachment has changed can differ. */
  #attachmentChanged(attachment: Attachment): void {
    const place = this.#attachments.get(attachment.metadata.name);
    if (place === undefined || this.#actual.get(...place)?.isConfirmed !== true) return;
    const isFirst = this.#unverified.size === 0;
    this.#unverified.set(attachment.metadata.name, place);
    if (!isFirst) return;
    this.#context.after(verifyMs / 2, () => this.#context.go(this.#verify()));
  }

  *#verify(): Task {
    const names = [...this.#unverified];
    this.#unverified.clear();
    for (const [name, [volume, node]] of names) {
      if (this.#actual.get(volume, node)?.isConfirmed !== true) continue;
      const known = this.#context.informer("VolumeAttachment").get(name);
      const live =
        known === undefined ? yield* getLive("VolumeAttachment", undefined, name) : undefined;
      const attachment = known ?? (live?.ok === true ? live.object : undefined);
      if (attachment?.status?.attached === true) continue;
      this.#actual.markDetached(volume, node);
      this.#reconciler.wakeVolume(volume);
      this.#reconciler.wake(volume, node);
    }
  }
}

/** True if the status changed other than in volumesAttached, which this controller writes itself. */
function isSentByKubelet(before: Node, after: Node): boolean {
  const { volumesAttached: _, ...said } = before.status ?? {};
  const { volumesAttached: __, ...says } = after.status ?? {};
  return before.status !== after.status && !deepEqual(said, says);
}
