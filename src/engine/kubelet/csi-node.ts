/**
 * Registers CSI node plugins: CSINode, and the driver's labels and id on the Node. Upstream: pkg/volume/csi/csi_plugin.go
 * RegisterPlugin, nodeinfomanager, pkg/kubelet/pluginmanager v1.36. The answer of NodeGetInfo is known, so it is called only if
 * a fault is set for it. Not modeled: node-driver-registrar, which exits on failure and is restarted.
 */
import { goQuote } from "../api/go/text.ts";
import { sortedKeys } from "../api/go/text-order.ts";
import { type Shape, unmarshal } from "../api/go/unmarshal.ts";
import { makeRef } from "../api/meta.ts";
import type { CSIDriver, CSINode, CSINodeDriver, Node } from "../api/types.ts";
import { nodeIdOf, segmentOf, topologyKeysOf } from "../csi/driver-capabilities.ts";
import type { DriverProfile } from "../csi/driver-profile.ts";
import { errorText } from "../csi/rpc.ts";
import type { Machine } from "../node/machine.ts";
import type { ComponentContext } from "../runtime/component.ts";
import { callDriver, create, getLive, patch, sleep, type Task } from "../runtime/effects.ts";
import { done, type Reconcile, retry } from "../runtime/outcome.ts";
import type { WorkQueue } from "../runtime/work-queue.ts";
import { csiCallLimitMs } from "./volumes/csi-call.ts";

const migratedPlugins = [
  "kubernetes.io/aws-ebs",
  "kubernetes.io/azure-disk",
  "kubernetes.io/azure-file",
  "kubernetes.io/cinder",
  "kubernetes.io/gce-pd",
  "kubernetes.io/portworx-volume",
  "kubernetes.io/vsphere-volume",
].join(",");

/** How often the driver's volume limit is read again; undefined if never. */
function limitPeriodMs(driver: CSIDriver | undefined): number | undefined {
  const seconds = driver?.spec.nodeAllocatableUpdatePeriodSeconds;
  return seconds === undefined ? undefined : seconds * 1000;
}

/** The plugin manager's loop, and the first and the longest pause after a failed registration. */
const loopMs = 1000;
const firstPauseMs = 500;
const pauseMsMax = 122_000;

const nodeIdAnnotation = "csi.volume.kubernetes.io/nodeid";
const idsShape: Shape = { type: "map[string]string", values: { type: "string", is: "string" } };

type NodeIds =
  | { readonly ok: true; readonly ids: Readonly<Record<string, string>> }
  | { readonly ok: false; readonly error: string };

/** Parses the annotation with the node's id for each driver. */
function idsOf(text = ""): NodeIds {
  if (text === "") return { ok: true, ids: {} };
  const read = unmarshal(text, idsShape);
  return read.ok ? { ok: true, ids: (read.value ?? {}) as Record<string, string> } : read;
}

export class CsiNodeRegistration {
  readonly #context: ComponentContext;
  readonly #machine: Machine;
  readonly #changed: () => void;
  readonly #registered = new Set<string>();
  readonly #queue: WorkQueue;
  readonly #limits: WorkQueue;

  constructor(context: ComponentContext, machine: Machine, changed: () => void) {
    this.#context = context;
    this.#machine = machine;
    this.#changed = changed;
    const sync = (driver: string): Reconcile => this.#sync(driver);
    this.#queue = context.queue({ sync, baseMs: 10 });
    this.#limits = context.queue({ sync: (driver) => this.#syncEntry(driver), baseMs: 10 });
  }

  isRegistered(driver: string): boolean {
    return this.#registered.has(driver);
  }

  /** Call once the Node exists: creates the CSINode, then follows the node plugins as they come and go. */
  begin(node: Node): void {
    const { drivers } = this.#context;
    this.#context.go(this.#make(node), () => {
      for (const { name } of drivers.profiles) {
        drivers.onDown(name, this.#machine.name, () =>
          this.#context.after(0, () => this.#unregister(name)),
        );
        this.#watch(name);
      }
      this.#watchLimits();
    });
  }

  /** Reads the driver's volume limit again. Upstream: VerifyExhaustedResource. */
  askLimit(driver: string): void {
    this.#limits.add(driver);
  }

  /**
   * Restores the CSINode entries that somebody else changed, for drivers whose CSIDriver sets an update period. Upstream polls
   * at that period, so a change is corrected after half a period on average; here always. Upstream:
   * pkg/volume/csi/csi_node_updater.go runPeriodicUpdate.
   */
  #watchLimits(): void {
    const { name } = this.#machine;
    const drivers = this.#context.informer("CSIDriver");
    const look = (csiNode: CSINode, isThere: boolean): void => {
      if (csiNode.metadata.name !== name) return;
      for (const driver of this.#registered) {
        const periodMs = limitPeriodMs(drivers.get(driver));
        const profile = this.#context.drivers.profile(driver);
        if (periodMs === undefined || profile === undefined) continue;
        if (isThere && this.#isTold(csiNode, profile)) continue;
        this.#limits.addAfter(driver, periodMs / 2);
      }
    };
    this.#context.informer("CSINode").on({
      update: (_, csiNode) => look(csiNode, true),
      delete: (csiNode) => look(csiNode, false),
    });
    drivers.on({
      update: (before, after) => {
        const periodMs = limitPeriodMs(after);
        if (periodMs === undefined || periodMs === limitPeriodMs(before)) return;
        this.#limits.addAfter(after.metadata.name, periodMs);
      },
    });
  }

  #watch(driver: string): void {
    const { drivers } = this.#context;
    drivers.whenUp(driver, this.#machine.name, () => {
      this.#context.after(0, () => {
        const { name } = this.#machine;
        const profile = drivers.profile(driver);
        if (profile === undefined || !drivers.isUp(driver, name)) return;
        this.#context.go(this.#register(profile));
      });
    });
  }

  /** Registers the driver, with retries while its plugin's socket exists. Upstream: RegisterPlugin, plugin manager. */
  *#register(profile: DriverProfile): Task {
    const { drivers } = this.#context;
    const { name } = this.#machine;
    const connection = drivers.connection(profile.name, name);
    const isGone = (): boolean => drivers.connection(profile.name, name) !== connection;
    for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(2 * pauseMs, pauseMsMax)) {
      const error = yield* this.#registrationError(profile);
      if (isGone()) return;
      if (error === undefined) break;
      // Also removes an entry from before the kubelet's restart.
      this.#queue.add(profile.name);
      const about = makeRef("CSINode", undefined, name);
      this.#context.decide(about, {
        reason: "RegistrationFailed",
        text: `${profile.name}: ${error}`,
      });
      yield* sleep((Math.floor(pauseMs / loopMs) + 1) * loopMs);
      if (isGone()) return;
    }
    this.#registered.add(profile.name);
    this.#queue.add(profile.name);
    this.#changed();
  }

  *#registrationError(profile: DriverProfile): Task<string | undefined> {
    const { drivers } = this.#context;
    const { name } = this.#machine;
    const call = "NodeGetInfo";
    if (drivers.isDisturbed(profile.name, name, call)) {
      const result = yield* callDriver(profile.name, name, call, {}, csiCallLimitMs);
      if (result.code !== "OK") return `error during CSI NodeGetInfo() call: ${errorText(result)}`;
    }
    return this.#unreadableIds() ?? this.#labelCollision(profile);
  }

  /** Does not overwrite an unreadable annotation that somebody has written. Upstream: buildNodeIDMapFromAnnotation. */
  #unreadableIds(): string | undefined {
    const node = this.#context.informer("Node").get(this.#machine.name);
    const text = node?.metadata.annotations?.[nodeIdAnnotation];
    const read = idsOf(text);
    if (read.ok) return undefined;
    return `failed to parse node's "${nodeIdAnnotation}" annotation value (${goQuote(text ?? "")}) err=${read.error}`;
  }

  /** Does not overwrite a topology label that has another value. Upstream: updateTopologyLabels. */
  #labelCollision(profile: DriverProfile): string | undefined {
    const { topologyKey: key } = profile;
    const segment = segmentOf(profile, this.#machine.profile);
    const known = this.#context.informer("Node").get(this.#machine.name)?.metadata.labels?.[key];
    if (segment === undefined || known === undefined || known === segment) return undefined;
    return `detected topology value collision: driver reported "${key}":"${segment}" but existing label is "${key}":"${known}"`;
  }

  #unregister(driver: string): void {
    this.#registered.delete(driver);
    this.#queue.add(driver);
    this.#watch(driver);
  }

  *#make(node: Node): Task {
    const { name, uid } = node.metadata;
    yield* create({
      apiVersion: "storage.k8s.io/v1",
      kind: "CSINode",
      metadata: {
        name,
        annotations: { "storage.alpha.kubernetes.io/migrated-plugins": migratedPlugins },
        ownerReferences: [{ apiVersion: "v1", kind: "Node", name, uid }],
      },
      spec: { drivers: [] },
    });
  }

  *#sync(driver: string): Reconcile {
    const profile = this.#context.drivers.profile(driver);
    if (profile === undefined) return done("unknown driver");
    const isUp = this.#registered.has(driver);
    const labelled = yield* patch("Node", undefined, this.#machine.name, (node) =>
      this.#withDriver(node, profile, isUp),
    );
    if (!labelled.ok) return retry(labelled.error.message);
    return yield* this.#syncEntry(driver);
  }

  *#syncEntry(driver: string): Reconcile {
    const profile = this.#context.drivers.profile(driver);
    if (profile === undefined) return done("unknown driver");
    const isUp = this.#registered.has(driver);
    const { name } = this.#machine;
    const written = yield* patch("CSINode", undefined, name, (csiNode) => {
      if (isUp && this.#isTold(csiNode, profile)) return csiNode;
      const others = csiNode.spec.drivers.filter((d) => d.name !== driver);
      const drivers = isUp ? [...others, this.#entry(profile)] : others;
      return { ...csiNode, spec: { ...csiNode.spec, drivers } };
    });
    if (written.ok) return done(isUp ? "registered" : "unregistered");
    if (written.error.reason !== "NotFound") return retry(written.error.message);
    // Upstream: tryUpdateCSINode recreates the CSINode, with this driver only; tryUninstallDriverFromCSINode does not.
    if (!isUp) return done("unregistered");
    const node = yield* getLive("Node", undefined, name);
    if (!node.ok) return retry(node.error.message);
    yield* this.#make(node.object);
    return retry("recreated");
  }

  #isTold({ spec }: CSINode, profile: DriverProfile): boolean {
    const known = spec.drivers.find(({ name }) => name === profile.name);
    return known !== undefined && saysTheSame(known, this.#entry(profile));
  }

  #entry(profile: DriverProfile): CSINodeDriver {
    // A driver without topology has null here, which is how Go writes a nil slice.
    const none = null as unknown as readonly string[];
    const hasSegment = segmentOf(profile, this.#machine.profile) !== undefined;
    // From NodeGetInfo 0 means no limit; in the node's own profile it means that the node takes none.
    const ownLimit = this.#machine.profile.attachLimits?.[profile.name];
    const count = ownLimit ?? profile.maxVolumesPerNode;
    return {
      name: profile.name,
      nodeID: nodeIdOf(profile.name, this.#machine.profile),
      topologyKeys: hasSegment ? topologyKeysOf(profile) : none,
      ...((count > 0 || ownLimit === 0) && { allocatable: { count } }),
    };
  }

  #hasLabels({ metadata: { labels = {} } }: Node, profile: DriverProfile): boolean {
    const hasSegment = segmentOf(profile, this.#machine.profile) !== undefined;
    return !hasSegment || topologyKeysOf(profile).every((key) => labels[key] !== undefined);
  }

  /** The labels stay when the driver goes: volumes may still depend on them. */
  #withDriver(node: Node, profile: DriverProfile, isUp: boolean): Node {
    const { annotations = {}, labels } = node.metadata;
    const read = idsOf(annotations[nodeIdAnnotation]);
    if (!read.ok) return node;
    const ids = { ...read.ids };
    const id = nodeIdOf(profile.name, this.#machine.profile);
    if (isUp && ids[profile.name] === id && this.#hasLabels(node, profile)) return node;
    delete ids[profile.name];
    if (isUp) ids[profile.name] = id;
    const { [nodeIdAnnotation]: _, ...rest } = annotations;
    const names = sortedKeys(ids);
    const known = JSON.stringify(Object.fromEntries(names.map((name) => [name, ids[name]])));
    const segment = segmentOf(profile, this.#machine.profile);
    return {
      ...node,
      metadata: {
        ...node.metadata,
        annotations: names.length > 0 ? { ...rest, [nodeIdAnnotation]: known } : rest,
        labels: {
          ...labels,
          ...(isUp &&
            segment !== undefined &&
            Object.fromEntries(
              topologyKeysOf(profile).map((key) => [key, labels?.[key] ?? segment]),
            )),
        },
      },
    };
  }
}

/** Upstream: installDriverToCSINode, which keeps an equal entry as it is. */
function saysTheSame(a: CSINodeDriver, b: CSINodeDriver): boolean {
  const [keys, others] = [a.topologyKeys ?? [], b.topologyKeys ?? []];
  return (
    a.nodeID === b.nodeID &&
    a.allocatable?.count === b.allocatable?.count &&
    keys.length === others.length &&
    keys.every((key) => others.includes(key))
  );
}
