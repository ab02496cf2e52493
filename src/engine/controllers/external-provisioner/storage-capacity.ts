/**
 * Publishes a driver's capacity in each topology segment, for each class with WaitForFirstConsumer.
 * Upstream: external-provisioner v6.3 pkg/capacity/capacity.go with pkg/capacity/topology/nodes.go.
 * Not modeled: --capacity-for-immediate-binding, owner references, the separate client's rate limit of one write a second.
 */
import { compareText } from "../../api/go/text-order.ts";
import type { Draft, KubeObject } from "../../api/meta.ts";
import { bytesText, compareQuantityTexts } from "../../api/quantity.ts";
import type { CSINode } from "../../api/types.ts";
import type { RoomChange } from "../../csi/backend.ts";
import { type ControllerConnection, provisionerBackoff } from "../../csi/sidecar.ts";
import type { ComponentContext } from "../../runtime/component.ts";
import { create, remove, type Task, update } from "../../runtime/effects.ts";
import { done, type Reconcile, retry } from "../../runtime/outcome.ts";
import type { WorkQueue } from "../../runtime/work-queue.ts";
import type { Instant } from "../../trace/instant.ts";
import { callTimeoutMs } from "./provision.ts";

/** --capacity-poll-interval. */
const pollMs = 60_000;
/** Namespace of the sidecar's pod. */
const namespace = "kube-system";
const driverLabel = "csi.storage.k8s.io/drivername";
const managerLabel = "csi.storage.k8s.io/managed-by";
const manager = "external-provisioner";

type Segment = Readonly<Record<string, string>>;
type Capacity = KubeObject<"CSIStorageCapacity">;
type Node = KubeObject<"Node">;

export function publishStorageCapacity(
  context: ComponentContext,
  connection: ControllerConnection,
): void {
  new CapacityPublisher(context, connection).run();
}

class CapacityPublisher {
  readonly #context: ComponentContext;
  readonly #connection: ControllerConnection;
  readonly #queue: WorkQueue;
  readonly #startedAt: Instant;
  #isDue = false;
  #isPollDue = false;
  /** By text, which is part of the queue's keys. */
  #knownSegments: ReadonlyMap<string, Segment> = new Map();
  /** True if the segments may have changed; capacity changes far more often. */
  #nodesChanged = true;
  /** The capacity last written, by the queue's keys. */
  readonly #written = new Map<string, string>();

  constructor(context: ComponentContext, connection: ControllerConnection) {
    this.#context = context;
    this.#connection = connection;
    this.#startedAt = context.now;
    this.#queue = context.queue({
      workers: 10,
      ...provisionerBackoff(this.#connection.driver),
      sync: (key) => this.#sync(key),
    });
  }

  run(): void {
    const context = this.#context;
    const all = (): void => {
      this.#nodesChanged = true;
      this.#refreshSoon();
    };
    const csiNodes = context.informer("CSINode");
    const differs = (before: CSINode, after: CSINode): boolean =>
      this.#keys(before)?.join() !== this.#keys(after)?.join();
    csiNodes.on({
      add: all,
      update: (before, after) => {
        if (differs(before, after)) all();
      },
      delete: all,
    });
    context.informer("Node").on({
      add: all,
      update: (before, after) => {
        if (this.#placesDiffer(before, after)) all();
      },
      delete: all,
    });
    const classChanged = (storageClass: KubeObject<"StorageClass">): void => {
      if (storageClass.provisioner === this.#connection.driver.name) this.#refreshSoon();
    };
    context.informer("StorageClass").on({ add: classChanged, delete: classChanged });
    this.#watchCapacities();
    this.#watchRoom();
  }

  /** Undoes changes by others; a changed amount only at the next poll. Upstream: onCAddOrUpdate, onCDelete, pollCapacities. */
  #watchCapacities(): void {
    const capacities = this.#context.informer("CSIStorageCapacity");
    capacities.index("capacityOf", (c) => [capacityKey(c)]);
    const look = (capacity: Capacity): void => {
      if (this.#isOwn(capacity)) this.#queue.add(capacityKey(capacity));
    };
    const isWritten = (capacity: Capacity): boolean =>
      this.#written.get(capacityKey(capacity)) === capacity.capacity;
    capacities.on({
      add: (capacity) => {
        const isOnly = capacities.byIndex("capacityOf", capacityKey(capacity)).length === 1;
        if (!isOnly || !isWritten(capacity)) look(capacity);
      },
      update: (before, after) => {
        if (!this.#isOwn(after)) look(before);
        else if (!isWritten(after)) this.#refreshAtPoll();
      },
      delete: look,
    });
  }

  /** The driver's topology keys; undefined if it is not on the node. */
  #keys(csiNode: CSINode): readonly string[] | undefined {
    const driver = csiNode.spec.drivers.find((d) => d.name === this.#connection.driver.name);
    return driver === undefined ? undefined : (driver.topologyKeys ?? []);
  }

  #placesDiffer({ metadata: before }: Node, { metadata: after }: Node): boolean {
    if (before.labels === after.labels) return false;
    const csiNode = this.#context.informer("CSINode").get(after.name);
    const keys = (csiNode && this.#keys(csiNode)) ?? [];
    return keys.some((key) => before.labels?.[key] !== after.labels?.[key]);
  }

  /**
   * Upstream calls GetCapacity once a minute and after it has created or deleted a volume. Here calls are left out while the
   * answer cannot have changed. Upstream: capacity/provision.go.
   */
  #watchRoom(): void {
    const { name } = this.#connection.driver;
    this.#context.drivers.whenRoomChanges(name, (change) =>
      this.#context.after(0, () => {
        if (this.#seesAtOnce(change)) this.#refreshSoon();
        this.#refreshAtPoll();
        this.#watchRoom();
      }),
    );
  }

  /** The provisioner sees creations at once, deletions only if volumes have a topology, and expansions not at all. */
  #seesAtOnce(change: RoomChange): boolean {
    if (change === "deletion")
      return [...this.#segments().values()].some((s) => Object.keys(s).length > 0);
    return change === "creation";
  }

  /** Combines changes at the same time, as at the start, into one refresh. */
  #refreshSoon(): void {
    if (this.#isDue) return;
    this.#isDue = true;
    this.#context.after(1, () => {
      this.#isDue = false;
      this.#refresh();
    });
  }

  #refreshAtPoll(): void {
    if (this.#isPollDue) return;
    this.#isPollDue = true;
    this.#context.after(pollMs - ((this.#context.now - this.#startedAt) % pollMs), () => {
      this.#isPollDue = false;
      this.#refresh();
    });
  }

  #refresh(): void {
    const keys = new Set(
      this.#context
        .informer("CSIStorageCapacity")
        .list(namespace)
        .filter((c) => this.#isOwn(c))
        .map(capacityKey),
    );
    for (const storageClass of this.#context.informer("StorageClass").list()) {
      if (!this.#isPublished(storageClass)) continue;
      for (const text of this.#segments().keys())
        keys.add(`${storageClass.metadata.name}\n${text}`);
    }
    for (const key of [...keys].sort(compareText)) this.#queue.add(key);
  }

  #isPublished({ provisioner, volumeBindingMode }: KubeObject<"StorageClass">): boolean {
    return (
      provisioner === this.#connection.driver.name && volumeBindingMode === "WaitForFirstConsumer"
    );
  }

  /** False for objects that somebody else manages, for example by hand; they are left alone. */
  #isOwn({ metadata }: Capacity): boolean {
    return (
      metadata.namespace === namespace &&
      metadata.labels?.[driverLabel] === this.#connection.driver.name &&
      metadata.labels[managerLabel] === manager
    );
  }

  /** Complete from the start on, so what was published before a restart is not withdrawn. */
  #segments(): ReadonlyMap<string, Segment> {
    if (this.#nodesChanged)
      this.#knownSegments = new Map(this.#currentSegments().map((s) => [segmentText(s), s]));
    this.#nodesChanged = false;
    return this.#knownSegments;
  }

  #currentSegments(): readonly Segment[] {
    const nodes = this.#context.informer("Node");
    const segments: Segment[] = [];
    for (const csiNode of this.#context.informer("CSINode").list()) {
      const keys = this.#keys(csiNode);
      const node = nodes.get(csiNode.metadata.name);
      if (keys === undefined || node === undefined) continue;
      const { labels = {} } = node.metadata;
      if (keys.some((key) => labels[key] === undefined)) continue;
      segments.push(Object.fromEntries(keys.map((key) => [key, labels[key] ?? ""])));
    }
    return segments;
  }

  *#sync(key: string): Reconcile {
    const [className = "", text = ""] = key.split("\n");
    const storageClass = this.#context.informer("StorageClass").get(className);
    const segment = this.#segments().get(text);
    const published = this.#context
      .informer("CSIStorageCapacity")
      .byIndex("capacityOf", key)
      .filter((c) => this.#isOwn(c));
    if (storageClass === undefined || segment === undefined || !this.#isPublished(storageClass)) {
      this.#written.delete(key);
      return yield* this.#withdraw(published);
    }
    const request = {
      ...(storageClass.parameters !== undefined && { parameters: storageClass.parameters }),
      ...(Object.keys(segment).length > 0 && { accessible_topology: { segments: segment } }),
    };
    const result = yield* this.#connection.call(
      "GetCapacity",
      request,
      callTimeoutMs(this.#connection),
    );
    if (result.code !== "OK") return retry(result.message);
    const bytes = BigInt(String(result.response["available_capacity"] ?? "0"));
    const capacity = bytesText(bytes);
    const [current, ...surplus] = published;
    const rest = yield* this.#withdraw(surplus);
    if (rest.type === "retry") return rest;
    this.#written.set(key, capacity);
    if (current === undefined) return yield* this.#create(className, segment, capacity);
    const { maximumVolumeSize, ...unbounded } = current;
    const isEqual = compareQuantityTexts(current.capacity, capacity) === 0;
    if (isEqual && maximumVolumeSize === undefined) return done("Unchanged");
    const updated = yield* update<"CSIStorageCapacity">({ ...unbounded, capacity });
    return updated.ok ? done("Published") : retry(updated.error.message);
  }

  *#create(storageClassName: string, segment: Segment, capacity: string): Reconcile {
    const draft: Draft<"CSIStorageCapacity"> = {
      apiVersion: "storage.k8s.io/v1",
      kind: "CSIStorageCapacity",
      metadata: {
        generateName: "csisc-",
        namespace,
        labels: {
          [driverLabel]: this.#connection.driver.name,
          [managerLabel]: manager,
        },
      },
      storageClassName,
      nodeTopology: Object.keys(segment).length > 0 ? { matchLabels: segment } : {},
      capacity,
    };
    const created = yield* create(draft);
    return created.ok ? done("Published") : retry(created.error.message);
  }

  *#withdraw(capacities: readonly Capacity[]): Reconcile {
    for (const { metadata } of capacities) {
      const error = yield* this.#remove(metadata.name);
      if (error !== undefined) return retry(error);
    }
    return done("Withdrawn");
  }

  *#remove(name: string): Task<string | undefined> {
    const removed = yield* remove("CSIStorageCapacity", namespace, name);
    return removed.ok || removed.error.reason === "NotFound" ? undefined : removed.error.message;
  }
}

function segmentText(segment: Segment): string {
  const keys = Object.keys(segment).sort(compareText);
  return keys.map((key) => `${key}=${segment[key] ?? ""}`).join(",");
}

/** Cached for each version, since every refresh needs the keys of all objects. */
const keysOfCapacities = new WeakMap<Capacity, string>();

function capacityKey(capacity: Capacity): string {
  let key = keysOfCapacities.get(capacity);
  if (key === undefined) {
    const segment = segmentText(capacity.nodeTopology?.matchLabels ?? {});
    key = `${capacity.storageClassName}\n${segment}`;
    keysOfCapacities.set(capacity, key);
  }
  return key;
}
