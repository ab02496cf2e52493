/**
 * Attaches and detaches until the actual state is the desired one: ten passes a second while anything is pending.
 * Upstream: pkg/controller/volume/attachdetach/reconciler/reconciler.go v1.36 with pkg/volume/util/operationexecutor.
 * Not modeled: --disable-force-detach-on-timeout, --disable-attach-detach-reconcile-sync.
 */
import { compareText } from "../../api/go/text-order.ts";
import { withFields } from "../../api/json.ts";
import { makeRef } from "../../api/meta.ts";
import type { AttachedVolume } from "../../api/types.ts";
import { isNodeReady, isOutOfService } from "../../matching/node-state.ts";
import type { ComponentContext } from "../../runtime/component.ts";
import { event, getLive, isNotFound, patch, type Task } from "../../runtime/effects.ts";
import type { Instant } from "../../trace/instant.ts";
import { marksAttachedByName } from "../../version-differences.ts";
import {
  type AttachableVolume,
  csiOfUniqueName,
  isAttachRequired,
} from "../../volume/attachable-volume.ts";
import { type OperationKey, PendingOperations } from "../../volume/pending-operations.ts";
import { attachmentName } from "../../volume/volume-names.ts";
import type { ActualState, AttachedRecord } from "./actual-state.ts";
import { attachCsi, detachCsi } from "./csi-attacher.ts";
import type { DesiredPod, DesiredState, DesiredVolume } from "./desired-state.ts";
import { multiAttachMessage } from "./multi-attach.ts";

const periodMs = 100;
/** How long a volume may stay mounted on a node that is not ready and has no pod for it, before it is detached by force. */
const waitForUnmountMs = 360_000;
/** How often a kubelet repeats an unchanged status, unless its machine sets a period. Upstream: nodeStatusReportFrequency. */
const heartbeatMs = 300_000;

export class Reconciler {
  readonly #context: ComponentContext;
  readonly #desired: DesiredState;
  readonly #actual: ActualState;
  readonly #operations: PendingOperations;
  #lastPassAt: Instant = Number.NEGATIVE_INFINITY;
  /** Volume and node of the attachments that the next pass looks at. */
  #pending = new Map<string, readonly [volume: string, node: string]>();
  #isArmed = false;
  /** When each node last sent its status. */
  readonly #heardAt = new Map<string, Instant>();
  /** By volume: the node where its attach, or its detach, failed last. */
  readonly #attachFailed = new Map<string, string>();
  readonly #detachFailed = new Map<string, string>();

  constructor(context: ComponentContext, desired: DesiredState, actual: ActualState) {
    this.#context = context;
    this.#desired = desired;
    this.#actual = actual;
    this.#operations = new PendingOperations(() => context.now);
  }

  /** The node has sent its status, so the next one is due a period later. A restart of this controller counts as a status. */
  heard(node: string): void {
    this.#heardAt.set(node, this.#context.now);
  }

  wake(volume: string, node: string): void {
    this.#pending.set(`${volume}\n${node}`, [volume, node]);
    this.#arm();
  }

  /** Wakes the volume on all nodes: a change on one may unblock another that waits for it. */
  wakeVolume(volume: string): void {
    for (const node of this.#desired.nodesOf(volume)) this.wake(volume, node);
    for (const node of this.#actual.nodesOf(volume)) this.wake(volume, node);
  }

  #wakeAt(at: Instant, volume: string, node: string): void {
    this.#context.after(Math.max(0, at - this.#context.now), () => this.wake(volume, node));
  }

  /**
   * Upstream runs ten passes a second, always. The engine runs them only while something is pending; the first one half a
   * period after the change, which is when upstream's loop gets to it on average.
   */
  #arm(): void {
    if (this.#isArmed) return;
    this.#isArmed = true;
    const sinceLast = this.#context.now - this.#lastPassAt;
    this.#context.after(Math.max(periodMs / 2, periodMs - sinceLast), () =>
      this.#context.go(this.#pass(), () => {
        this.#lastPassAt = this.#context.now;
        this.#isArmed = false;
        if (this.#pending.size > 0 || this.#actual.hasUnsaved) this.#arm();
      }),
    );
  }

  *#pass(): Task {
    const due = [...this.#pending.values()].sort(
      ([a, x], [b, y]) => compareText(a, b) || compareText(x, y),
    );
    this.#pending = new Map();
    for (const [volume, node] of inTurn(due, this.#detachFailed))
      yield* this.#detachIfUnwanted(volume, node);
    for (const [volume, node] of inTurn(due, this.#attachFailed))
      yield* this.#attachIfWanted(volume, node);
    for (const node of [...this.#actual.takeUnsaved()].sort(compareText)) {
      if (!(yield* this.#saveStatus(node))) this.#actual.markUnsaved(node);
    }
  }

  /** A volume that several nodes may have gets one operation per node; any other volume one operation in all. */
  #key(volume: string, node: string, spec: AttachableVolume | undefined): OperationKey {
    const isShared = spec === undefined || spec.isMultiAttachAllowed;
    return { volume, pod: "", node: isShared ? node : "" };
  }

  *#detachIfUnwanted(volume: string, node: string): Task {
    const record = this.#actual.get(volume, node);
    if (record === undefined || this.#desired.get(volume, node) !== undefined) return;
    const key = this.#key(volume, node, record.volume);
    if (!this.#operations.isSafeToRetry(key, "volume_detach")) {
      const at = this.#operations.retryAt(key, "volume_detach");
      if (at !== undefined) this.#wakeAt(at, volume, node);
      return;
    }
    const now = this.#context.now;
    if (record.detachRequestedAt === undefined) {
      record.detachRequestedAt = now;
      this.#wakeAt(now + waitForUnmountMs + 1, volume, node);
    }
    const isExpired = now - record.detachRequestedAt > waitForUnmountMs;
    const isNodeOff = isOutOfService(this.#context.informer("Node").get(node));
    const isForced = isNodeOff || (isExpired && !this.#isReady(node));
    if (record.isMounted && !isForced) {
      this.#noteWait(volume, node, record.detachRequestedAt);
      this.#listen(volume, node, record);
      return;
    }
    this.#actual.unreport(volume, node);
    if (!(yield* this.#saveStatus(node))) {
      this.#actual.report(volume, node);
      this.wake(volume, node);
      return;
    }
    if (!this.#operations.begin(key, "volume_detach")) {
      this.#actual.report(volume, node);
      this.wake(volume, node);
      return;
    }
    const task = this.#detach(volume, node, record, !(isExpired || isNodeOff));
    this.#context.go(this.#operation(key, volume, task));
  }

  /** Records that an unready node delays the detach. A ready node is waited for without a limit. */
  #noteWait(volume: string, node: string, since: Instant): void {
    const csi = csiOfUniqueName(volume);
    if (csi === undefined || this.#isReady(node)) return;
    const name = attachmentName(csi.handle, csi.driver, node);
    this.#context.decide(makeRef("VolumeAttachment", undefined, name), {
      reason: "WaitForUnmount",
      because: [makeRef("Node", undefined, node)],
      text: "the node is not ready, so the volume counts as mounted there until it is force-detached",
      due: since + waitForUnmountMs + 1,
    });
  }

  /**
   * A volume counts as mounted until the node's next status says otherwise, and a kubelet with nothing new to say repeats
   * its status only with the next heartbeat. The engine's kubelets send none, so its effect is scheduled here. Upstream
   * waits like that for volumes that the node has never listed, because an attach failed and the pod was deleted before the
   * kubelet's next status (kubernetes/kubernetes#141385, fixed in 1.38).
   */
  #listen(volume: string, node: string, record: AttachedRecord): void {
    const reportMs = this.#context.machine(node)?.profile.statusUpdateMs ?? heartbeatMs;
    const sinceHeardMs = this.#context.now - (this.#heardAt.get(node) ?? this.#context.now);
    const delayMs = reportMs - (sinceHeardMs % reportMs);
    const isInUse = (): boolean =>
      this.#context.informer("Node").get(node)?.status?.volumesInUse?.includes(volume) === true;
    const csi = csiOfUniqueName(volume);
    if (csi !== undefined && this.#isReady(node) && !isInUse()) {
      const name = attachmentName(csi.handle, csi.driver, node);
      this.#context.decide(makeRef("VolumeAttachment", undefined, name), {
        reason: "WaitForNodeStatus",
        because: [makeRef("Node", undefined, node)],
        text: "the volume counts as mounted there until the node next reports its status",
        due: this.#context.now + delayMs,
      });
    }
    this.#context.after(delayMs, () => {
      if (!this.#isReady(node) || isInUse()) return;
      record.isMounted = false;
      this.wake(volume, node);
    });
  }

  *#operation(key: OperationKey, volume: string, task: Task<boolean>): Task {
    const ok = yield* task;
    this.#operations.end(key, ok);
    this.wakeVolume(volume);
  }

  *#detach(
    volume: string,
    node: string,
    record: AttachedRecord,
    isVerified: boolean,
  ): Task<boolean> {
    const error =
      (isVerified ? yield* this.#stillInUse(volume, node) : undefined) ??
      (yield* this.#detachPlugin(volume, node));
    if (error !== undefined) {
      this.#actual.markUncertain(volume, node, record.volume);
      this.#detachFailed.set(volume, node);
      this.#context.decide(makeRef("Node", undefined, node), {
        reason: "DetachFailed",
        text: `${volume}: ${error}`,
      });
      return false;
    }
    this.#actual.markDetached(volume, node);
    this.#detachFailed.delete(volume);
    return true;
  }

  /** Returns why not to detach. Reads the live node, since the cache may not show a mount that has just begun. */
  *#stillInUse(volume: string, node: string): Task<string | undefined> {
    const live = yield* getLive("Node", undefined, node);
    if (!live.ok) return isNotFound(live.error) ? undefined : live.error.message;
    if (live.object.status?.volumesInUse?.includes(volume) !== true) return undefined;
    return "volume is still in use by node, according to Node status";
  }

  *#detachPlugin(volume: string, node: string): Task<string | undefined> {
    const csi = csiOfUniqueName(volume);
    return csi === undefined ? undefined : yield* detachCsi(this.#context, csi, node);
  }

  *#attachIfWanted(volume: string, node: string): Task {
    const wanted = this.#desired.get(volume, node);
    if (wanted === undefined) return;
    const key = this.#key(volume, node, wanted.volume);
    if (this.#operations.isPending(key)) return;
    const record = this.#actual.get(volume, node);
    if (record?.isConfirmed === true) {
      record.detachRequestedAt = undefined;
      return;
    }
    if (!wanted.volume.isMultiAttachAllowed) {
      const holders = this.#actual.confirmedNodesOf(volume);
      if (holders.length > 0) {
        yield* this.#reportConflict(wanted, node, holders);
        return;
      }
    }
    if (!this.#operations.begin(key, "volume_attach")) {
      const at = this.#operations.retryAt(key, "volume_attach");
      if (at !== undefined) this.#wakeAt(at, volume, node);
      return;
    }
    const task = this.#attach(wanted.volume, node, [...wanted.pods.values()]);
    this.#context.go(this.#operation(key, volume, task));
  }

  *#attach(volume: AttachableVolume, node: string, pods: readonly DesiredPod[]): Task<boolean> {
    const { csi, name, specName } = volume;
    if (!this.#isStillAttachable(volume)) {
      const failed = `AttachVolume.FindAttachablePluginBySpec failed for volume "${specName}" `;
      yield* this.#reportFailure(volume, node, pods, failed);
      return false;
    }
    const error =
      csi === undefined ? undefined : yield* attachCsi(this.#context, volume, csi, node);
    if (error !== undefined) {
      this.#actual.markUncertain(name, node, volume);
      if (!volume.isMultiAttachAllowed) this.#attachFailed.set(name, node);
      const text = `AttachVolume.Attach failed for volume "${specName}" : ${error}`;
      yield* this.#reportFailure(volume, node, pods, text);
      return false;
    }
    const text = `AttachVolume.Attach succeeded for volume "${specName}" `;
    for (const pod of pods) yield* event(pod.ref, "Normal", "SuccessfulAttachVolume", text);
    this.#attachFailed.delete(name);
    if (!marksAttachedByName(this.#context.version) && !this.#isStillAttachable(volume)) {
      const why = `failed to get AttachablePlugin from volumeSpec for volume "${specName}" err=plugin do not support attachment`;
      const failed = `AttachVolume.MarkVolumeAsAttached failed for volume "${specName}" : ${why}`;
      yield* this.#reportFailure(volume, node, pods, failed);
      return false;
    }
    this.#actual.markAttached(name, node, volume);
    return true;
  }

  #isStillAttachable({ csi }: AttachableVolume): boolean {
    return (
      csi === undefined || isAttachRequired(this.#context.informer("CSIDriver").get(csi.driver))
    );
  }

  *#reportFailure(
    { specName }: AttachableVolume,
    node: string,
    pods: readonly DesiredPod[],
    text: string,
  ): Task {
    for (const pod of pods) {
      this.#context.decide(pod.ref, {
        reason: "FailedAttachVolume",
        because: [
          makeRef("PersistentVolume", undefined, specName),
          makeRef("Node", undefined, node),
        ],
        text,
      });
      yield* event(pod.ref, "Warning", "FailedAttachVolume", text);
    }
  }

  /** Reports only once each time the volume becomes desired on the node. */
  *#reportConflict(wanted: DesiredVolume, node: string, holders: readonly string[]): Task {
    if (wanted.isConflictReported) return;
    wanted.isConflictReported = true;
    const { name, specName } = wanted.volume;
    const others = holders
      .filter((holder) => holder !== node)
      .flatMap((holder) => [...(this.#desired.get(name, holder)?.pods.values() ?? [])]);
    for (const pod of wanted.pods.values()) {
      const text = multiAttachMessage(specName, pod, others);
      this.#context.decide(pod.ref, {
        reason: "FailedAttachVolume",
        because: [
          ...others.map((other) => other.ref),
          ...holders.map((holder) => makeRef("Node", undefined, holder)),
        ],
        text,
      });
      yield* event(pod.ref, "Warning", "FailedAttachVolume", text);
    }
  }

  /** Upstream: statusupdater/node_status_updater.go. Returns true if the status is written, or the node is gone. */
  *#saveStatus(node: string): Task<boolean> {
    const volumesAttached = this.#actual.reportedOn(node);
    const patched = yield* patch(
      "Node",
      undefined,
      node,
      (current) => {
        const { volumesAttached: known = [], ...status } = current.status ?? {};
        // Upstream writes them in random order, so the order alone is no reason to write.
        const isReported = ({ name }: AttachedVolume): boolean =>
          volumesAttached.some((volume) => volume.name === name);
        const isSame = known.length === volumesAttached.length && known.every(isReported);
        if (isSame) return current;
        return {
          ...current,
          status: volumesAttached.length > 0 ? withFields(status, { volumesAttached }) : status,
        };
      },
      "status",
    );
    return patched.ok || isNotFound(patched.error);
  }

  #isReady(node: string): boolean {
    return isNodeReady(this.#context.informer("Node").get(node));
  }
}

type Due = readonly (readonly [volume: string, node: string])[];

/**
 * Sorts by volume, and puts the node whose operation failed last after the volume's other nodes: they share one back-off, so
 * it would otherwise keep them from ever being tried. Upstream: GetVolumesToAttach of desired_state_of_world.go and
 * GetAttachedVolumes of actual_state_of_world.go iterate over Go maps, whose order is random.
 */
function inTurn(due: Due, failed: ReadonlyMap<string, string>): Due {
  if (failed.size === 0) return due;
  const hasFailed = ([volume, node]: Due[number]): number => Number(failed.get(volume) === node);
  return [...due].sort(
    (one, other) => compareText(one[0], other[0]) || hasFailed(one) - hasFailed(other),
  );
}
