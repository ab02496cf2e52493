/**
 * Fills a driver's storage with what it holds when the simulation begins: the volumes and snapshots in the cluster's objects,
 * published where they are attached. Upstream: none; real storage outlives its cluster.
 */
import type { KubeObject } from "../api/meta.ts";
import { quantityBytes } from "../api/quantity.ts";
import type { PersistentVolume } from "../api/types.ts";
import { annotation, annotationOf } from "../matching/annotations.ts";
import { resizeCondition, resizeStatus } from "../matching/resize-conditions.ts";
import { translatedVolume } from "../volume/csi-translation.ts";
import type { Backend, Publication, StoredVolume } from "./backend.ts";
import { nodeIdOf, topologyKeysOf } from "./driver-capabilities.ts";
import { refuse } from "./rpc.ts";
import { accessType, isSingleNode, modeName, volumeCapabilityOf } from "./volume-capability.ts";

export function addExistingVolumes(backend: Backend, objects: readonly KubeObject[]): void {
  const handles = new Map<string, string>();
  const volumes = new Map<string, PersistentVolume>();
  for (const object of objects) {
    if (object.kind !== "PersistentVolume") continue;
    const volume = translatedVolume(object);
    const { csi } = volume.spec;
    if (csi?.driver !== backend.profile.name) continue;
    handles.set(object.metadata.name, csi.volumeHandle);
    volumes.set(csi.volumeHandle, volume);
  }
  const refused = refusedGrowth(objects);
  for (const [handle, volume] of volumes)
    addVolume(backend, handle, volume, refused.get(volume.metadata.name));
  for (const object of objects) {
    if (object.kind === "VolumeAttachment") publish(backend, object, handles, volumes);
    else if (object.kind === "VolumeSnapshotContent") addSnapshot(backend, object);
  }
}

/** The expansions that the resizer has recorded in a claim as infeasible, by the name of its volume. */
function refusedGrowth(
  objects: readonly KubeObject[],
): ReadonlyMap<string, StoredVolume["refusedGrowth"]> {
  const refused = new Map<string, StoredVolume["refusedGrowth"]>();
  for (const claim of objects) {
    if (claim.kind !== "PersistentVolumeClaim") continue;
    const { allocatedResources, allocatedResourceStatuses, conditions = [] } = claim.status ?? {};
    if (allocatedResourceStatuses?.["storage"] !== resizeStatus.controllerInfeasible) continue;
    const noted = conditions.find(({ type }) => type === resizeCondition.controllerError)?.message;
    const [, code = "InvalidArgument", text = "the driver has refused to grow the volume"] =
      /code = (\w+) desc = (.*)$/s.exec(noted ?? "") ?? [];
    refused.set(claim.spec.volumeName ?? "", {
      size: quantityBytes(allocatedResources?.["storage"]),
      refusal: refuse(code, text),
    });
  }
  return refused;
}

function addVolume(
  backend: Backend,
  id: string,
  volume: PersistentVolume,
  refused: StoredVolume["refusedGrowth"],
): void {
  const { capacity, volumeMode, csi } = volume.spec;
  backend.addVolume({
    id,
    isStatic: annotationOf(volume, annotation.provisionedBy) === undefined,
    size: quantityBytes(capacity?.["storage"]),
    segments: segmentsOf(backend, volume),
    mode: volumeMode === "Block" ? "Block" : "Filesystem",
    source: undefined,
    parameters: csi?.volumeAttributes ?? {},
    mutableParameters: {},
    refusedGrowth: refused,
    published: new Map(),
  });
}

/** The segments that the volume's node affinity names. */
function segmentsOf(backend: Backend, { spec }: PersistentVolume): readonly string[] {
  const keys = topologyKeysOf(backend.profile);
  const named = new Set<string>();
  for (const { matchExpressions = [] } of spec.nodeAffinity?.required?.nodeSelectorTerms ?? [])
    for (const { key, operator, values = [] } of matchExpressions)
      if (keys.includes(key) && operator === "In") for (const value of values) named.add(value);
  return backend.segments().filter((segment) => named.has(segment));
}

function publish(
  backend: Backend,
  { spec, status }: KubeObject<"VolumeAttachment">,
  handles: ReadonlyMap<string, string>,
  volumes: ReadonlyMap<string, PersistentVolume>,
): void {
  const { profile } = backend;
  if (spec.attacher !== profile.name || status?.attached !== true) return;
  const { persistentVolumeName = "", inlineVolumeSpec } = spec.source;
  const handle = handles.get(persistentVolumeName) ?? inlineVolumeSpec?.csi?.volumeHandle;
  const known = backend.volume(handle);
  if (!("published" in known)) return;
  const publication = publicationOf(backend, volumes.get(known.id)?.spec ?? inlineVolumeSpec);
  for (const [nodeId, node] of backend.nodes)
    if (node.name === spec.nodeName && nodeId === nodeIdOf(profile.name, node))
      known.published.set(nodeId, publication);
}

/** The publication as the attacher requested it. */
function publicationOf(
  { profile }: Backend,
  spec: PersistentVolume["spec"] | undefined,
): Publication {
  const csi = spec?.csi;
  const capability =
    spec === undefined || csi === undefined
      ? { error: "" }
      : volumeCapabilityOf(spec, csi, profile.singleNodeMultiWriter);
  const readonly = csi?.readOnly === true && profile.publishReadonly;
  if ("error" in capability)
    return { readonly, mode: "UNKNOWN", type: "Filesystem", singleNode: false };
  return {
    readonly,
    mode: modeName(capability),
    type: accessType(capability),
    singleNode: isSingleNode(capability),
  };
}

function addSnapshot(backend: Backend, content: KubeObject<"VolumeSnapshotContent">): void {
  const { spec, status } = content;
  const id = status?.snapshotHandle;
  if (spec.driver !== backend.profile.name || id === undefined) return;
  // A static snapshot is ready, whenever it was taken.
  const isStatic = status?.readyToUse !== false;
  const volume = spec.source.volumeHandle ?? "";
  const size = BigInt(status?.restoreSize ?? 0);
  backend.snapshots.set(id, { id, isStatic, volume, size, createdAt: 0 });
}
