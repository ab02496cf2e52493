/** A driver's Controller service: the answer to each call. ListVolumes is left out: no sidecar of the engine calls it. */
import { compareText } from "../api/go/text-order.ts";
import { quantityBytes } from "../api/quantity.ts";
import type { Instant } from "../trace/instant.ts";
import { sha256 } from "../volume/sha256.ts";
import { type Backend, poolsOf, type StoredVolume } from "./backend.ts";
import { creationRefusal, isNoMultiple } from "./creation-refusal.ts";
import { segmentOf } from "./driver-capabilities.ts";
import type { DriverProfile } from "./driver-profile.ts";
import type { CsiRequest, VolumeCapability, VolumeContentSource } from "./messages.ts";
import { mountRefusal } from "./mount-refusal.ts";
import {
  attributesError,
  changedAttributesError,
  snapshotParameterError,
} from "./parameter-refusal.ts";
import { isMissing, isRefusal, type Refusal, type Reply, refuse, unimplemented } from "./rpc.ts";
import { secretRefusal } from "./secret-refusal.ts";
import { roundDownTo, sizeText } from "./size.ts";
import {
  accessType,
  capabilityError,
  isSingleNode,
  modeName,
  publishError,
} from "./volume-capability.ts";
import { meetsCondition, parametersOf } from "./volume-condition.ts";

export type Handler = (backend: Backend, request: CsiRequest, now: Instant) => Reply;

export const controllerService: Readonly<Record<string, Handler>> = {
  CreateVolume: createVolume,
  DeleteVolume: deleteVolume,
  ControllerPublishVolume: publishVolume,
  ControllerUnpublishVolume: unpublishVolume,
  GetCapacity: getCapacity,
  CreateSnapshot: createSnapshot,
  DeleteSnapshot: deleteSnapshot,
  ListSnapshots: listSnapshots,
  ControllerExpandVolume: expandVolume,
  ControllerModifyVolume: modifyVolume,
};

function capabilitiesError(
  backend: Backend,
  capabilities: readonly VolumeCapability[],
): Refusal | undefined {
  if (capabilities.length === 0) {
    return refuse("InvalidArgument", "volume capabilities are missing");
  }
  for (const capability of capabilities) {
    const error = capabilityError(backend.profile, capability);
    if (error !== undefined) return refuse("InvalidArgument", error);
  }
  if (new Set(capabilities.map(accessType)).size > 1) {
    return refuse("InvalidArgument", "a volume cannot be both Block and Filesystem");
  }
  return undefined;
}

function createVolume(backend: Backend, request: CsiRequest, now: Instant): Reply {
  const { profile } = backend;
  const { name, parameters = {}, mutable_parameters: mutableParameters = {} } = request;
  if (name === undefined || name === "") return isMissing("volume name");
  const capabilities = request.volume_capabilities ?? [];
  const [capability] = capabilities;
  const sized = { capability, parameters };
  const asked = backend.sizes.rounded(BigInt(request.capacity_range?.required_bytes ?? 0), sized);
  const invalid =
    creationRefusal(profile.earlyRefusals, profile, request, asked) ??
    capabilitiesError(backend, capabilities) ??
    attributesError(profile, request) ??
    creationRefusal(profile.creationRefusals, profile, request, asked);
  if (invalid !== undefined) return invalid;
  const id = handleOf(profile, name);
  const given = request.volume_content_source;
  const source = given?.snapshot === undefined && given?.volume === undefined ? undefined : given;
  const mode = capability === undefined ? "Filesystem" : accessType(capability);
  const existing = backend.volumes.get(id);
  if (existing !== undefined) {
    const clash = clashWith(existing, request, source, mode);
    if (clash === undefined) return { volume: backend.volumeMessage(existing) };
    return refuse("AlreadyExists", `volume ${name} already exists with ${clash}`);
  }
  const least = backend.sourceSize(source, now);
  if (isRefusal(least)) return least;
  const size = backend.sizes.inRange(request.capacity_range, least, sized);
  if (isRefusal(size)) return size;
  const unequal = sourceSizeError(backend, source, size, least);
  if (unequal !== undefined) return unequal;
  const segments = backend.place(request.accessibility_requirements, size, parameters);
  if (isRefusal(segments)) return segments;
  const refused = creationRefusal(profile.cloudRefusals, profile, request, size);
  if (refused !== undefined) return refused;
  const volume: StoredVolume = {
    id,
    isStatic: false,
    size,
    segments,
    mode,
    source,
    parameters,
    mutableParameters,
    published: new Map(),
  };
  backend.addVolume(volume);
  return { volume: backend.volumeMessage(volume) };
}

function handleOf({ volumeHandle = "vol-<NAME>" }: DriverProfile, name: string): string {
  const number = Number.parseInt(sha256(name).slice(0, 7), 16);
  return volumeHandle.replaceAll("<NAME>", name).replaceAll("<NUMBER>", String(number));
}

/** Why a copy cannot have this size; undefined if it can, or if the source's size is unknown. */
function sourceSizeError(
  { profile }: Backend,
  source: VolumeContentSource | undefined,
  size: bigint,
  ofSource: bigint,
): Refusal | undefined {
  if (source === undefined || ofSource === 0n || size === ofSource) return undefined;
  const rule = profile.equalSourceSize?.[source.snapshot === undefined ? "volume" : "snapshot"];
  if (rule === undefined) return undefined;
  const text = rule.text
    .replaceAll("<SIZE>", String(size))
    .replaceAll("<SOURCE>", String(ofSource));
  return refuse(rule.code, text);
}

/** How an existing volume differs from the one requested under its name; undefined if it does not. */
function clashWith(
  existing: StoredVolume,
  request: CsiRequest,
  source: VolumeContentSource | undefined,
  mode: string,
): string | undefined {
  const required = BigInt(request.capacity_range?.required_bytes ?? 0);
  const limit = BigInt(request.capacity_range?.limit_bytes ?? 0);
  if (existing.size < required || (limit !== 0n && existing.size > limit)) {
    return `size ${sizeText(existing.size)}`;
  }
  const content = sourceText(existing.source);
  if (content !== sourceText(source)) return `content of ${content}`;
  if (existing.mode !== undefined && existing.mode !== mode) return `volume mode ${existing.mode}`;
  return sameEntries(existing.parameters, request.parameters ?? {})
    ? undefined
    : "other parameters";
}

function sourceText(source: VolumeContentSource | undefined): string {
  if (source?.snapshot !== undefined) return `snapshot ${source.snapshot.snapshot_id}`;
  return source?.volume === undefined ? "nothing" : `volume ${source.volume.volume_id}`;
}

function sameEntries(
  a: Readonly<Record<string, string>>,
  b: Readonly<Record<string, string>>,
): boolean {
  const keys = Object.keys(a);
  return keys.length === Object.keys(b).length && keys.every((key) => a[key] === b[key]);
}

function deleteVolume(backend: Backend, request: CsiRequest): Reply {
  const id = request.volume_id ?? "";
  if (id === "") return isMissing("volume id");
  const refused = secretRefusal(backend.profile, "DeleteVolume", request);
  if (refused !== undefined) return refused;
  const nodes = [...(backend.volumes.get(id)?.published.keys() ?? [])].sort(compareText);
  if (nodes.length > 0) {
    return refuse("FailedPrecondition", `volume ${id} is still published to ${nodes.join(", ")}`);
  }
  backend.deleteVolume(id);
  return {};
}

function publishVolume(backend: Backend, request: CsiRequest): Reply {
  const { profile } = backend;
  if (!profile.attachRequired) return unimplemented("ControllerPublishVolume");
  const { volume_id: id = "", node_id: nodeId = "", volume_capability: capability } = request;
  if (id === "") return isMissing("volume id");
  if (nodeId === "") return isMissing("node id");
  if (capability === undefined) return isMissing("volume capability");
  const refused = mountRefusal(profile.attachRefusals, profile, request);
  if (refused !== undefined) return refused;
  const { ownDiskHandle } = profile;
  const isOwnDisk = ownDiskHandle !== undefined && id.startsWith(ownDiskHandle);
  const unsupported = isOwnDisk ? undefined : publishError(profile, capability);
  if (unsupported !== undefined) return refuse("InvalidArgument", unsupported);
  const volume = backend.volume(id);
  if (isRefusal(volume)) return volume;
  const node = backend.nodes.get(nodeId);
  if (node === undefined) return refuse("NotFound", `node ${nodeId} does not exist`);
  const answer = { publish_context: { devicePath: `/dev/csi/${id}` } };
  const [mode, type] = [modeName(capability), accessType(capability)];
  const readonly = request.readonly === true;

  const same = volume.published.get(nodeId);
  if (same !== undefined) {
    if (same.readonly === readonly && same.mode === mode && same.type === type) return answer;
    return refuse(
      "AlreadyExists",
      `volume ${id} is already published to ${nodeId} with another capability`,
    );
  }
  const { segments } = volume;
  if (segments.length > 0 && !segments.includes(segmentOf(profile, node) ?? "")) {
    return refuse(
      "FailedPrecondition",
      `volume ${id} is in ${segments.join(", ")} and cannot be reached from ${nodeId}`,
    );
  }
  const others = [...volume.published.keys()].sort(compareText);
  const exclusive =
    isSingleNode(capability) || [...volume.published.values()].some((p) => p.singleNode);
  if (others.length > 0 && exclusive && !isOwnDisk) {
    return refuse(
      "FailedPrecondition",
      `volume ${id} is already published to ${others.join(", ")}`,
    );
  }
  const full = attachLimitError(backend, nodeId);
  if (full !== undefined) return full;
  volume.published.set(nodeId, { readonly, mode, type, singleNode: isSingleNode(capability) });
  return answer;
}

function attachLimitError(backend: Backend, node: string): Refusal | undefined {
  const { enforceMaxVolumes, maxVolumesPerNode } = backend.profile;
  if (!enforceMaxVolumes || maxVolumesPerNode === 0) return undefined;
  let count = 0;
  for (const volume of backend.volumes.values()) if (volume.published.has(node)) count++;
  if (count < maxVolumesPerNode) return undefined;
  return refuse(
    "ResourceExhausted",
    `node ${node} has ${count} volumes, ${maxVolumesPerNode} are allowed`,
  );
}

function unpublishVolume(backend: Backend, request: CsiRequest): Reply {
  if (!backend.profile.attachRequired) return unimplemented("ControllerUnpublishVolume");
  const { volume_id: id = "", node_id: node = "" } = request;
  if (id === "") return isMissing("volume id");
  const published = backend.volumes.get(id)?.published;
  if (node === "") published?.clear();
  else published?.delete(node);
  return {};
}

function getCapacity(backend: Backend, request: CsiRequest): Reply {
  const { profile, sizes } = backend;
  if (!profile.storageCapacity) return unimplemented("GetCapacity");
  const refused = (request.volume_capabilities ?? []).some(
    (capability) => capabilityError(profile, capability) !== undefined,
  );
  if (refused) return { available_capacity: "0" };
  const asked = request.accessible_topology?.segments[profile.topologyKey];
  const wanted = backend.segments().filter((segment) => asked === undefined || segment === asked);
  if (wanted.length === 0) return { available_capacity: "0" };
  const rooms = wanted.flatMap((segment) => backend.free(segment) ?? []);
  const isEndless = rooms.length < wanted.length;
  const capacity = isEndless ? sizes.largest : rooms.reduce((sum, room) => sum + room, 0n);
  return { available_capacity: String(capacity) };
}

function createSnapshot(backend: Backend, request: CsiRequest, now: Instant): Reply {
  if (!backend.profile.snapshots) return unimplemented("CreateSnapshot");
  const { name = "", source_volume_id: from = "" } = request;
  if (name === "") return isMissing("snapshot name");
  if (from === "") return isMissing("source volume id");
  const unread = secretRefusal(backend.profile, "CreateSnapshot", request);
  if (unread !== undefined) return unread;
  const id = `snap-${name}`;
  const existing = backend.snapshots.get(id);
  if (existing !== undefined) {
    if (existing.volume === from) return { snapshot: backend.snapshotMessage(existing, now) };
    return refuse("AlreadyExists", `snapshot ${name} already exists for volume ${existing.volume}`);
  }
  const refused = snapshotParameterError(backend.profile, request);
  if (refused !== undefined) return refused;
  const volume = backend.volume(from);
  if (isRefusal(volume)) return volume;
  const size = volume.size === 0n ? backend.sizes.defaultSize : volume.size;
  const snapshot = { id, isStatic: false, volume: from, size, createdAt: now };
  backend.snapshots.set(id, snapshot);
  backend.deletedSnapshots.delete(id);
  return { snapshot: backend.snapshotMessage(snapshot, now) };
}

function deleteSnapshot(backend: Backend, request: CsiRequest): Reply {
  if (!backend.profile.snapshots) return unimplemented("DeleteSnapshot");
  const id = request.snapshot_id ?? "";
  if (id === "") return isMissing("snapshot id");
  const refused = secretRefusal(backend.profile, "DeleteSnapshot", request);
  if (refused !== undefined) return refused;
  backend.snapshots.delete(id);
  backend.deletedSnapshots.add(id);
  return {};
}

/** Returns the snapshot of one id; callers never ask for all. An unknown one is adopted as at any other use. */
function listSnapshots(backend: Backend, request: CsiRequest, now: Instant): Reply {
  if (!backend.profile.snapshots) return unimplemented("ListSnapshots");
  const snapshot = backend.snapshot(request.snapshot_id, now);
  const found = isRefusal(snapshot) ? [] : [snapshot];
  return { entries: found.map((s) => ({ snapshot: backend.snapshotMessage(s, now) })) };
}

function expandVolume(backend: Backend, request: CsiRequest): Reply {
  const { profile } = backend;
  if (!profile.expansion.controller) return unimplemented("ControllerExpandVolume");
  const { volume_id: id = "", volume_capability: capability } = request;
  const parameterOf = parametersOf(profile, backend.volumes.get(id)?.parameters);
  const asked = BigInt(request.capacity_range?.required_bytes ?? 0);
  const refused = profile.expansion.refusals?.find(
    (refusal) =>
      meetsCondition(refusal, capability, parameterOf) &&
      isNoMultiple(refusal, asked) &&
      (refusal.modes === undefined ||
        (capability !== undefined && refusal.modes.includes(modeName(capability)))),
  );
  if (refused !== undefined)
    return refuse(refused.code, refused.text.replace("<BYTES>", String(asked)));
  return secretRefusal(profile, "ControllerExpandVolume", request) ?? growVolume(backend, request);
}

function growVolume(backend: Backend, request: CsiRequest): Reply {
  const { expansion, roundDownTo: step = "1", answersGrowthAsAsked } = backend.profile;
  const volume = backend.volume(request.volume_id);
  if (isRefusal(volume)) return volume;
  const range = request.capacity_range;
  if (range === undefined) return isMissing("capacity range");
  const required = BigInt(range.required_bytes ?? 0);
  const limit = BigInt(range.limit_bytes ?? 0);
  const fits = required <= volume.size && (limit === 0n || volume.size <= limit);
  if (volume.size === 0n || !fits) {
    const kept = keptSizeError(backend, volume);
    if (kept !== undefined) return kept;
    const { volume_capability: capability } = request;
    const asked = backend.sizes.inRange(range, 0n, { capability, parameters: volume.parameters });
    if (isRefusal(asked)) return asked;
    const size = roundDownTo(asked, quantityBytes(step));
    const users = expansion.online ? [] : backend.usersOf(volume);
    if (users.length > 0) {
      const where = users.join(", ");
      const { inUseRefusal } = expansion;
      const usual = `volume ${volume.id} is published to ${where} and can only be expanded offline`;
      return refuse("FailedPrecondition", inUseRefusal ?? usual);
    }
    const full = growthError(backend, volume, size);
    if (full !== undefined) return full;
    if (size > volume.size) backend.grow(volume, size);
  }
  const isAsAsked =
    answersGrowthAsAsked === "always" || (answersGrowthAsAsked === "when-it-grows" && !fits);
  const size = isAsAsked ? required : roundDownTo(volume.size, quantityBytes(step));
  const needsNode = hasNodePart(backend, volume, request);
  return { capacity_bytes: String(size), node_expansion_required: needsNode };
}

function hasNodePart(
  { profile: { expansion } }: Backend,
  { published }: StoredVolume,
  { volume_capability: capability }: CsiRequest,
): boolean {
  const { node, nodeForBlock = true, nodeOnlyWhileAttached = false } = expansion;
  if (capability?.block !== undefined && !nodeForBlock) return false;
  return node && (published.size > 0 || !nodeOnlyWhileAttached);
}

/** The refusal if snapshots keep their volume from growing. */
function keptSizeError({ profile, snapshots }: Backend, { id }: StoredVolume): Refusal | undefined {
  const { snapshotsKeepSize } = profile;
  if (snapshotsKeepSize === undefined) return undefined;
  const own = [...snapshots.values()].filter(({ volume }) => volume === id);
  if (own.length === 0) return undefined;
  const text = snapshotsKeepSize.text
    .replaceAll("<ID>", id)
    .replaceAll("<COUNT>", String(own.length))
    .replaceAll("<SNAPSHOTS>", `[${own.map((snapshot) => snapshot.id).join(" ")}]`);
  return refuse(snapshotsKeepSize.code, text);
}

/**
 * Why a volume cannot grow: because that was refused before the run, or because its pool is full. Pre-provisioned volumes are
 * in no pool.
 */
export function growthError(
  backend: Backend,
  volume: StoredVolume,
  size: bigint,
): Refusal | undefined {
  const { refusedGrowth } = volume;
  if (refusedGrowth !== undefined && size >= refusedGrowth.size) return refusedGrowth.refusal;
  if (volume.isStatic || size <= volume.size) return undefined;
  for (const pool of poolsOf(volume)) {
    const full = backend.roomError(pool, size - volume.size, "grow");
    if (full !== undefined) return full;
  }
  return undefined;
}

function modifyVolume(backend: Backend, request: CsiRequest): Reply {
  if (!backend.profile.modify) return unimplemented("ControllerModifyVolume");
  const volume = backend.volume(request.volume_id);
  if (isRefusal(volume)) return volume;
  const { mutable_parameters: attributes } = request;
  const invalid = changedAttributesError(backend.profile, attributes, volume.parameters);
  if (invalid !== undefined) return invalid;
  volume.mutableParameters = { ...volume.mutableParameters, ...request.mutable_parameters };
  return {};
}
