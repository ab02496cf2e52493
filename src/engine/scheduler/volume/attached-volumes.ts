/**
 * The CSI volumes that a node has through its pods and attachments, for comparison with its limits.
 * Upstream: kube-scheduler v1.36 plugins/nodevolumelimits/csi.go filterAttachableVolumes, getCSIDriverInfo. Upstream collects
 * them anew for each pod and node; here they are kept until something about the node changes.
 */
import { type Key, keyOf, makeKey } from "../../api/meta.ts";
import { effectiveClassName } from "../../api/storage-class-name.ts";
import type {
  CSINode,
  PersistentVolume,
  PersistentVolumeClaim,
  Pod,
  StorageClass,
  Volume,
  VolumeAttachment,
} from "../../api/types.ts";
import { claimKeyOf } from "../../matching/claim-reference.ts";
import { migratedDriver, migratedPluginOf } from "../../matching/csi-migration.ts";
import { claimNameOf } from "../../matching/pod-claims.ts";
import type { ComponentContext } from "../../runtime/component.ts";
import type { Informer } from "../../runtime/informer.ts";
import { translatedInlineVolume, translatedVolume } from "../../volume/csi-translation.ts";
import type { NodeInfo } from "../cache/node-info.ts";
import { isTranslated } from "./in-tree-volumes.ts";
import type { VolumeCaches } from "./volume-caches.ts";

export interface CsiVolumes {
  /** The driver of each volume, by `driver/handle`. */
  readonly volumes: ReadonlyMap<string, string>;
  readonly countByDriver: ReadonlyMap<string, number>;
}

/** How many volumes a node takes, by driver; drivers without a limit are absent. */
export type VolumeLimits = ReadonlyMap<string, number>;

export function limitsOf(csiNode: CSINode): VolumeLimits {
  const limits = new Map<string, number>();
  for (const { name, allocatable } of csiNode.spec.drivers) {
    if (allocatable?.count !== undefined) limits.set(name, allocatable.count);
  }
  return limits;
}

const noLimits: VolumeLimits = new Map();
const noVolumes: CsiVolumes = { volumes: new Map(), countByDriver: new Map() };

/** The collected volumes of a node. Most comparisons with a pod need only its numbers. */
export class AttachingNode {
  limits: VolumeLimits = noLimits;
  /** All attachments to the node, of any driver. */
  attachmentCount = 0;
  /** Volumes of pods that are not part of the run, by driver. */
  readonly #taken: ReadonlyMap<string, number>;
  /** Volumes of the node's pods, as last collected. */
  volumes: CsiVolumes = noVolumes;
  #room = 0;
  #info: NodeInfo | undefined = undefined;
  #generation = 0;

  constructor(taken: Readonly<Record<string, number>>) {
    this.#taken = new Map(Object.entries(taken));
  }

  /** True if nothing has changed since the last collection. */
  isCurrent(info: NodeInfo): boolean {
    return this.#info === info && this.#generation === info.generation;
  }

  collected(info: NodeInfo, volumes: CsiVolumes): void {
    this.volumes = volumes;
    this.#info = info;
    this.#generation = info.generation;
    this.#room = Number.POSITIVE_INFINITY;
    for (const [driver, limit] of this.limits)
      this.#room = Math.min(this.#room, limit - this.countOf(driver));
  }

  /** Does not count attachments without a pod. */
  countOf(driver: string): number {
    return (this.volumes.countByDriver.get(driver) ?? 0) + (this.#taken.get(driver) ?? 0);
  }

  forget(): void {
    this.#info = undefined;
  }

  /** True if every driver has room for `count` more, even if all of them are new to the node. */
  hasRoom(count: number): boolean {
    return count + this.attachmentCount <= this.#room;
  }
}

const byNode = "node name";

export type VolumesAnswer =
  /** `countMax`: the number of volumes of the driver that has most. */
  | ({ readonly ok: true; readonly countMax: number } & CsiVolumes)
  | { readonly ok: false; readonly error: string };

export class AttachedVolumes {
  readonly #context: ComponentContext;
  readonly #caches: VolumeCaches;
  readonly #classOf: (name: string) => StorageClass | undefined;
  readonly #attachments: Informer<"VolumeAttachment">;
  readonly #nodes = new Map<string, AttachingNode>();
  /** The nodes whose collected volumes depend on a claim. */
  readonly #nodesByClaim = new Map<Key, Set<AttachingNode>>();

  constructor(
    context: ComponentContext,
    caches: VolumeCaches,
    classOf: (name: string) => StorageClass | undefined,
  ) {
    this.#context = context;
    this.#caches = caches;
    this.#classOf = classOf;
    this.#attachments = context.informer("VolumeAttachment");
    this.#attachments.index(byNode, (attachment) => [attachment.spec.nodeName]);
    const count = ({ spec: { nodeName } }: VolumeAttachment, by: 1 | -1): void => {
      this.at(nodeName).attachmentCount += by;
    };
    this.#attachments.on({
      add: (attachment) => count(attachment, 1),
      delete: (attachment) => count(attachment, -1),
    });
    const csiNodeChanged = ({ metadata: { name } }: CSINode, is: CSINode | undefined): void => {
      const node = this.at(name);
      node.limits = is === undefined ? noLimits : limitsOf(is);
      node.forget();
    };
    context.informer("CSINode").on({
      add: (csiNode) => csiNodeChanged(csiNode, csiNode),
      update: (_, csiNode) => csiNodeChanged(csiNode, csiNode),
      delete: (csiNode) => csiNodeChanged(csiNode, undefined),
    });
    const claimChanged = (claim: PersistentVolumeClaim): void => this.#forget(keyOf(claim));
    context.informer("PersistentVolumeClaim").on({
      add: claimChanged,
      update: (_, claim) => claimChanged(claim),
      delete: claimChanged,
    });
    const volumeChanged = (volume: PersistentVolume): void => {
      const claim = claimKeyOf(volume);
      if (claim !== undefined) this.#forget(claim);
    };
    context.informer("PersistentVolume").on({
      add: volumeChanged,
      update: (_, volume) => volumeChanged(volume),
      delete: volumeChanged,
    });
  }

  at(name: string): AttachingNode {
    const known = this.#nodes.get(name);
    if (known !== undefined) return known;
    const made = new AttachingNode(this.#context.machine(name)?.profile.volumesTaken ?? {});
    this.#nodes.set(name, made);
    return made;
  }

  /** The volumes of a pod; an error if one of its claims is missing. */
  ofPod(pod: Pod): VolumesAnswer {
    const error = this.missingClaim(pod);
    if (error !== undefined) return { ok: false, error };
    const volumes = new Map<string, string>();
    for (const volume of pod.spec.volumes ?? []) this.#collect(volumes, pod, volume);
    const counts = countByDriver(volumes);
    return { ok: true, volumes, countByDriver: counts, countMax: Math.max(0, ...counts.values()) };
  }

  /** The error for a pod whose claim is missing; undefined if none is. */
  missingClaim(pod: Pod): string | undefined {
    for (const volume of pod.spec.volumes ?? []) {
      const name = claimNameOf(pod, volume);
      if (name === undefined || this.#claimOf(pod, name) !== undefined) continue;
      const key = makeKey(pod.metadata.namespace, name);
      return `looking up PVC ${key}: persistentvolumeclaim "${name}" not found`;
    }
    return undefined;
  }

  /** Collects the volumes of the pods in `info`, which may be imagined, if something has changed. */
  collect(node: AttachingNode, info: NodeInfo): void {
    if (node.isCurrent(info)) return;
    const volumes = new Map<string, string>();
    for (const { pod } of info.pods.values()) {
      for (const volume of pod.spec.volumes ?? []) {
        this.#collect(volumes, pod, volume);
        const name = claimNameOf(pod, volume);
        if (name !== undefined) this.#remember(makeKey(pod.metadata.namespace, name), node);
      }
    }
    node.collected(info, { volumes, countByDriver: countByDriver(volumes) });
  }

  /** How many volumes are attached to the node without a pod that uses them, by driver. */
  attachedBeyond(node: string, { volumes }: CsiVolumes): ReadonlyMap<string, number> {
    const attached = new Map<string, string>();
    for (const { spec } of this.#attachments.byIndex(byNode, node)) {
      const volumeName = spec.source.persistentVolumeName;
      const handle =
        volumeName === undefined
          ? undefined
          : this.#caches.volume(volumeName)?.spec.csi?.volumeHandle;
      const name = `${spec.attacher}/${handle ?? ""}`;
      if (handle !== undefined && !volumes.has(name)) attached.set(name, spec.attacher);
    }
    return countByDriver(attached);
  }

  #claimOf(pod: Pod, name: string): PersistentVolumeClaim | undefined {
    return this.#caches.watchedClaim(makeKey(pod.metadata.namespace, name));
  }

  #collect(into: Map<string, string>, pod: Pod, volume: Volume): void {
    const name = claimNameOf(pod, volume);
    if (name === undefined) {
      addInTree(into, volume, () => translatedInlineVolume(pod, volume));
      return;
    }
    const claim = this.#claimOf(pod, name);
    if (claim === undefined) return;
    const volumeName = claim.spec.volumeName ?? "";
    const bound = volumeName === "" ? undefined : this.#caches.watchedVolume(volumeName);
    if (bound === undefined) this.#addUnbound(into, claim);
    else if (bound.spec.csi === undefined)
      addInTree(into, bound.spec, () => translatedVolume(bound));
    else {
      const { driver, volumeHandle } = bound.spec.csi;
      into.set(`${driver}/${volumeHandle}`, driver);
    }
  }

  /** Counts a volume that is not provisioned yet for the driver of its class. */
  #addUnbound(into: Map<string, string>, claim: PersistentVolumeClaim): void {
    const provisioner = this.#classOf(effectiveClassName(claim))?.provisioner;
    if (provisioner === undefined) return;
    const driver = isTranslated(provisioner) ? migratedDriver(provisioner) : undefined;
    const name = driver ?? provisioner;
    into.set(`${name}/unbound ${keyOf(claim)}`, name);
  }

  #remember(claim: Key, node: AttachingNode): void {
    const nodes = this.#nodesByClaim.get(claim);
    if (nodes === undefined) this.#nodesByClaim.set(claim, new Set([node]));
    else nodes.add(node);
  }

  #forget(claim: Key): void {
    const nodes = this.#nodesByClaim.get(claim);
    if (nodes === undefined) return;
    for (const node of nodes) node.forget();
    this.#nodesByClaim.delete(claim);
  }
}

function countByDriver(volumes: ReadonlyMap<string, string>): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const driver of volumes.values()) counts.set(driver, (counts.get(driver) ?? 0) + 1);
  return counts;
}

/** Counts an in-tree volume as the CSI volume that it is translated to. */
function addInTree(
  into: Map<string, string>,
  source: Parameters<typeof migratedPluginOf>[0],
  translated: () => PersistentVolume | undefined,
): void {
  const plugin = migratedPluginOf(source);
  if (plugin === undefined || !isTranslated(plugin)) return;
  const driver = migratedDriver(plugin);
  const handle = translated()?.spec.csi?.volumeHandle;
  if (handle !== undefined) into.set(`${driver}/${handle}`, driver);
}
